package fetch_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/kfpgo/kfpgo/components/fetch"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

// archive returns a layer with files, in order.
func archive(t *testing.T, files ...string) v1.Layer {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		h := &tar.Header{Name: files[i], Typeflag: tar.TypeReg, Size: int64(len(files[i+1])), Mode: 0o644}
		if strings.HasPrefix(files[i+1], "-> ") {
			h = &tar.Header{Name: files[i], Typeflag: tar.TypeSymlink, Linkname: files[i+1][3:]}
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			io.WriteString(w, files[i+1])
		}
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("no archive")
	}
	return static.NewLayer(b.Bytes(), types.OCILayer)
}

// TestOCI fetches from a real registry, which wants a user.
func TestOCI(t *testing.T) {
	real, broken := registry.New(registry.Logger(log.New(io.Discard, "", 0))), false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/token":
			if user != "ann" || password != "pass" || r.URL.Query().Get("scope") == "" {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			fmt.Fprint(w, `{"token": "let-in"}`)
		case r.Method == "GET" && strings.Contains(r.URL.Path, "/acme/") && r.Header.Get("Authorization") != "Bearer let-in":
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+r.Host+`/token",service="registry",scope="repository:acme:pull"`)
			w.WriteHeader(http.StatusUnauthorized)
		case broken && strings.Contains(r.URL.Path, "/blobs/"):
			io.WriteString(w, "?")
		default:
			real.ServeHTTP(w, r)
		}
	}))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	push := func(img v1.Image) string {
		ref, err := name.ParseReference(host+"/open/m:1", name.Insecure)
		if err != nil {
			t.Fatal(err)
		}
		if err := remote.Write(ref, img); err != nil {
			t.Fatal(err)
		}
		d, err := img.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return host + "/open/m@" + d.String()
	}
	with := func(layers ...mutate.Addendum) v1.Image {
		img, err := mutate.Append(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layers...)
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	artifact := push(with(
		mutate.Addendum{Layer: static.NewLayer([]byte("weights"), "application/octet-stream"), Annotations: map[string]string{"org.opencontainers.image.title": "веса/model.bin"}},
		mutate.Addendum{Layer: static.NewLayer([]byte("{}"), "application/json"), Annotations: map[string]string{"org.opencontainers.image.title": "config.json"}},
	))
	image := push(with(
		mutate.Addendum{Layer: archive(t, "etc/passwd", "x", "models/old", "gone", "models/1/model", "first", "models/link", "-> /etc/passwd")},
		mutate.Addendum{Layer: archive(t, "models/.wh.old", "", "models/1/model", "second")},
	))
	away := push(with(mutate.Addendum{Layer: static.NewLayer([]byte("x"), "text/plain"), Annotations: map[string]string{"org.opencontainers.image.title": "../../x"}}))

	get := func(ref, path string) (map[string]string, error) {
		out, err := fetch.OCI.Run(t.Context(), fetch.OCIIn{Ref: dsl.Const(ref), Path: dsl.Const(path), Insecure: dsl.Const(true)})
		files := map[string]string{}
		if err == nil {
			err = filepath.Walk(out.Data.Path(), func(p string, i os.FileInfo, err error) error {
				if err == nil && i.Mode().IsRegular() {
					b, _ := os.ReadFile(p)
					rel, _ := filepath.Rel(out.Data.Path(), p)
					files[rel] = string(b)
				}
				return err
			})
		}
		return files, err
	}
	for _, tt := range []struct{ ref, path, want string }{
		{artifact, "", "map[config.json:{} веса/model.bin:weights]"},
		{image, "/models/", "map[1/model:second]"},
		{image, "", "map[etc/passwd:x models/1/model:second]"},
	} {
		if got, err := get(tt.ref, tt.path); err != nil || fmt.Sprint(got) != tt.want {
			t.Errorf("%s of %s: got %v, %v, want %s", tt.path, tt.ref, got, err, tt.want)
		}
	}
	_, err := get(image, "/data")
	tried.Fails(t, err, "there is nothing at /data in it")
	_, err = get(away, "")
	tried.Fails(t, err, `a file that is called "../../x"`)
	_, err = get(host+"/open/m@"+digest("none"), "")
	tried.Fails(t, err, "the registry answers 404")
	_, err = get(host+"/acme/m@"+digest("none"), "")
	tried.Fails(t, err, "the registry's token server answers 403")
	t.Setenv("OCI_USERNAME", "ann")
	t.Setenv("OCI_PASSWORD", "pass")
	_, err = get(host+"/acme/m@"+digest("none"), "") // let in
	tried.Fails(t, err, "the registry answers 404")
	broken = true
	_, err = get(artifact, "")
	tried.Fails(t, err, "the registry sends something with the digest "+digest("?"))
	_, err = get("ghcr.io/acme/m:1", "")
	tried.Fails(t, err, "names no digest; write ghcr.io/acme/m@sha256:")
}
