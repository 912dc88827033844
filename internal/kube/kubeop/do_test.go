package kubeop

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestEvents: the last events of an object are told once each, the newest last.
func TestEvents(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if want := "involvedObject.kind=Job,involvedObject.name=a"; r.URL.Query().Get("fieldSelector") != want {
			t.Errorf("asked for %q", r.URL.Query())
		}
		var items []string
		for _, e := range []string{"03 C", "01 A", "02 B", "04 A", "05 D", "06 E", "07 F"} {
			at, msg, _ := strings.Cut(e, " ")
			items = append(items, `{"type": "Normal", "reason": "R", "message": "`+msg+`", "lastTimestamp": "2026-01-`+at+`T00:00:00Z"}`)
		}
		w.Write([]byte(`{"items": [` + strings.Join(items, ",") + `]}`))
	}))
	defer s.Close()
	k := &client{http: s.Client(), base: s.URL, namespace: "team-a"}
	got := k.events(t.Context(), &location{kind: "Job", name: "a"})
	if want := "\n  event Normal R: C\n  event Normal R: A\n  event Normal R: D\n  event Normal R: E\n  event Normal R: F"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPlain: what Go's types of Kubernetes write of nothing is left out.
func TestPlain(t *testing.T) {
	type meta struct {
		Name              string  `json:"name"`
		CreationTimestamp *string `json:"creationTimestamp"`
	}
	got, err := Manifest(struct {
		Metadata meta           `json:"metadata"`
		Status   map[string]any `json:"status"`
	}{meta{Name: "a"}, map[string]any{"loadBalancer": map[string]any{}}})
	if err != nil || text(got) != `{"metadata":{"name":"a"}}` {
		t.Errorf("got %s, %v", text(got), err)
	}
	if _, err := Manifest([]int{1}); err == nil {
		t.Error("a list is no object")
	}
}

func TestKubeconfig(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{"gone": "KUBECONFIG: open", "exec": "gets its credentials from a program", "none": `no cluster for the context "x"`} {
		_, err := fromKubeconfig(write(t, dir, name), env(nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// write writes a kubeconfig with what the name says, and returns its path.
func write(t *testing.T, dir, name string) string {
	path := filepath.Join(dir, name)
	text := map[string]string{
		"exec": "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: https://x}}]\nusers: [{name: u, user: {exec: {command: login}}}]\n",
		"none": "current-context: x\n",
	}[name]
	if text != "" {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestGone: how a pod failed is told, though an operator has deleted it since.
func TestGone(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"items": []}`)) }))
	defer s.Close()
	k := &client{http: s.Client(), base: s.URL, namespace: "team-a"}
	var seen sync.Map
	for _, p := range []string{
		`{"metadata":{"name":"w-0"},"status":{"phase":"Running"}}`,
		`{"metadata":{"name":"w-1"},"status":{"phase":"Failed","containerStatuses":[{"name":"main","state":{"terminated":{"exitCode":3,"reason":"Error"}}}]}}`,
		`{"metadata":{"name":"w-1"},"status":{"phase":"Failed","containerStatuses":[{"name":"main","state":{"terminated":{"exitCode":137,"reason":"Error"}}}]}}`,
		`{"metadata":{"name":"w-2"},"status":{"phase":"Running","containerStatuses":[{"name":"main","state":{"running":{}},"lastState":{"terminated":{"exitCode":4,"reason":"Error"}}}]}}`,
	} {
		note(&seen, object(p))
	}
	if got, want := k.troubles("team-a", "a=b", &seen), "\n  pod w-1, which is gone: container main: Error, exit code 3\n  pod w-2, which is gone: container main: Error, exit code 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
