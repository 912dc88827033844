package fetch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/components/fetch"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

const text = "some data that is fetched in two parts"

func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(h[:])
}

type pipelineIn struct{ URL dsl.Param[string] }

var pipeline = dsl.Pipeline("fetched", func(s *dsl.Scope, in pipelineIn) fetch.VerifyOut {
	got := fetch.File.Call(s, fetch.FileIn{URL: in.URL, Digest: dsl.Const(digest(text))})
	return fetch.Verify.Call(s, fetch.VerifyIn{Data: got.Out.Data.Any(), Digest: dsl.Const(digest(text))}).Out
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

// TestFile: a connection that breaks is taken up where it broke.
func TestFile(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Range"))
		switch {
		case r.URL.Path == "/gone":
			http.NotFound(w, r)
		case len(asked) == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case len(asked) == 2:
			w.Header().Set("Content-Length", "38")
			io.WriteString(w, text[:10]) // and then no more
		default:
			http.ServeContent(w, r, "x", time.Time{}, strings.NewReader(text))
		}
	}))
	defer s.Close()
	out, err := fetch.File.Run(t.Context(), fetch.FileIn{URL: dsl.Const(s.URL + "/x"), Digest: dsl.Const(digest(text))})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(out.Data.Path()); err != nil || string(b) != text || out.Bytes.Get() != len(text) || out.Digest.Get() != digest(text) {
		t.Errorf("%q, %v, %d bytes", b, err, out.Bytes.Get())
	}
	if got := strings.Join(asked, ","); got != ",,bytes=10-" {
		t.Errorf("ranges %q", got)
	}
	_, err = fetch.File.Run(t.Context(), fetch.FileIn{URL: dsl.Const(s.URL + "/x"), Digest: dsl.Const(digest("other"))})
	tried.Fails(t, err, "38 bytes with the digest "+digest(text)+", and "+digest("other")+" is wanted")
	_, err = fetch.File.Run(t.Context(), fetch.FileIn{URL: dsl.Const(s.URL + "/gone"), Digest: dsl.Const("any")})
	tried.Fails(t, err, "the server answers 404")
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fetch.Verify.Run(t.Context(), fetch.VerifyIn{Data: dsl.File[dsl.Any](filepath.Join(dir, "a")), Digest: dsl.Const(digest(text))}); err != nil {
		t.Error(err)
	}
	folder := digest(digest(text) + "  a\n")
	if _, err := fetch.Verify.Run(t.Context(), fetch.VerifyIn{Data: dsl.File[dsl.Any](dir), Digest: dsl.Const(folder)}); err != nil {
		t.Error(err)
	}
	_, err := fetch.Verify.Run(t.Context(), fetch.VerifyIn{Data: dsl.File[dsl.Any](dir), Digest: dsl.Const(digest(text))})
	tried.Fails(t, err, "has the digest "+folder)
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	fetch.File.Call(s, fetch.FileIn{URL: dsl.Const("hdfs://b/x"), Digest: dsl.Const("any")})  // want "input url: .hdfs://b/x. begins with none of https://, http://, s3:// and gs://; for others use dsl.Import"
	fetch.OCI.Call(s, fetch.OCIIn{Ref: dsl.Const("ghcr.io/acme/m:1")})                        // want "input ref: ghcr.io/acme/m:1 names no digest; write ghcr.io/acme/m@sha256:"
	fetch.File.Call(s, fetch.FileIn{URL: dsl.Const("https://x"), Digest: dsl.Const("md5:1")}) // want "input digest: .md5:1. is not of the form sha256:"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "fetch_test.go", misused) }
