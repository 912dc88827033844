package argo

import (
	"fmt"
	"net/url"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/feature"
)

// A place is where Argo can fetch an artifact from. If says, of a URI that only
// the run knows, whether it is there.
type place struct {
	name, is string
	at       wfv1.ArtifactLocation
}

// amazon is where buckets are that don't say where they are.
const amazon = "s3.amazonaws.com"

// keyOf returns the place of a key of the cluster's own artifact repository.
func keyOf(key string) wfv1.ArtifactLocation {
	return wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{Key: key}}
}

// location returns the place of a URI that is known.
func (b *builder) location(uri string) (at wfv1.ArtifactLocation, err error) {
	if why := feature.ImportScheme(uri); why != "" {
		return at, fmt.Errorf("%q: %s", uri, why)
	}
	if strings.Contains(uri, "{{") {
		return at, fmt.Errorf("%q has {{ in it, which Argo would replace", uri)
	}
	if root := b.rootURI(); root != "" && strings.HasPrefix(uri, root) {
		return keyOf(strings.TrimPrefix(uri, root)), nil
	}
	if text, ok := strings.CutPrefix(uri, feature.Data); ok {
		text, err = url.PathUnescape(text)
		if err == nil && strings.Contains(text, "{{") {
			err = fmt.Errorf("%q has {{ in it, which Argo would replace", text)
		}
		return wfv1.ArtifactLocation{Raw: &wfv1.RawArtifact{Data: text}}, err
	}
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok && !strings.HasPrefix(uri, "git@") {
		return keyOf(uri), nil
	}
	if repo, isGit := gitRepo(uri); isGit {
		repo, revision, _ := strings.Cut(repo, "#")
		return wfv1.ArtifactLocation{Git: &wfv1.GitArtifact{Repo: repo, Revision: revision}}, nil
	}
	if scheme == "http" || scheme == "https" {
		return wfv1.ArtifactLocation{HTTP: &wfv1.HTTPArtifact{URL: uri}}, nil
	}
	rest, query, _ := strings.Cut(rest, "?")
	bucket, key, _ := strings.Cut(rest, "/")
	with, err := url.ParseQuery(query)
	if err != nil {
		return at, fmt.Errorf("%q: %w", uri, err)
	}
	switch scheme {
	case "gs":
		return wfv1.ArtifactLocation{GCS: &wfv1.GCSArtifact{GCSBucket: wfv1.GCSBucket{Bucket: bucket}, Key: key}}, nil
	case "oss":
		return wfv1.ArtifactLocation{OSS: &wfv1.OSSArtifact{OSSBucket: wfv1.OSSBucket{Endpoint: with.Get("endpoint"), Bucket: bucket, UseSDKCreds: true}, Key: key}}, nil
	}
	s3 := wfv1.S3Bucket{Endpoint: amazon, Bucket: bucket, Region: with.Get("region"), UseSDKCreds: true}
	if e := with.Get("endpoint"); e != "" {
		s3.Endpoint = strings.TrimPrefix(strings.TrimPrefix(e, "https://"), "http://")
		if insecure := strings.HasPrefix(e, "http://") || with.Get("disableSSL") == "true"; insecure {
			s3.Insecure = &insecure
		}
	}
	return wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{S3Bucket: s3, Key: key}}, nil
}

// gitRepo returns the repository of a URI that is one of Git's.
func gitRepo(uri string) (repo string, ok bool) {
	if repo, ok := strings.CutPrefix(uri, "git+"); ok {
		return repo, true
	}
	path, _, _ := strings.Cut(uri, "#")
	return uri, strings.HasPrefix(uri, "git@") || strings.HasPrefix(uri, "git://") || strings.HasPrefix(uri, "ssh://") || strings.HasSuffix(path, ".git")
}

// rootURI is the URI below which keys of the cluster's repository are, with a /
// at its end; empty: not known.
func (b *builder) rootURI() string {
	if b.o.ArtifactRoot == "" {
		return ""
	}
	return strings.TrimSuffix(b.o.ArtifactRoot, "/") + "/"
}

// places returns where the artifact may be that has a URI which only the run
// knows. U is the expression for its text. The last is where all else is.
func (b *builder) places(u string) []place {
	text := placeText
	bucket := func(scheme string) string { return text("split(trimPrefix(" + u + ", '" + scheme + "://'), '/')[0]") }
	key := func(scheme string) string {
		return text("join(split(trimPrefix(" + u + ", '" + scheme + "://'), '/')[1:], '/')")
	}
	own, is := text(u), "not ("+u+" contains '://')"
	if root := b.rootURI(); root != "" {
		own, is = text("trimPrefix("+u+", "+literal(root)+")"), is+" or "+u+" startsWith "+literal(root)
	}
	return []place{
		{"kfpgo-key", is, keyOf(own)},
		{"kfpgo-s3", u + " startsWith 's3://'", wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{S3Bucket: wfv1.S3Bucket{Endpoint: amazon, Bucket: bucket("s3"), UseSDKCreds: true}, Key: key("s3")}}},
		{"kfpgo-gs", u + " startsWith 'gs://'", wfv1.ArtifactLocation{GCS: &wfv1.GCSArtifact{GCSBucket: wfv1.GCSBucket{Bucket: bucket("gs")}, Key: key("gs")}}},
		{"kfpgo-http", "true", wfv1.ArtifactLocation{HTTP: &wfv1.HTTPArtifact{URL: text(u)}}},
	}
}
