package kfp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"strconv"
	"strings"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/client/internal/objects"
	"github.com/kfpgo/kfpgo/client/internal/portforward"
	"github.com/kfpgo/kfpgo/client/lineage"
)

// Files returns the files of an artifact in the store that its URI names, as KFP's
// launcher would find it: by what the artifact says of its store, by the config map
// kfp-launcher, and else the store of KFP itself.
func (c *Client) Files(ctx context.Context, a *lineage.Artifact) iter.Seq2[*lineage.File, error] {
	return objects.Opened(func() (iter.Seq2[*lineage.File, error], func(), error) { return c.files(ctx, a) })
}

func (c *Client) files(ctx context.Context, a *lineage.Artifact) (iter.Seq2[*lineage.File, error], func(), error) {
	op := "read artifact " + a.Name
	scheme, rest, ok := strings.Cut(a.URI, "://")
	if !ok {
		return nil, nil, &client.Error{Op: op, Code: client.Unsupported, Msg: a.URI + " is not a URI"}
	}
	if scheme == "http" || scheme == "https" {
		return objects.Web(ctx, a.URI), func() {}, nil
	}
	rest, _, _ = strings.Cut(rest, "?")
	bucket, key, _ := strings.Cut(rest, "/")
	if scheme == "gs" {
		return objects.GCS(ctx, bucket, key), func() {}, nil
	}
	if scheme != "minio" && scheme != "s3" {
		return nil, nil, &client.Error{Op: op, Code: client.Unsupported, Msg: "kfpgo reads artifacts from minio://, s3://, gs:// and the web, and this one is at " + a.URI}
	}
	p, err := c.provider(ctx, op, a, scheme, bucket, key)
	if err != nil {
		return nil, nil, err
	}
	s := &objects.S3{Endpoint: p.Endpoint, Plain: p.DisableSSL, Region: p.Region}
	if c.conf.Store != "" {
		s.Endpoint, s.From = c.conf.Store, c.conf.env.Used("KFPGO_STORE")
	}
	if !p.FromEnv {
		if s.AccessKey, s.SecretKey, err = c.keys(ctx, op, p); err != nil {
			return nil, nil, err
		}
	}
	end := func() {}
	if portforward.Outside(cmp.Or(s.Endpoint, "s3.amazonaws.com")) {
		d, err := c.forwarder(op, "the store "+s.Endpoint+" of its cluster; give its address with --store URL")
		if err != nil {
			return nil, nil, err
		}
		s.Dial, end = d.In(c.userNamespace()), d.Close
	}
	return s.Files(ctx, bucket, key), end, nil
}

// userNamespace is where runs have their config map and secrets.
func (c *Client) userNamespace() string {
	_, in, _ := c.conf.service()
	return cmp.Or(c.conf.Namespace, in)
}

// A provider is how a store is reached.
type provider struct {
	Endpoint, Region              string
	DisableSSL, FromEnv           bool
	Secret, AccessKey, SecretName string // the secret, and its members
}

// provider returns how the store of an artifact is reached.
func (c *Client) provider(ctx context.Context, op string, a *lineage.Artifact, scheme, bucket, key string) (*provider, error) {
	info, err := c.sessionInfo(ctx, op, a)
	if err != nil {
		return nil, err
	}
	if p := sessionProvider(info); p != nil {
		return p, nil
	}
	if p, err := c.launcherProvider(ctx, scheme, bucket, key); p != nil || err != nil {
		return p, err
	}
	if scheme == "s3" {
		return &provider{FromEnv: true}, nil
	}
	_, in, err := c.conf.service()
	return &provider{Endpoint: "minio-service." + in + ":9000", DisableSSL: true, Secret: "mlpipeline-minio-artifact", AccessKey: "accesskey", SecretName: "secretkey"}, err
}

// sessionInfo returns what ML Metadata knows of an artifact's store, from KFP 2.2 up.
func (c *Client) sessionInfo(ctx context.Context, op string, a *lineage.Artifact) (string, error) {
	id, err := strconv.ParseInt(a.ID, 10, 64)
	if err != nil {
		return "", nil
	}
	return read(ctx, c, op, func(ctx context.Context, m *mlmd) (string, error) {
		r, err := m.api.GetArtifactsByID(ctx, &pb.GetArtifactsByIDRequest{ArtifactIds: []int64{id}})
		if err != nil || len(r.Artifacts) == 0 {
			return "", err
		}
		return r.Artifacts[0].CustomProperties[storeInfo].GetStringValue(), nil
	})
}

