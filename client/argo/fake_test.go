package argo

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
)

func TestMain(m *testing.M) {
	os.Setenv("KFPGO_CONFIG", "/nonexistent") // not the user's own
	gateway.Speed = 20
	os.Exit(m.Run())
}

// A fake is as much of the API of Kubernetes as the client uses: objects by path.
type fake struct {
	URL string

	mu      sync.Mutex
	objects map[string]map[string]any
	version int
	calls   []string
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{objects: map[string]map[string]any{}}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	f.URL = s.URL
	return f
}

// connected returns a client of a server.
func connected(t *testing.T, url string, timeout time.Duration) *Client {
	t.Helper()
	c, err := Connect(Config{Endpoint: url, Namespace: "ml", Token: "secret", Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (f *fake) count(kind string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for path := range f.objects {
		if strings.Contains(path, "/"+kind+"/") {
			n++
		}
	}
	return n
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, r.Method+" "+r.URL.Path)
	status := func(code int, reason string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"kind":"Status","message":"%s: %s","reason":"%s"}`, r.URL.Path, reason, reason)
	}
	answer := func(v any) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	}
	if r.Header.Get("Authorization") != "Bearer secret" {
		status(401, "Unauthorized")
		return
	}
	path := r.URL.Path
	body := map[string]any{}
	if r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH" {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			status(400, "BadRequest")
			return
		}
	}
	store := func(path string, o map[string]any) {
		f.version++
		o["metadata"].(map[string]any)["resourceVersion"] = fmt.Sprint(f.version)
		f.objects[path] = o
		answer(o)
	}
	if r.Method == "POST" {
		meta := body["metadata"].(map[string]any)
		path += "/" + meta["name"].(string)
		if f.objects[path] != nil {
			status(409, "AlreadyExists")
			return
		}
		meta["creationTimestamp"] = time.Now().UTC().Format(time.RFC3339)
		store(path, body)
		return
	}
	if r.Method == "GET" && strings.HasSuffix(path, "s") && f.objects[path] == nil && strings.Count(path, "/") < 7 {
		items := []any{}
		selector := r.URL.Query().Get("labelSelector")
		for _, at := range slices.Sorted(maps.Keys(f.objects)) {
			labels, _ := f.objects[at]["metadata"].(map[string]any)["labels"].(map[string]any)
			key, value, _ := strings.Cut(selector, "=")
			if strings.HasPrefix(at, path+"/") && (selector == "" || labels[key] == value) {
				items = append(items, f.objects[at])
			}
		}
		answer(map[string]any{"items": items})
		return
	}
	o := f.objects[path]
	if o == nil {
		status(404, "NotFound")
		return
	}
	switch r.Method {
	case "GET":
		answer(o)
	case "PUT":
		if v := body["metadata"].(map[string]any)["resourceVersion"]; v != nil && v != o["metadata"].(map[string]any)["resourceVersion"] {
			status(409, "Conflict")
			return
		}
		store(path, body)
	case "PATCH":
		merge(o, body)
		store(path, o)
	case "DELETE":
		delete(f.objects, path)
		answer(map[string]any{"kind": "Status"})
	}
}

// merge is a merge patch of JSON.
func merge(to, from map[string]any) {
	for k, v := range from {
		sub, isMap := v.(map[string]any)
		old, wasMap := to[k].(map[string]any)
		switch {
		case v == nil:
			delete(to, k)
		case isMap && wasMap:
			merge(old, sub)
		default:
			to[k] = v
		}
	}
}
