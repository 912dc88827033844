package kubeop

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// The tests speak to a server of their own over TLS, with the files that a pod
// has, because make test has no cluster. It keeps to what the Kubernetes API
// documents of discovery, verbs, content types and Status answers, and records
// what it was asked.
type fakeAPI struct {
	t       *testing.T
	mu      sync.Mutex
	log     []string                    // method, path and content type of each request
	objects map[string]map[string]any   // by path
	after   map[string][]map[string]any // status that an object gets, a look each
	busy    int                         // how often to say 503
	hooks   int                         // how often a webhook isn't reached
	denied  string                      // method that is forbidden
}

var discovery = map[string]string{
	"/api/v1":                             `{"resources":[{"name":"pods","kind":"Pod","namespaced":true},{"name":"pods/status","kind":"Pod","namespaced":true},{"name":"namespaces","kind":"Namespace","namespaced":false}]}`,
	"/apis/batch/v1":                      `{"resources":[{"name":"jobs/status","kind":"Job","namespaced":true},{"name":"jobs","kind":"Job","namespaced":true}]}`,
	"/apis/snapshot.storage.k8s.io/v1":    `{"resources":[{"name":"volumesnapshots","kind":"VolumeSnapshot","namespaced":true}]}`,
	"/apis/apiextensions.k8s.io/v1/extra": ``,
}

func (a *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer secret" {
		a.status(w, 401, "Unauthorized", "Unauthorized")
		return
	}
	if list, ok := discovery[r.URL.Path]; ok {
		io.WriteString(w, list)
		return
	}
	body, _ := io.ReadAll(r.Body)
	a.log = append(a.log, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Content-Type")+" "+string(body)))
	if a.busy > 0 {
		a.busy--
		a.status(w, 503, "ServiceUnavailable", "try again")
		return
	}
	if a.hooks > 0 && r.Method != "GET" {
		a.hooks--
		a.status(w, 500, "InternalError", `Internal error occurred: failed calling webhook "v.example.org": failed to call webhook: Post "https://operator.example.svc:443/validate?timeout=10s": dial tcp 10.96.13.157:443: connect: connection refused`)
		return
	}
	if r.Method == a.denied {
		a.status(w, 403, "Forbidden", `jobs.batch is forbidden: User "default" cannot create`)
		return
	}
	var sent map[string]any
	json.Unmarshal(body, &sent)
	obj := a.objects[r.URL.Path]
	switch r.Method {
	case "POST":
		name, _ := textAt(sent, "metadata", "name")
		if prefix, ok := textAt(sent, "metadata", "generateName"); ok {
			name = prefix + "x1"
			sent["metadata"].(map[string]any)["name"] = name
		}
		path := r.URL.Path + "/" + name
		if a.objects[path] != nil {
			a.status(w, 409, "AlreadyExists", "it exists already")
			return
		}
		a.objects[path], obj = sent, sent
	case "PATCH":
		if obj == nil && strings.Contains(r.Header.Get("Content-Type"), "merge") {
			a.status(w, 404, "NotFound", "not found")
			return
		}
		a.objects[r.URL.Path], obj = sent, sent
	case "DELETE":
		if obj == nil {
			a.status(w, 404, "NotFound", "not found")
			return
		}
		delete(a.objects, r.URL.Path)
	case "GET":
		if obj == nil {
			a.status(w, 404, "NotFound", "not found")
			return
		}
		if next := a.after[r.URL.Path]; len(next) > 0 {
			obj["status"] = next[0]
			a.after[r.URL.Path] = next[1:]
		}
	}
	json.NewEncoder(w).Encode(obj)
}

func (a *fakeAPI) status(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","reason":%q,"message":%q,"code":%d}`, reason, message, code)
}

func init() { Speed = 20 } // an object changes when somebody looks

func newAPI(t *testing.T) (*fakeAPI, *client) {
	api := &fakeAPI{t: t, objects: map[string]map[string]any{}, after: map[string][]map[string]any{}}
	s := httptest.NewTLSServer(api)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	for name, b := range map[string][]byte{"ca.crt": ca, "token": []byte("secret\n"), "namespace": []byte("team-a")} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	k, err := inCluster(env(map[string]string{"KUBERNETES_SERVICE_HOST": u.Hostname(), "KUBERNETES_SERVICE_PORT": u.Port(), "HOSTNAME": "me"}), dir)
	if err != nil {
		t.Fatal(err)
	}
	return api, k
}

func env(m map[string]string) func(string) string { return func(k string) string { return m[k] } }