func sessionProvider(info string) *provider {
	var s struct {
		Provider string
		Params   map[string]string
	}
	if json.Unmarshal([]byte(info), &s) != nil || s.Provider != "minio" && s.Provider != "s3" {
		return nil
	}
	yes := func(name string) bool { b, _ := strconv.ParseBool(s.Params[name]); return b }
	return &provider{
		Endpoint: s.Params["endpoint"], Region: s.Params["region"], DisableSSL: yes("disableSSL"), FromEnv: yes("fromEnv"),
		Secret: s.Params["secretName"], AccessKey: s.Params["accessKeyKey"], SecretName: s.Params["secretKeyKey"],
	}
}

// launcherProvider reads the config map kfp-launcher, if it can be reached and says
// anything of the store.
func (c *Client) launcherProvider(ctx context.Context, scheme, bucket, key string) (*provider, error) {
	api, err := c.kubeAPI()
	if api == nil {
		return nil, err
	}
	var m struct{ Data map[string]string }
	in := c.userNamespace()
	err = api.Get(ctx, kubeapi.Path(in, "configmaps", "kfp-launcher"), &m)
	var s *kubeapi.Status
	switch {
	case errors.As(err, &s) && s.Code == http.StatusNotFound:
		return nil, nil // it is optional
	case err != nil:
		return nil, fmt.Errorf("config map kfp-launcher of namespace %s, which says where artifacts are: %w", in, err)
	}
	type credentials struct {
		FromEnv   bool
		SecretRef struct{ SecretName, AccessKeyKey, SecretKeyKey string }
	}
	type place struct {
		Endpoint, Region, BucketName, KeyPrefix string
		DisableSSL                              any // true, or "true"
		Credentials                             credentials
	}
	var all map[string]struct {
		Default   *place
		Overrides []place
	}
	if err := yaml.Unmarshal([]byte(m.Data["providers"]), &all); err != nil {
		return nil, fmt.Errorf("config map kfp-launcher of namespace %s: providers: %w", in, err)
	}
	of := all[scheme]
	use := of.Default
	for i := range of.Overrides {
		if o := &of.Overrides[i]; o.BucketName == bucket && strings.HasPrefix(key, o.KeyPrefix) {
			use = o
			if of.Default != nil {
				use.Endpoint, use.Region = cmp.Or(use.Endpoint, of.Default.Endpoint), cmp.Or(use.Region, of.Default.Region)
			}
			break
		}
	}
	if use == nil {
		return nil, nil
	}
	r := use.Credentials.SecretRef
	plain := use.DisableSSL == true || use.DisableSSL == "true"
	return &provider{Endpoint: use.Endpoint, Region: use.Region, DisableSSL: plain, FromEnv: use.Credentials.FromEnv || r.SecretName == "", Secret: r.SecretName, AccessKey: r.AccessKeyKey, SecretName: r.SecretKeyKey}, nil
}

// kubeAPI returns the API of the server's cluster; nil if it isn't known.
func (c *Client) kubeAPI() (*kubeapi.Client, error) {
	if o := c.reaching(); o.Kubeconfig != "" {
		conf, _, err := o.kubernetes()
		if err != nil {
			return nil, err
		}
		return kubeapi.New(conf)
	}
	return inCluster()
}

// keys returns the credential of a store: of its secret, or of the environment where
// the cluster is not known.
func (c *Client) keys(ctx context.Context, op string, p *provider) (access, secret string, err error) {
	if access, secret = os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"); access != "" && secret != "" && c.conf.Kubeconfig == "" {
		return access, secret, nil
	}
	api, err := c.kubeAPI()
	if err != nil {
		return "", "", err
	}
	in := c.userNamespace()
	if api == nil {
		return "", "", &client.Error{Op: op, Code: client.Precondition, Msg: fmt.Sprintf("the store's credential is in secret %s of namespace %s; give a kubeconfig of the cluster with --kubeconfig FILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", p.Secret, in)}
	}
	var s struct{ Data map[string][]byte }
	if err := api.Get(ctx, kubeapi.Path(in, "secrets", p.Secret), &s); err != nil {
		return "", "", fmt.Errorf("secret %s of namespace %s, which has the store's credential: %w", p.Secret, in, err)
	}
	if len(s.Data[p.AccessKey]) == 0 || len(s.Data[p.SecretName]) == 0 {
		return "", "", fmt.Errorf("secret %s of namespace %s has no %s and %s, which are the store's credential", p.Secret, in, p.AccessKey, p.SecretName)
	}
	return string(s.Data[p.AccessKey]), string(s.Data[p.SecretName]), nil
}
