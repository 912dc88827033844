package argo

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/objects"
	"github.com/kfpgo/kfpgo/client/internal/portforward"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// repository returns where a Workflow keeps artifacts that don't say where they are.
func repository(w *wfv1.Workflow) *wfv1.ArtifactRepository {
	if r := w.Status.ArtifactRepositoryRef; r != nil && r.ArtifactRepository != nil {
		return r.ArtifactRepository
	}
	return &wfv1.ArtifactRepository{}
}

// uriOf returns the URI of a place; "" for one that none has.
func uriOf(w *wfv1.Workflow, at *wfv1.ArtifactLocation) string {
	r := repository(w)
	switch {
	case at.S3 != nil && at.S3.Key != "" && r.S3 == nil && at.S3.Bucket == "" && r.GCS != nil:
		return "gs://" + r.GCS.Bucket + "/" + at.S3.Key
	case at.S3 != nil && at.S3.Key != "":
		own := cmp.Or(r.S3, &wfv1.S3ArtifactRepository{})
		return "s3://" + cmp.Or(at.S3.Bucket, own.Bucket) + "/" + at.S3.Key
	case at.GCS != nil && at.GCS.Key != "":
		own := cmp.Or(r.GCS, &wfv1.GCSArtifactRepository{})
		return "gs://" + cmp.Or(at.GCS.Bucket, own.Bucket) + "/" + at.GCS.Key
	case at.OSS != nil && at.OSS.Key != "":
		return "oss://" + at.OSS.Bucket + "/" + at.OSS.Key
	case at.Azure != nil && at.Azure.Blob != "":
		return strings.TrimSuffix(at.Azure.Endpoint, "/") + "/" + at.Azure.Container + "/" + at.Azure.Blob
	case at.HTTP != nil:
		return at.HTTP.URL
	case at.HDFS != nil && at.HDFS.Path != "":
		return "hdfs://" + strings.Join(at.HDFS.Addresses, ",") + at.HDFS.Path
	case at.Git != nil && at.Git.Revision != "":
		return "git+" + at.Git.Repo + "#" + at.Git.Revision
	case at.Git != nil:
		return "git+" + at.Git.Repo
	}
	return ""
}

// located returns the artifact of a Workflow that has a URI, with its place.
func located(w *wfv1.Workflow, uri string) *wfv1.Artifact {
	for _, id := range slices.Sorted(maps.Keys(w.Status.Nodes)) {
		n := w.Status.Nodes[id]
		var all wfv1.Artifacts
		if n.Outputs != nil {
			all = append(all, n.Outputs.Artifacts...)
		}
		if n.Inputs != nil {
			all = append(all, n.Inputs.Artifacts...)
		}
		for i := range all {
			if uriOf(w, &all[i].ArtifactLocation) == uri {
				return &all[i]
			}
		}
	}
	return nil
}

// Files returns the files of an artifact in the repository of its Workflow, with the
// credential that the repository names. An archive is unpacked.
func (c *Client) Files(ctx context.Context, a *lineage.Artifact) iter.Seq2[*lineage.File, error] {
	return objects.Opened(func() (iter.Seq2[*lineage.File, error], func(), error) { return c.files(ctx, a) })
}

func (c *Client) files(ctx context.Context, a *lineage.Artifact) (iter.Seq2[*lineage.File, error], func(), error) {
	op := "read artifact " + a.Name
	w, err := c.workflow(ctx, op, a.Run)
	if err != nil {
		return nil, nil, err
	}
	if err := c.whole(w); err != nil {
		return nil, nil, err
	}
	at := located(w, a.URI)
	switch {
	case at == nil:
		return nil, nil, &client.Error{Op: op, Code: client.NotFound, Msg: fmt.Sprintf("Workflow %s has no artifact at %s", a.Run, a.URI)}
	case at.HTTP != nil && at.HTTP.Auth == nil:
		return objects.Web(ctx, at.HTTP.URL), func() {}, nil
	case strings.HasPrefix(a.URI, "gs://"):
		bucket, key, _ := strings.Cut(strings.TrimPrefix(a.URI, "gs://"), "/")
		return unpacked(ctx, at, key, objects.GCS(ctx, bucket, key)), func() {}, nil
	case at.S3 == nil:
		return nil, nil, &client.Error{Op: op, Code: client.Unsupported, Msg: "kfpgo reads artifacts from S3, Google and the web, and this one is at " + a.URI}
	}
	k, err := c.access.kubernetes(op, "its content is in a store whose credential is a secret")
	if err != nil {
		return nil, nil, err
	}
	s, bucket, err := c.store(ctx, op, k, w, at.S3)
	if err != nil {
		return nil, nil, err
	}
	end := func() {}
	if portforward.Outside(s.Endpoint) {
		conf, _, _, err := k.conf.rest()
		if err != nil {
			return nil, nil, err
		}
		d, err := portforward.New(conf)
		if err != nil {
			return nil, nil, err
		}
		s.Dial, end = d.In(c.namespace), d.Close
	}
	return unpacked(ctx, at, at.S3.Key, s.Files(ctx, bucket, at.S3.Key)), end, nil
}

