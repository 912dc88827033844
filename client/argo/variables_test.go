package argo

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVariables: an error about a value that a variable of the environment has
// names the variable.
func TestVariables(t *testing.T) {
	for _, tt := range []struct{ variable, bad string }{
		{"ARGO_SERVER", "::bad"}, {"KFPGO_CONTEXT", "nope"}, {"KFPGO_CONFIG", t.TempDir()}, {"KFPGO_CA", "/nonexistent"},
		{"KFPGO_TOKEN", "a\nb"}, {"ARGO_TOKEN", "a\nb"},
	} {
		t.Run(tt.variable, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			for _, unset := range []string{"KUBECONFIG", "KFPGO_CONTEXT", "KFPGO_CA", "KFPGO_TOKEN", "ARGO_TOKEN"} {
				t.Setenv(unset, "")
			}
			t.Setenv("KFPGO_CONFIG", filepath.Join(t.TempDir(), "config.yaml"))
			t.Setenv("ARGO_SERVER", "127.0.0.1:1")
			t.Setenv(tt.variable, tt.bad)
			o, err := FromContext("")
			if err == nil {
				_, err = Connect(o)
			}
			if err == nil || !strings.Contains(err.Error(), tt.variable) {
				t.Errorf("%s=%q: %v", tt.variable, tt.bad, err)
			}
		})
	}
}

// TestProxyToCluster: a cluster of a kubeconfig is reached through the proxy that is given beside it.
func TestProxyToCluster(t *testing.T) {
	asked := make(chan string, 9)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r.URL.Host:
		default:
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(kubeconfig, []byte("apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: a}}]\nclusters: [{name: a, cluster: {server: 'http://cluster.example'}}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Connect(Config{Kubeconfig: kubeconfig, Proxy: proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Health(t.Context()); err == nil {
		t.Error("what the proxy refuses is healthy")
	}
	select {
	case host := <-asked:
		if host != "cluster.example" {
			t.Errorf("the proxy is asked for %s", host)
		}
	default:
		t.Error("the proxy isn't asked")
	}
}
