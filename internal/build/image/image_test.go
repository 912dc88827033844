package image_test

import (
	"archive/tar"
	"context"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/kfpgo/kfpgo/internal/build/image"
)

var amd64 = v1.Platform{OS: "linux", Architecture: "amd64"}
var arm64 = v1.Platform{OS: "linux", Architecture: "arm64"}

func executable(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

func server(t *testing.T) (host string) {
	t.Helper()
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func build(t *testing.T, o image.Options, programs ...image.Program) *image.Image {
	t.Helper()
	img, err := image.Build(t.Context(), programs, o)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func pull(t *testing.T, ref string) v1.Image {
	t.Helper()
	r, err := name.ParseReference(ref)
	if err != nil {
		t.Fatal(err)
	}
	img, err := remote.Image(r)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// files returns the files of an image, by name.
func files(t *testing.T, img v1.Image) map[string]*tar.Header {
	t.Helper()
	all := map[string]*tar.Header{}
	r := mutate.Extract(img)
	defer r.Close()
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all[h.Name] = h
		if h.Name == "etc/ssl/certs/ca-certificates.crt" {
			text, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			if pool := x509.NewCertPool(); !pool.AppendCertsFromPEM(text) || strings.Count(string(text), "BEGIN") < 50 {
				t.Error("no certificates")
			}
		}
	}
}

// TestPush pushes to a registry and finds there what a step needs.
func TestPush(t *testing.T) {
	var seen []image.Progress
	img := build(t, image.Options{Labels: map[string]string{"team": "ml"}}, image.Program{Platform: amd64, File: executable(t, "#!program")})
	ref, err := img.Push(t.Context(), server(t)+"/calc:1", image.Remote{Progress: func(p image.Progress) { seen = append(seen, p) }})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(ref, "/calc@"+img.Digest()) {
		t.Errorf("pushed %s", ref)
	}
	if len(seen) == 0 || seen[len(seen)-1].Done < img.Size() {
		t.Errorf("progress %v of %d bytes", seen, img.Size())
	}
	got := pull(t, ref)
	c, err := got.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c.Config.Entrypoint[0] != "/app" || c.Config.User != "65532:65532" || c.Config.Labels["team"] != "ml" || c.Architecture != "amd64" || c.OS != "linux" {
		t.Errorf("%+v", c)
	}
	all := files(t, got)
	for name, mode := range map[string]int64{"app": 0o755, "tmp/": 0o1777, "gcs/": 0o1777, "minio/": 0o1777, "s3/": 0o1777, "etc/passwd": 0o644, "etc/ssl/certs/ca-certificates.crt": 0o644, "home/nonroot/": 0o700} {
		if h := all[strings.TrimSuffix(name, "/")]; h == nil {
			if h = all[name]; h == nil || h.Mode != mode {
				t.Errorf("%s: %+v", name, h)
			}
		} else if h.Mode != mode {
			t.Errorf("%s: mode %o", name, h.Mode)
		}
	}
}

// TestSame makes one program's image twice, from files in different places.
func TestSame(t *testing.T) {
	one := build(t, image.Options{}, image.Program{Platform: amd64, File: executable(t, "same")})
	two := build(t, image.Options{}, image.Program{Platform: amd64, File: executable(t, "same")})
	other := build(t, image.Options{}, image.Program{Platform: amd64, File: executable(t, "other")})
	if one.Digest() != two.Digest() || one.Digest() == other.Digest() {
		t.Errorf("%s, %s and %s", one.Digest(), two.Digest(), other.Digest())
	}
}

// TestBase puts two platforms on a base that has both.
func TestBase(t *testing.T) {
	host := server(t)
	base := build(t, image.Options{User: "0"}, image.Program{Platform: amd64, File: executable(t, "x")}, image.Program{Platform: arm64, File: executable(t, "y")})
	if _, err := base.Push(t.Context(), host+"/base:1", image.Remote{}); err != nil {
		t.Fatal(err)
	}
	programs := []image.Program{{Platform: amd64, File: executable(t, "amd")}, {Platform: arm64, File: executable(t, "arm")}}
	img := build(t, image.Options{Base: host + "/base:1"}, programs...)
	ref, err := img.Push(t.Context(), host+"/mnist", image.Remote{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := name.ParseReference(ref)
	for _, p := range []v1.Platform{amd64, arm64} {
		one, err := remote.Image(r, remote.WithPlatform(p))
		if err != nil {
			t.Fatal(err)
		}
		layers, err := one.Layers()
		if err != nil || len(layers) != 3 {
			t.Errorf("%s: %d layers, %v", &p, len(layers), err)
		}
		if h := files(t, one)["app"]; h == nil || h.Size != 3 {
			t.Errorf("%s: %+v", &p, h)
		}
	}
	_, err = image.Build(t.Context(), []image.Program{{Platform: v1.Platform{OS: "linux", Architecture: "s390x"}, File: executable(t, "z")}}, image.Options{Base: host + "/base:1"})
	if err == nil || !strings.Contains(err.Error(), "no image for linux/s390x") {
		t.Error(err)
	}
}

// TestSave writes an image as a file and as a folder.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	img := build(t, image.Options{}, image.Program{Platform: amd64, File: executable(t, "x")})
	file := filepath.Join(dir, "x.tar")
	if err := img.Tar(file, "calc:1"); err != nil {
		t.Fatal(err)
	}
	got, err := tarball.ImageFromPath(file, nil)
	if err != nil || files(t, got)["app"] == nil {
		t.Errorf("%v, %v", got, err)
	}
	layout := filepath.Join(dir, "layout")
	if err := img.Layout(layout); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(layout, "index.json")); err != nil || !strings.Contains(string(b), img.Digest()) {
		t.Errorf("%s, %v", b, err)
	}
	if err := img.Layout(layout); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Error(err)
	}
	both := build(t, image.Options{}, image.Program{Platform: amd64, File: executable(t, "x")}, image.Program{Platform: arm64, File: executable(t, "y")})
	if err := both.Tar(file, "calc:1"); err == nil || !strings.Contains(err.Error(), "one platform") {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestRefused says what to do where a registry refuses or isn't there.
func TestRefused(t *testing.T) {
	img := build(t, image.Options{}, image.Program{Platform: amd64, File: executable(t, "x")})
	s := httptest.NewServer(refuse(401))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	answers := func(h http.Handler) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	silent := answers(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}))
	for _, c := range []struct {
		ctx       context.Context
		ref, want string
	}{
		{t.Context(), host + "/x:1", "log in first: docker login " + host},
		{t.Context(), answers(refuse(403)) + "/x:1", "the account that is logged in may not do that"},
		{t.Context(), answers(refuse(503)) + "/x:1", "the registry is out of order"},
		{t.Context(), silent + "/x:1", silent + " takes connections and doesn't answer"},
		{t.Context(), "localhost:1/x:1", "nothing answers at localhost:1"},
		{t.Context(), "UPPER/x:1", "is not the reference of an image"},
		{t.Context(), host + "/x@" + img.Digest(), "push to a tag"},
		{ctx, host + "/x:1", "context canceled"},
	} {
		if _, err := img.Push(c.ctx, c.ref, image.Remote{Keychain: authn.NewMultiKeychain(), Silence: 100 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.ref, err, c.want)
		}
	}
}