func component(action, manifest, success, failure string, outputs ...graph.Field) *record.Component {
	c := &record.Component{}
	c.Name = "op"
	c.Resource = &graph.ResourceSpec{Action: action, Manifest: manifest, Success: success, Failure: failure}
	c.Outputs = outputs
	return c
}

func input(name string) string { return "{{$.inputs.parameters['" + name + "']}}" }

func object(j string) map[string]any {
	v, err := decode([]byte(j))
	if err != nil {
		panic(err)
	}
	return v.(map[string]any)
}

const job = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: "

func TestCreateAndWait(t *testing.T) {
	api, k := newAPI(t)
	const path = "/apis/batch/v1/namespaces/team-a/jobs/train-x1"
	api.after[path] = []map[string]any{object(`{}`), object(`{"succeeded":1,"uid":12345678901234567890}`)}
	c := component("create", "apiVersion: batch/v1\nkind: Job\nmetadata:\n  generateName: \""+input("name")+"-\"\nspec:\n  parallelism: "+input("n")+"\n",
		"status.succeeded > 0", "status.failed > 3",
		graph.Field{Name: "name", Type: graph.Type{Name: "STRING"}, JSONPath: "{.metadata.name}"},
		graph.Field{Name: "count", Type: graph.Type{Name: "NUMBER_INTEGER"}, JSONPath: "{.status.succeeded}"},
		graph.Field{Name: "big", Type: graph.Type{Name: "STRING"}, JSONPath: "{.status.uid}"},
		graph.Field{Name: "none", Type: graph.Type{Name: "STRING"}, Optional: true, JSONPath: "{.status.none}"})
	out, err := k.operate(t.Context(), c, map[string]json.RawMessage{"name": json.RawMessage(`"train"`), "n": json.RawMessage(`9007199254740993`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(out), `{"big":"12345678901234567890","count":1,"name":"train-x1"}`; got != want {
		t.Errorf("outputs %s, want %s", got, want)
	}
	want := []string{
		`POST /apis/batch/v1/namespaces/team-a/jobs?fieldManager=kfpgo&fieldValidation=Strict application/json {"apiVersion":"batch/v1","kind":"Job","metadata":{"generateName":"train-"},"spec":{"parallelism":9007199254740993}}`,
		"GET " + path, "GET " + path,
	}
	if strings.Join(api.log, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(api.log, "\n"), strings.Join(want, "\n"))
	}
}

func TestVerbs(t *testing.T) {
	const at = "/apis/batch/v1/namespaces/team-a/jobs/a"
	for _, tt := range []struct{ action, manifest, want string }{
		{"apply", job + "a", "PATCH " + at + `?fieldManager=kfpgo&fieldValidation=Strict&force=true application/apply-patch+yaml {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"}}`},
		{"patch", job + "a", "PATCH " + at + `?fieldManager=kfpgo&fieldValidation=Strict application/merge-patch+json {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"}}`},
		{"delete", job + "a", "DELETE " + at + "?propagationPolicy=Background\nGET " + at},
		{"apply", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, namespace: other}", "PATCH /apis/batch/v1/namespaces/other/jobs/a"},
		{"apply", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}", "PATCH /api/v1/namespaces/a"},
	} {
		api, k := newAPI(t)
		api.objects[at] = object(`{"metadata":{"name":"a","uid":"1"}}`)
		api.busy = 1 // tried again
		if _, err := k.operate(t.Context(), component(tt.action, tt.manifest, "", ""), nil); err != nil {
			t.Errorf("%s: %v", tt.action, err)
			continue
		}
		if got := strings.Join(api.log[1:], "\n"); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.action, got, tt.want)
		}
	}
}

type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result(), nil
}

// TestWebhook: nothing was made while the webhook of an operator wasn't there, so it is asked again, for a minute.
func TestWebhook(t *testing.T) {
	for _, action := range []string{"create", "apply", "patch", "delete"} {
		for hooks, want := range map[int]string{webhookTries - 1: "", webhookTries: "failed to call webhook"} {
			api, k := newAPI(t)
			k.http = &http.Client{Transport: inProcess{api}} // since a bubble's clock waits for a network
			synctest.Test(t, func(t *testing.T) {
				api.objects["/apis/batch/v1/namespaces/team-a/jobs/a"] = object(`{"metadata":{"name":"a","uid":"1"}}`)
				api.hooks = hooks
				name := "a"
				if action == "create" {
					name = "b"
				}
				_, err := k.operate(t.Context(), component(action, job+name, "", ""), nil)
				if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s, %d times: got %v, want %q", action, hooks, err, want)
				}
			})
		}
	}
}

