// Package kubefake is a Kubernetes API for tests of ready-made components: it
// keeps objects in memory, gives them the states that a test says, and records
// what was done. It has no rules of its own; the real API is in test/k8s.
package kubefake

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Cluster is such an API.
type Cluster struct {
	// States are the statuses that an object of a kind gets, one a look; the
	// last one stays. An object that gets nil is deleted.
	States map[string][]map[string]any

	// Kinds that belong to no namespace, and those that the API lacks.
	ClusterKinds, Missing []string

	Pods   []map[string]any  // that each list of pods finds
	Logs   map[string]string // by pod
	Events []map[string]any  // of anything

	mu      sync.Mutex
	objects map[string]map[string]any
	looks   map[string]int
	done    []string
	kinds   map[string]string // by plural
	sent    []json.RawMessage
}

// Sent returns the objects that were created and applied, as JSON, in order.
func (c *Cluster) Sent() []json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.sent)
}

// Start starts the API and makes it the one that KUBECONFIG names.
func (c *Cluster) Start(t *testing.T) *Cluster {
	t.Helper()
	c.objects, c.looks, c.kinds = map[string]map[string]any{}, map[string]int{}, map[string]string{}
	s := httptest.NewTLSServer(c)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	config := fmt.Sprintf("current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u, namespace: team-a}}]\n"+
		"clusters: [{name: c, cluster: {server: %q, certificate-authority: ca.crt}}]\nusers: [{name: u, user: {token: secret}}]\n", s.URL)
	for name, b := range map[string]string{"ca.crt": string(ca), "config": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBECONFIG", filepath.Join(dir, "config"))
	return c
}

// Done returns what was done: create Job train, apply Service x, delete Job train.
func (c *Cluster) Done() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.done)
}

// Objects returns what is in the cluster, by kind and name.
func (c *Cluster) Objects() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for path := range c.objects {
		parts := strings.Split(path, "/")
		names = append(names, c.kinds[parts[len(parts)-2]]+" "+parts[len(parts)-1])
	}
	slices.Sort(names)
	return names
}

// Put adds an object that was there before.
func (c *Cluster) Put(path, kind string, obj map[string]any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds[strings.Split(path, "/")[len(strings.Split(path, "/"))-2]] = kind
	c.objects[path] = obj
}

func plural(kind string) string {
	if strings.HasSuffix(kind, "che") || !strings.HasSuffix(kind, "s") {
		return strings.ToLower(kind) + "s"
	}
	return strings.ToLower(kind) + "es"
}

// discovered are the kinds that each API version has.
var discovered = []string{
	"Pod", "Job", "Service", "Deployment", "ConfigMap", "PersistentVolume", "PersistentVolumeClaim", "Queue", "TFJob", "PyTorchJob", "TrainJob",
	"InferenceService", "SeldonDeployment", "ImageCache", "Secret", "DaemonSet",
}

func (c *Cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) == 2, parts[0] == "apis" && len(parts) == 3:
		c.discover(w)
	case parts[len(parts)-1] == "log":
		fmt.Fprint(w, c.Logs[parts[len(parts)-2]])
	case r.Method == "GET" && parts[len(parts)-1] == "events":
		list(w, c.Events)
	case r.Method == "GET" && parts[len(parts)-1] == "pods":
		list(w, c.Pods)
	default:
		c.object(w, r)
	}
}

func (c *Cluster) discover(w http.ResponseWriter) {
	var all []map[string]any
	for _, kind := range discovered {
		if slices.Contains(c.Missing, kind) {
			continue
		}
		c.kinds[plural(kind)] = kind
		all = append(all, map[string]any{"name": plural(kind), "kind": kind, "namespaced": !slices.Contains(c.ClusterKinds, kind)})
	}
	answer(w, map[string]any{"resources": all})
}

func (c *Cluster) object(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	var sent map[string]any
	if r.Method == "POST" || r.Method == "PATCH" {
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			status(w, 400, "BadRequest", err.Error())
			return
		}
		j, err := json.Marshal(sent)
		if err != nil {
			panic(err)
		}
		c.sent = append(c.sent, j)
	}
	verb := map[string]string{"POST": "create", "PATCH": "apply", "DELETE": "delete"}[r.Method]
	if r.Method == "POST" {
		meta := sent["metadata"].(map[string]any)
		if prefix, ok := meta["generateName"].(string); ok {
			meta["name"] = prefix + "x1"
		}
		path += "/" + meta["name"].(string)
	}
	parts := strings.Split(path, "/")
	kind, name := c.kinds[parts[len(parts)-2]], parts[len(parts)-1]
	if verb != "" {
		c.done = append(c.done, verb+" "+kind+" "+name)
	}
	obj := c.objects[path]
	switch r.Method {
	case "POST", "PATCH":
		if i := slices.Index(parts, "namespaces"); i >= 0 {
			sent["metadata"].(map[string]any)["namespace"] = parts[i+1]
		}
		c.objects[path], obj = sent, sent
	case "GET":
		if states := c.States[kind]; obj != nil && len(states) > 0 {
			i := min(c.looks[path], len(states)-1)
			c.looks[path]++
			if states[i] == nil {
				delete(c.objects, path)
				obj = nil
				break
			}
			obj["status"] = states[i]
		}
	case "DELETE":
		delete(c.objects, path)
	}
	if obj == nil {
		status(w, 404, "NotFound", kind+" "+name+" not found")
		return
	}
	answer(w, obj)
}

func list(w http.ResponseWriter, items []map[string]any) { answer(w, map[string]any{"items": items}) }

func answer(w http.ResponseWriter, v any) {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}

func status(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	answer(w, map[string]any{"kind": "Status", "code": code, "reason": reason, "message": message})
}
