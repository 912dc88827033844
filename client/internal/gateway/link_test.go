package gateway

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/rest"
)

// TestOver: a server of Kubernetes with a certificate of its own is reached with the authority or without checks, and
// through the proxy.
func TestOver(t *testing.T) {
	api := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "api") }))
	api.Config.ErrorLog = log.New(io.Discard, "", 0) // a client that doesn't trust it is meant
	api.StartTLS()
	defer api.Close()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "proxy to "+r.URL.Host) }))
	defer proxy.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		host, want string
		link       Link
	}{
		"nothing":   {host: api.URL},
		"authority": {host: api.URL, link: Link{CA: ca}, want: "api"},
		"insecure":  {host: api.URL, link: Link{Insecure: true}, want: "api"},
		"proxy":     {host: "http://cluster.example", link: Link{Proxy: proxy.URL}, want: "proxy to cluster.example"},
	} {
		t.Run(name, func(t *testing.T) {
			conf := &rest.Config{Host: c.host}
			if err := c.link.Over(conf); err != nil {
				t.Fatal(err)
			}
			h, err := rest.HTTPClientFor(conf)
			if err != nil {
				t.Fatal(err)
			}
			res, err := h.Get(c.host)
			if (err == nil) != (c.want != "") {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if err == nil {
				defer res.Body.Close()
				if got, _ := io.ReadAll(res.Body); string(got) != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}