func TestDeleteMissing(t *testing.T) {
	_, k := newAPI(t)
	if _, err := k.operate(t.Context(), component("delete", job+"gone", "", ""), nil); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	name := graph.Field{Name: "host", Type: graph.Type{Name: "STRING"}, JSONPath: "{.status.host}"}
	number := graph.Field{Name: "n", Type: graph.Type{Name: "NUMBER_INTEGER", Go: "int"}, JSONPath: "{.metadata.name}"}
	for _, tt := range []struct {
		c    *record.Component
		want string
	}{
		{component("create", job+"taken", "", ""), "can't create Job taken in namespace team-a: AlreadyExists: it exists already"},
		{component("patch", job+"missing", "", ""), "can't patch Job missing in namespace team-a: NotFound: not found"},
		{component("apply", "apiVersion: batch/v1\nkind: Job", "", ""), "the manifest has no metadata.name"},
		{component("delete", "apiVersion: batch/v1\nkind: Job", "", ""), "the manifest has no metadata.name"},
		{component("apply", "apiVersion: batch/v1\nkind: Jib\nmetadata: {name: a}", "", ""), "the cluster has no kind Jib in batch/v1"},
		{component("apply", "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {name: a}", "", ""), "the cluster has no API ray.io/v1, which the RayJob"},
		{component("apply", "kind: Job", "", ""), "no apiVersion"},
		{component("apply", "apiVersion: v1", "", ""), "no kind"},
		{component("apply", "", "", ""), "manifest: it is empty"},
		{component("apply", "just text", "", ""), "it is not an object"},
		{component("apply", job+"a\n---\n"+job+"b", "", ""), "several documents"},
		{component("apply", "a: b: c", "", ""), "manifest: yaml:"},
		{component("apply", job+"a", "", "", name), "output host: the object has nothing at {.status.host}"},
		{component("apply", job+"a", "", "", number), `output n: {.metadata.name} is "a", which is not of type int`},
		{component("apply", job+"a", "status.done ~ 3", ""), "success condition"},
		{component("apply", job+"a", "status.n > many", ""), "> takes a number"},
		{component("apply", job+"bad", "status.ok", "status.failed > 3"), "Job bad in namespace team-a has failed: status.failed > 3; out of memory"},
		{component("replace", job+"a", "", ""), `no action "replace"`},
	} {
		api, k := newAPI(t)
		api.objects["/apis/batch/v1/namespaces/team-a/jobs/taken"] = object(`{}`)
		api.after["/apis/batch/v1/namespaces/team-a/jobs/bad"] = []map[string]any{object(`{"failed":4,"message":"out of memory"}`)}
		if _, err := k.operate(t.Context(), tt.c, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: got %v, want %s", tt.c.Resource.Action, tt.c.Resource.Manifest, err, tt.want)
		}
	}
	api, k := newAPI(t)
	api.denied = "POST"
	_, err := k.operate(t.Context(), component("create", job+"a", "", ""), nil)
	if want := `can't create Job a in namespace team-a: Forbidden: jobs.batch is forbidden: User "default" cannot create (give the service account of the pipeline's pods a Role that allows it)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCancel(t *testing.T) {
	_, k := newAPI(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := k.operate(ctx, component("apply", job+"slow", "status.succeeded > 0", ""), nil)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "waiting for status.succeeded > 0 of Job slow") {
		t.Errorf("got %v", err)
	}
}

func TestImage(t *testing.T) {
	api, k := newAPI(t)
	api.objects["/api/v1/namespaces/team-a/pods/me"] = object(`{"spec":{"containers":[{"name":"wait","image":"no"},{"name":"main","image":"ghcr.io/acme/app:1"}]}}`)
	c := component("apply", job+"a\nspec: {image: \"{{kfpgo.program-image}}\"}", "", "")
	if _, err := k.operate(t.Context(), c, nil); err != nil || !strings.Contains(api.log[1], `"image":"ghcr.io/acme/app:1"`) {
		t.Errorf("got %v, %q", err, api.log)
	}
	k.getenv = env(map[string]string{"KFPGO_IMAGE": "set:2"})
	if _, err := k.operate(t.Context(), c, nil); err != nil || !strings.Contains(api.log[2], `"image":"set:2"`) {
		t.Errorf("got %v, %q", err, api.log)
	}
}

func TestNotInCluster(t *testing.T) {
	if _, err := inCluster(env(nil), "/none"); err == nil || !strings.Contains(err.Error(), "not in a cluster") {
		t.Error(err)
	}
	in := env(map[string]string{"KUBERNETES_SERVICE_HOST": "h", "KUBERNETES_SERVICE_PORT": "1"})
	if _, err := inCluster(in, t.TempDir()); err == nil || !strings.Contains(err.Error(), "no service account") {
		t.Error(err)
	}
}
