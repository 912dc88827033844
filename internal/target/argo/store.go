package argo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// schemes are those of the URIs of stores with buckets, and the fields that say where in
// the store an artifact is.
var schemes = map[string]struct{ scheme, bucket, key string }{
	"s3": {"s3", "bucket", "key"}, "gcs": {"gs", "bucket", "key"}, "oss": {"oss", "bucket", "key"}, "azure": {"azure", "container", "blob"},
}

// storeLocation returns the place of an import with argo.From: what
// the URI says is added to that.
func (s *scope) storeLocation(i importer) (at wfv1.ArtifactLocation, err error) {
	if i.may {
		return at, fmt.Errorf("a URI that may not be given from a store that is (argo.From); give the input a default")
	}
	var store map[string]map[string]any
	if err := json.Unmarshal(i.store, &store); err != nil || len(store) != 1 {
		return at, fmt.Errorf("from a store that isn't one object: %s", i.store)
	}
	for kind, of := range store {
		if of == nil {
			of = map[string]any{}
			store[kind] = of
		}
		text, known := i.uri.Constant()
		known = known && len(i.uri.Field) == 0
		switch in, bucket := schemes[kind]; {
		case bucket && known:
			rest, ok := strings.CutPrefix(text, in.scheme+"://")
			name, key, found := strings.Cut(rest, "/")
			if !ok || !found || name == "" || key == "" {
				return at, fmt.Errorf("%q from argo.%s; write it as %s://BUCKET/KEY", text, strings.ToUpper(kind), in.scheme)
			}
			of[in.bucket], of[in.key] = name, key
		case bucket:
			rest := "split(trimPrefix(" + uriText + ", '" + in.scheme + "://'), '/')"
			of[in.bucket], of[in.key] = placeText(rest+"[0]"), placeText("join("+rest+"[1:], '/')")
		case kind == "git" && known:
			repo, revision, _ := strings.Cut(text, "#")
			if of["repo"] = strings.TrimPrefix(repo, "git+"); revision != "" {
				of["revision"] = revision
			}
		case kind == "git":
			of["repo"], of["revision"] = placeText("split("+uriText+", '#')[0]"), placeText("join(split("+uriText+", '#')[1:], '#')")
		case kind == "http" && known:
			of["url"] = text
		case kind == "http":
			of["url"] = placeText(uriText)
		}
		if known && strings.Contains(text, "{{") {
			return at, fmt.Errorf("%q has {{ in it, which Argo would replace", text)
		}
	}
	j, err := json.Marshal(store)
	if err != nil {
		return at, err
	}
	if bytes.Contains(i.store, []byte("{{")) {
		return at, fmt.Errorf("from a store with {{ in it, which Argo would replace: %s", i.store)
	}
	d := json.NewDecoder(bytes.NewReader(j))
	d.DisallowUnknownFields()
	if err := d.Decode(&at); err != nil {
		return at, fmt.Errorf("from a store that isn't one of Argo's: %w", err)
	}
	return at, nil
}

// uriText is the expression for the URI of an importer.
const uriText = "fromJSON(inputs.parameters['" + uriInput + "'])"

// placeText is the tag for a part of a URI: in it Argo would replace a tag.
func placeText(e string) string { return tag("replace(" + e + ", '{' + '{', '%7B%7B')") }
