package argo

import (
	"encoding/json"
	"net/url"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Store is the endpoint and the credentials of the store that has an artifact: [S3], [GCS],
// [OSS], [Azure], [Git] or [HTTP]. The artifact's URI is its place in the store.
type Store interface {
	store() string
}

// A SecretKey is a key of a secret.
type SecretKey struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// S3 is a store with the API of Amazon S3. The artifact is at s3://BUCKET/KEY.
type S3 struct {
	Endpoint     string    `json:"endpoint,omitempty"` // host and port, such as minio:9000; empty: that of the cluster's artifact repository
	Region       string    `json:"region,omitempty"`
	Insecure     bool      `json:"insecure,omitempty"` // HTTP in place of HTTPS
	AccessKey    SecretKey `json:"accessKeySecret,omitzero"`
	SecretKey    SecretKey `json:"secretKeySecret,omitzero"`
	SessionToken SecretKey `json:"sessionTokenSecret,omitzero"`
	RoleARN      string    `json:"roleARN,omitempty"`
	UseSDKCreds  bool      `json:"useSDKCreds,omitempty"` // those of the pod's service account
}

// GCS is Google Cloud Storage. The artifact is at gs://BUCKET/KEY.
type GCS struct {
	ServiceAccountKey SecretKey `json:"serviceAccountKeySecret,omitzero"`
}

// OSS is Alibaba Cloud's store. The artifact is at oss://BUCKET/KEY.
type OSS struct {
	Endpoint    string    `json:"endpoint,omitempty"`
	AccessKey   SecretKey `json:"accessKeySecret,omitzero"`
	SecretKey   SecretKey `json:"secretKeySecret,omitzero"`
	UseSDKCreds bool      `json:"useSDKCreds,omitempty"` // those of the pod's service account
}

// Azure is Azure's Blob Storage. The artifact is at azure://CONTAINER/BLOB.
type Azure struct {
	Endpoint    string    `json:"endpoint,omitempty"` // of the account, such as https://ACCOUNT.blob.core.windows.net
	AccountKey  SecretKey `json:"accountKeySecret,omitzero"`
	UseSDKCreds bool      `json:"useSDKCreds,omitempty"` // those of the pod's service account
}

// Git is a repository. The URI of the artifact is that of the repository, optionally
// followed by # and a revision.
type Git struct {
	Username              SecretKey `json:"usernameSecret,omitzero"`
	Password              SecretKey `json:"passwordSecret,omitzero"`
	SSHPrivateKey         SecretKey `json:"sshPrivateKeySecret,omitzero"`
	InsecureIgnoreHostKey bool      `json:"insecureIgnoreHostKey,omitempty"`
	Branch                string    `json:"branch,omitempty"`
	SingleBranch          bool      `json:"singleBranch,omitempty"`
	Depth                 uint64    `json:"depth,omitempty"` // of the history; 0: all of it
	Fetch                 []string  `json:"fetch,omitempty"` // refspecs
	DisableSubmodules     bool      `json:"disableSubmodules,omitempty"`
}

// HTTP is a server. Requests to it have these headers.
type HTTP struct {
	Headers []Header `json:"headers,omitempty"`
}

// A Header is a header of a request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (S3) store() string    { return "s3" }
func (GCS) store() string   { return "gcs" }
func (OSS) store() string   { return "oss" }
func (Azure) store() string { return "azure" }
func (Git) store() string   { return "git" }
func (HTTP) store() string  { return "http" }

// From is an option of dsl.Import. It sets the endpoint and the credentials of the store
// that Argo reads the artifact from, which a URI can't hold. On this machine the step reads
// the URI as that of any other import.
//
//	base := dsl.Import[dsl.Model](s, "s3://models/base", argo.From(argo.S3{
//		Endpoint:  "minio:9000",
//		AccessKey: argo.SecretKey{Name: "minio", Key: "user"},
//		SecretKey: argo.SecretKey{Name: "minio", Key: "password"},
//	}))
func From(store Store) dsl.Option {
	return record.At(func(t *record.Task) {
		switch {
		case store == nil:
			t.Errorf("From: the store is nil; use one such as argo.S3{}")
			return
		case t.Component == nil || t.Component.Importer == nil:
			t.Errorf("From is an option of dsl.Import; import the artifact, and give it to the task")
			return
		}
		j, err := json.Marshal(store)
		if err != nil {
			t.Errorf("From: %v", err)
			return
		}
		if msg, bad := record.Misused(string(j)); bad {
			t.Errorf("From: %s", msg)
			return
		}
		checkSecrets(t, store)
		t.Set("store", json.RawMessage(`{"`+store.store()+`":`+string(j)+`}`))
	})
}

// checkSecrets reports secrets that have no name or key.
func checkSecrets(t *record.Task, store Store) {
	var all []SecretKey
	switch s := store.(type) {
	case S3:
		all = []SecretKey{s.AccessKey, s.SecretKey, s.SessionToken}
	case GCS:
		all = []SecretKey{s.ServiceAccountKey}
	case OSS:
		all = []SecretKey{s.AccessKey, s.SecretKey}
	case Azure:
		all = []SecretKey{s.AccountKey}
	case Git:
		all = []SecretKey{s.Username, s.Password, s.SSHPrivateKey}
	}
	for _, s := range all {
		if s != (SecretKey{}) {
			check(t, "From: a secret", s.Name, lockName)
			check(t, "From: a key of the secret "+s.Name, s.Key, dataKey)
		}
	}
}

// Raw returns the URI of an artifact whose content is a string, for dsl.Import.
//
//	config := dsl.Import[dsl.Dataset](s, argo.Raw("level: debug\n"))
func Raw(text string) string { return "data:," + url.PathEscape(text) }
