package fetch

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// TestTokenServers: the password of a registry goes to no token server by plain http,
// where the registry is reached by https.
func TestTokenServers(t *testing.T) {
	var mu sync.Mutex
	sent := ""
	plain := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent += r.Header.Get("Authorization")
	}))
	defer plain.Close()
	for _, realm := range []string{plain.URL, "file:///etc/passwd", "", "//host/token"} {
		s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="%s",service="x"`, realm))
			w.WriteHeader(http.StatusUnauthorized)
		}))
		c := web.Client(s.Client().Transport, 0)
		r := &registry{base: s.URL + "/v2/x", client: c, user: "me", password: "s3cret"}
		_, err := r.manifest(t.Context(), "sha256:"+strings.Repeat("0", 64), "linux/amd64", 0)
		if err == nil || !strings.Contains(err.Error(), "token server") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", realm, err)
		}
		s.Close()
	}
	mu.Lock()
	defer mu.Unlock()
	if sent != "" {
		t.Errorf("%s was sent by http", sent)
	}
}

// TestRedirects: a credential stays at its server when a file is somewhere else.
func TestRedirects(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		var got http.Header
		store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Clone()
			fmt.Fprint(w, "content")
		}))
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, store.URL+"/x", status) }))
		f, err := os.Create(filepath.Join(t.TempDir(), "f"))
		if err != nil {
			t.Fatal(err)
		}
		d := &download{place: place{s.URL + "/x?token=s3cret", func(r *http.Request) error {
			r.Header.Set("Authorization", "Bearer s3cret")
			r.Header.Set("X-Amz-Security-Token", "s3cret")
			return nil
		}}, to: f, sum: sha256.New(), client: web.Client(nil, 0)}
		if _, err := d.more(t.Context()); err != nil || d.size != 7 {
			t.Errorf("%d: %d bytes, %v", status, d.size, err)
		}
		f.Close()
		if strings.Contains(fmt.Sprint(got), "s3cret") {
			t.Errorf("%d: another server got %v", status, got)
		}
		s.Close()
		store.Close()
	}
}

// TestIndexes: indexes that lead from one to the next end.
func TestIndexes(t *testing.T) {
	all := map[string]string{}
	last := `{"layers": []}`
	digest := func(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
	for range 20 {
		all[digest(last)] = last
		last = fmt.Sprintf(`{"manifests": [{"digest": "%s", "platform": {"os": "linux", "architecture": "amd64"}}]}`, digest(last))
	}
	all[digest(last)] = last
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		fmt.Fprint(w, all[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]])
	}))
	defer s.Close()
	r := &registry{base: s.URL + "/v2/x", client: web.Client(nil, 0)}
	if _, err := r.manifest(t.Context(), digest(last), "linux/amd64", 0); err == nil || !strings.Contains(err.Error(), "more than 4 indexes") || n > 6 {
		t.Errorf("%d requests, %v", n, err)
	}
}

// TestEndlessLayer: of a layer no more is read than the manifest says that there is.
func TestEndlessLayer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	r := &registry{base: s.URL, client: web.Client(nil, 0)}
	u := &unpacking{to: t.TempDir()}
	l := descriptor{Digest: "sha256:x", Size: 1000, Annotations: map[string]string{"org.opencontainers.image.title": "model"}}
	if err := r.layer(t.Context(), l, u); err == nil || !strings.Contains(err.Error(), "more than the 1000 bytes") || u.bytes > 1001 {
		t.Errorf("%d bytes, %v", u.bytes, err)
	}
}