// unpacked unpacks an artifact that Argo keeps as an archive.
func unpacked(ctx context.Context, at *wfv1.Artifact, key string, files iter.Seq2[*lineage.File, error]) iter.Seq2[*lineage.File, error] {
	if at.Archive == nil && strings.HasSuffix(key, ".tgz") || at.Archive != nil && at.Archive.Tar != nil {
		return unarchived(ctx, files)
	}
	return files
}

// unarchived unpacks an artifact that is one archive.
func unarchived(ctx context.Context, files iter.Seq2[*lineage.File, error]) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) {
		for f, err := range files {
			if err != nil || f.Path != "" || f.Open == nil {
				if !yield(f, err) {
					return
				}
				continue
			}
			for f, err := range lineage.Tar(ctx, f.Open) {
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// store returns the S3 store of an artifact, and its bucket.
func (c *Client) store(ctx context.Context, op string, k *cluster, w *wfv1.Workflow, at *wfv1.S3Artifact) (*objects.S3, string, error) {
	b := at.S3Bucket
	if r := repository(w).S3; r != nil && b.Endpoint == "" { // as a whole: a key of the repository
		bucket := b.Bucket
		b = r.S3Bucket
		b.Bucket = cmp.Or(bucket, b.Bucket)
	}
	if b.Bucket == "" {
		return nil, "", &client.Error{Op: op, Code: client.Unsupported, Msg: "Workflow " + w.Name + " does not say where its artifacts are"}
	}
	s := &objects.S3{Endpoint: b.Endpoint, Plain: b.Insecure != nil && *b.Insecure, Region: b.Region}
	if c.conf.Store != "" && repository(w).S3 != nil && b.Endpoint == repository(w).S3.Endpoint {
		s.Endpoint, s.From = c.conf.Store, c.conf.env.Used("KFPGO_STORE")
	}
	if b.UseSDKCreds {
		return s, b.Bucket, nil
	}
	for _, key := range []struct {
		from *corev1.SecretKeySelector
		to   *string
	}{{b.AccessKeySecret, &s.AccessKey}, {b.SecretKeySecret, &s.SecretKey}, {b.SessionTokenSecret, &s.Session}} {
		if key.from == nil {
			continue
		}
		v, err := k.secret(ctx, op, key.from.Name, key.from.Key)
		if err != nil {
			return nil, "", err
		}
		*key.to = v
	}
	return s, b.Bucket, nil
}

// secret returns a value of a secret of the namespace.
func (c *cluster) secret(ctx context.Context, op, name, key string) (string, error) {
	var s struct{ Data map[string][]byte }
	err := c.send(ctx, call{op: op, method: http.MethodGet, path: "/api/v1/namespaces/%s/secrets/" + url.PathEscape(name), into: &s})
	var e *client.Error
	if errors.As(err, &e) && (e.Code == client.Denied || e.Code == client.NotFound) {
		e.Advice = fmt.Sprintf("the artifact repository names secret %s of namespace %s as its credential: kfpgo must be able to get it", name, c.namespace)
	}
	if err != nil {
		return "", err
	}
	v, ok := s.Data[key]
	if !ok {
		return "", &client.Error{Op: op, Code: client.Invalid, Msg: fmt.Sprintf("secret %s has no %s, which the artifact repository names", name, key)}
	}
	return string(v), nil
}

// maxNodes bounds what the nodes of a Workflow are unpacked to, in bytes.
const maxNodes = 4 * web.MaxAnswer

// unpack reads nodes that Argo has compressed.
func unpack(text string) (wfv1.Nodes, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if b, err = io.ReadAll(io.LimitReader(z, maxNodes+1)); err != nil {
		return nil, err
	}
	if len(b) > maxNodes {
		return nil, fmt.Errorf("they have more than %d MB, which is the most that is read", maxNodes>>20)
	}
	var nodes wfv1.Nodes
	return nodes, json.Unmarshal(b, &nodes)
}
