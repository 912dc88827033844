package objects_test

import (
	"fmt"
	"iter"
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

// store is as much of S3 as reading takes: one bucket, of whose objects a listing
// tells two at a time.
type store map[string]string

func (s store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>it is %s</Message></Error>", code, code)
		}
	}
	if !strings.Contains(r.Header.Get("Authorization"), "Credential=key/") {
		refuse(403, "AccessDenied")
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch text, ok := s[key]; {
	case bucket != "bkt":
		refuse(404, "NoSuchBucket")
	case key == "":
		var keys []string
		for k := range s {
			if strings.HasPrefix(k, r.URL.Query().Get("prefix")) && k > r.URL.Query().Get("continuation-token") {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		more := len(keys) > 2
		keys = keys[:min(len(keys), 2)]
		fmt.Fprintf(w, "<ListBucketResult><IsTruncated>%v</IsTruncated>", more)
		for _, k := range keys {
			fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size></Contents>", k, len(s[k]))
		}
		if more {
			fmt.Fprintf(w, "<NextContinuationToken>%s</NextContinuationToken>", keys[1])
		}
		fmt.Fprint(w, "</ListBucketResult>")
	case !ok:
		refuse(404, "NoSuchKey")
	default:
		w.Header().Set("Last-Modified", "Sat, 14 Mar 2026 15:09:26 GMT")
		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		if r.Method == http.MethodGet {
			fmt.Fprint(w, text)
		}
	}
}

func TestS3(t *testing.T) {
	srv := httptest.NewServer(store{"m": "a file", "d/a": "1", "d/b/c": "22", "d/b/d": "333", "d/e/": "", "d-other": "no", "bad/../../evil": "evil", "bad/x": ""})
	defer srv.Close()
	s := &objects.S3{Endpoint: srv.URL, AccessKey: "key", SecretKey: "secret"}
	var b strings.Builder
	if err := lineage.Print(t.Context(), s.Files(t.Context(), "bkt", "m"), &b); err != nil || b.String() != "a file" {
		t.Errorf("m is %q, %v", b.String(), err)
	}
	dir := t.TempDir()
	if err := lineage.Save(t.Context(), s.Files(t.Context(), "bkt", "d/"), filepath.Join(dir, "d")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"a": "1", "b/c": "22", "b/d": "333"} {
		if got, err := os.ReadFile(filepath.Join(dir, "d", file)); string(got) != want {
			t.Errorf("%s is %q, %v", file, got, err)
		}
	}
	if st, err := os.Stat(filepath.Join(dir, "d", "e")); err != nil || !st.IsDir() {
		t.Errorf("the empty folder: %v", err)
	}
	for name, c := range map[string]struct {
		s           *objects.S3
		bucket, key string
		want        string
	}{
		"hostile":   {s, "bkt", "bad", `"../../evil", which would be outside`},
		"nothing":   {s, "bkt", "none", "there is nothing at the artifact's URI"},
		"no bucket": {s, "other", "m", "no such bucket"},
		"denied":    {&objects.S3{Endpoint: srv.URL, AccessKey: "other", SecretKey: "secret"}, "bkt", "m", "may not read m"},
		"nobody":    {&objects.S3{Endpoint: "http://127.0.0.1:1", AccessKey: "key", SecretKey: "secret"}, "bkt", "m", "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			to := t.TempDir()
			err := lineage.Save(t.Context(), c.s.Files(t.Context(), c.bucket, c.key), filepath.Join(to, "out"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
			if strings.Contains(fmt.Sprint(err), "secret") {
				t.Errorf("the secret is in %v", err)
			}
			if left, _ := os.ReadDir(to); len(left) > 0 {
				t.Errorf("there is %v", left)
			}
		})
	}
}

func TestWeb(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "page")
	}))
	defer srv.Close()
	var b strings.Builder
	if err := lineage.Print(t.Context(), objects.Web(t.Context(), srv.URL+"/there"), &b); err != nil || b.String() != "page" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if err := lineage.Print(t.Context(), objects.Web(t.Context(), srv.URL+"/no"), &b); err == nil || !strings.Contains(err.Error(), "404 Not Found") {
		t.Errorf("got %v", err)
	}
}

// TestEqualTokens: a listing whose pages never end is an error that names the token.
func TestEqualTokens(t *testing.T) {
	n := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n > 50 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		switch q := r.URL.Query(); {
		case strings.HasPrefix(r.URL.Path, "/storage/v1/b/bkt/o/"):
			w.WriteHeader(http.StatusNotFound)
		case strings.HasPrefix(r.URL.Path, "/storage"):
			fmt.Fprint(w, `{"nextPageToken": "the<same"}`)
		case q.Has("list-type"):
			fmt.Fprint(w, `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>the&lt;same</NextContinuationToken></ListBucketResult>`)
		default:
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer srv.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", srv.URL)
	for name, files := range map[string]iter.Seq2[*lineage.File, error]{
		"S3":     (&objects.S3{Endpoint: srv.URL, AccessKey: "key", SecretKey: "secret"}).Files(t.Context(), "bkt", "d"),
		"Google": objects.GCS(t.Context(), "bkt", "d"),
	} {
		n = 0
		var err error
		for _, err = range files {
		}
		if err == nil || !strings.Contains(err.Error(), `names the page "the<same" again`) {
			t.Errorf("%s: %v after %d requests", name, err, n)
		}
	}
}

// TestForeignAnswers: a page for people is no empty bucket.
func TestForeignAnswers(t *testing.T) {
	for _, body := range []string{"<html>log in</html>", "null", "[]", `{"error": "log in"}`, ""} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, body) }))
		t.Setenv("STORAGE_EMULATOR_HOST", srv.URL)
		for _, key := range []string{"", "d"} {
			var err error
			for _, err = range objects.GCS(t.Context(), "bkt", key) {
			}
			if err == nil || !strings.Contains(err.Error(), "bucket bkt at Google: the answer is") {
				t.Errorf("%s of %q: %v", key, body, err)
			}
		}
		srv.Close()
	}
}
