package objects_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client/internal/objects"
	"github.com/kfpgo/kfpgo/client/lineage"
)

// bucket is as much of Google's store as reading takes; a page has two objects.
type bucket map[string]string

func (b bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, one := strings.CutPrefix(r.URL.EscapedPath(), "/storage/v1/b/bkt/o/")
	key = strings.ReplaceAll(key, "%2F", "/")
	text, ok := b[key]
	switch {
	case !strings.HasPrefix(r.URL.Path, "/storage/v1/b/bkt/o"):
		w.WriteHeader(403)
		fmt.Fprint(w, `{"error": {"message": "anonymous may not"}}`)
	case one && !ok:
		w.WriteHeader(404)
	case one && r.URL.Query().Get("alt") == "media":
		fmt.Fprint(w, text)
	case one:
		json.NewEncoder(w).Encode(map[string]string{"name": key, "size": fmt.Sprint(len(text))})
	default:
		var keys []string
		for k := range b {
			if strings.HasPrefix(k, r.URL.Query().Get("prefix")) && k > r.URL.Query().Get("pageToken") {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		page := map[string]any{}
		if len(keys) > 2 {
			keys = keys[:2]
			page["nextPageToken"] = keys[1]
		}
		items := []map[string]string{}
		for _, k := range keys {
			items = append(items, map[string]string{"name": k, "size": fmt.Sprint(len(b[k]))})
		}
		page["items"] = items
		json.NewEncoder(w).Encode(page)
	}
}

func TestGCS(t *testing.T) {
	srv := httptest.NewServer(bucket{"m": "a file", "d/a": "1", "d/b/c": "22", "d/b/d": "333", "d/e/": "", "d-other": "no", "bad/../../evil": "evil"})
	defer srv.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(srv.URL, "http://"))
	var b strings.Builder
	if err := lineage.Print(t.Context(), objects.GCS(t.Context(), "bkt", "m"), &b); err != nil || b.String() != "a file" {
		t.Errorf("m is %q, %v", b.String(), err)
	}
	dir := t.TempDir()
	if err := lineage.Save(t.Context(), objects.GCS(t.Context(), "bkt", "d"), filepath.Join(dir, "d")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"a": "1", "b/c": "22", "b/d": "333"} {
		if got, err := os.ReadFile(filepath.Join(dir, "d", file)); string(got) != want {
			t.Errorf("%s is %q, %v", file, got, err)
		}
	}
	for key, want := range map[string]string{"bad": "would be outside", "none": "there is nothing at the artifact's URI"} {
		if err := lineage.Save(t.Context(), objects.GCS(t.Context(), "bkt", key), filepath.Join(dir, "x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
	}
	err := lineage.Print(t.Context(), objects.GCS(t.Context(), "other", "m"), &b)
	if err == nil || !strings.Contains(err.Error(), "bucket other at Google: anonymous may not; there is no credential: gcloud auth") {
		t.Errorf("got %v", err)
	}
}
