// Package fakekfp is a KFP API server in memory, for tests that need no real one. It
// knows what the client sends and no more; test/kfp has the real server.
package fakekfp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

type object = map[string]any

// A Server is one that runs.
type Server struct {
	URL string
	// State is what becomes of runs when they are looked at; empty: SUCCEEDED.
	State string
	// Version is that which its health has.
	Version string

	mu       sync.Mutex
	first    []func(w http.ResponseWriter, r *http.Request) bool
	n        int
	objects  map[string][]object // by noun
	requests []string            // method and path
}

// nouns have a list of objects each: the key of their ids, and of the list.
var nouns = map[string]string{"experiments": "experiment_id", "pipelines": "pipeline_id", "versions": "pipeline_version_id", "runs": "run_id", "recurringruns": "recurring_run_id"}
var lists = map[string]string{"experiments": "experiments", "pipelines": "pipelines", "versions": "pipeline_versions", "runs": "runs", "recurringruns": "recurringRuns"}

// New starts a server with the default experiment.
func New(t testing.TB) *Server {
	s := Start("")
	t.Cleanup(s.Close)
	return s.Server
}

// A Started server is closed by its user.
type Started struct {
	*Server
	Close func()
}

// Start starts a server outside of a test, with a State.
func Start(state string) Started {
	s := &Server{State: state, objects: map[string][]object{}}
	h := httptest.NewServer(s)
	s.URL = h.URL
	return Started{s, h.Close}
}

// First has f see each request before all else does; it reports whether it has answered.
func (s *Server) First(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.first = append(slices.Clip(s.first), f)
}

// Requests returns the methods and paths of what was asked, in order.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Replay answers with what was recorded or written down: answers by what is asked, such
// as GET runs/1, without the query. What else is asked is not there.
func (s *Server) Replay(answers map[string]string) {
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		_, path, _ := strings.Cut(r.URL.Path, "/apis/v2beta1/")
		answer, ok := answers[r.Method+" "+path]
		w.Header().Set("Content-Type", "application/json")
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"code": 5, "message": "there is no answer to ` + r.Method + " " + path + `"}`
		}
		io.WriteString(w, answer)
		return true
	})
}

// Count returns how many objects of a noun there are.
func (s *Server) Count(noun string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.objects[noun])
}

// Objects returns the objects of a noun, in the order in which they were made.
func (s *Server) Objects(noun string) (all []map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.objects[noun] {
		all = append(all, maps.Clone(o))
	}
	return all
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	first := s.first
	s.mu.Unlock()
	for _, answers := range slices.Backward(first) {
		if answers(w, r) {
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, path, ok := strings.Cut(r.URL.Path, "/apis/v2beta1/")
	if !ok {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>Kubeflow</html>")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	answer, code, msg := s.serve(r, path)
	if msg != "" {
		w.WriteHeader(map[int]int{3: 400, 5: 404, 6: 409, 9: 400}[code])
		answer = object{"code": code, "message": msg, "error": msg}
	}
	json.NewEncoder(w).Encode(answer)
}

func (s *Server) serve(r *http.Request, path string) (answer any, code int, msg string) {
	if path == "healthz" {
		return object{"multi_user": false, "tag_name": cmp.Or(s.Version, "unknown"), "commit_sha": "unknown"}, 0, ""
	}
	if path == "pipelines/upload_version" {
		return s.upload(r)
	}
	path, verb, _ := strings.Cut(path, ":")
	parts := strings.Split(path, "/")
	noun, id := parts[0], ""
	if len(parts) > 1 {
		id = parts[1]
	}
	of := ""
	if noun == "pipelines" && len(parts) > 2 {
		noun, of, id = "versions", parts[1], ""
		if len(parts) > 3 {
			id = parts[3]
		}
	}
	if nouns[noun] == "" {
		return nil, 5, "Not Found"
	}
	if id == "" && r.Method == http.MethodPost {
		return s.create(noun, r.Body)
	}
	if id == "" {
		return s.list(noun, of, r)
	}
	i := slices.IndexFunc(s.objects[noun], func(o object) bool { return o[nouns[noun]] == id })
	if i < 0 {
		return nil, 5, noun + " " + id + " not found"
	}
	o := s.objects[noun][i]
	switch {
	case r.Method == http.MethodDelete:
		s.objects[noun] = slices.Delete(s.objects[noun], i, i+1)
		return object{}, 0, ""
	case verb == "archive":
		o["storage_state"] = "ARCHIVED"
	case verb == "unarchive":
		o["storage_state"] = "AVAILABLE"
	case verb == "enable" || verb == "disable":
		o["status"] = strings.ToUpper(verb) + "D"
	case verb == "terminate":
		o["state"] = "FAILED"
	case verb == "retry" && o["state"] != "FAILED":
		return nil, 9, "only failed runs can be retried"
	case verb == "retry":
		o["state"] = "RUNNING"
	default:
		if noun == "runs" && o["state"] == "PENDING" || o["state"] == "RUNNING" { // each look is a step
			o["state"] = map[bool]string{true: "RUNNING", false: s.final()}[o["state"] == "PENDING"]
		}
		return o, 0, ""
	}
	return object{}, 0, ""
}

func (s *Server) final() string {
	if s.State != "" {
		return s.State
	}
	return "SUCCEEDED"
}

func (s *Server) id() string { s.n++; return fmt.Sprintf("00000000-0000-4000-8000-%012x", s.n) }

func (s *Server) create(noun string, body io.Reader) (any, int, string) {
	var o object
	if err := json.NewDecoder(body).Decode(&o); err != nil {
		return nil, 3, err.Error()
	}
	if noun == "experiments" || noun == "pipelines" {
		for _, e := range s.objects[noun] {
			if e["display_name"] == o["display_name"] {
				return nil, 6, "Already exist error: " + noun
			}
		}
	}
	o[nouns[noun]] = s.id()
	o["created_at"] = time.Date(2026, 1, 1, 0, 0, s.n, 0, time.UTC).Format(time.RFC3339)
	o["storage_state"] = "AVAILABLE"
	if noun == "runs" {
		o["state"] = "PENDING"
		o["run_details"] = object{"task_details": []object{{"task_id": "t1", "display_name": "step", "state": "SUCCEEDED"}}}
		o["finished_at"] = "1970-01-01T00:00:00Z"
	}
	if noun == "recurringruns" {
		o["status"] = map[any]string{"ENABLE": "ENABLED"}[o["mode"]]
	}
	s.objects[noun] = append(s.objects[noun], o)
	return o, 0, ""
}

func (s *Server) upload(r *http.Request) (any, int, string) {
	f, _, err := r.FormFile("uploadfile")
	if err != nil {
		return nil, 3, err.Error()
	}
	var docs []any
	for d := yaml.NewDecoder(f); ; {
		var v any
		if d.Decode(&v) != nil {
			break
		}
		docs = append(docs, v)
	}
	if len(docs) == 0 {
		return nil, 3, "no YAML"
	}
	spec := docs[0]
	if len(docs) == 2 {
		spec = object{"pipeline_spec": docs[0], "platform_spec": docs[1]}
	}
	q := r.URL.Query()
	for _, v := range s.objects["versions"] {
		if v["display_name"] == q.Get("name") && v["pipeline_id"] == q.Get("pipelineid") {
			return nil, 6, "Already exist error: version"
		}
	}
	o := object{"pipeline_version_id": s.id(), "pipeline_id": q.Get("pipelineid"), "display_name": q.Get("name"), "pipeline_spec": spec, "created_at": time.Date(2026, 1, 1, 0, 0, s.n, 0, time.UTC).Format(time.RFC3339)}
	s.objects["versions"] = append(s.objects["versions"], o)
	return o, 0, ""
}

func (s *Server) list(noun, of string, r *http.Request) (any, int, string) {
	q := r.URL.Query()
	var f struct {
		Predicates []struct {
			Operation, Key string
			String         string `json:"string_value"`
			StringCamel    string `json:"stringValue"`
		} `json:"predicates"`
	}
	if text := q.Get("filter"); text != "" {
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			return nil, 3, err.Error()
		}
	}
	var all []object
next:
	for _, o := range slices.Backward(s.objects[noun]) {
		if of != "" && o["pipeline_id"] != of || q.Get("experiment_id") != "" && o["experiment_id"] != q.Get("experiment_id") {
			continue
		}
		for _, p := range f.Predicates {
			key, want := p.Key, p.String+p.StringCamel
			if key == "name" {
				key = "display_name"
			}
			got, _ := o[key].(string)
			if ok := map[string]bool{"EQUALS": got == want, "NOT_EQUALS": got != want, "IS_SUBSTRING": strings.Contains(got, want)}[p.Operation]; !ok {
				continue next
			}
		}
		all = append(all, o)
	}
	size, _ := strconv.Atoi(q.Get("page_size"))
	from, _ := strconv.Atoi(q.Get("page_token"))
	from = min(from, len(all))
	end := min(from+max(size, 1), len(all))
	next := ""
	if end < len(all) {
		next = strconv.Itoa(end)
	}
	return object{lists[noun]: append([]object{}, all[from:end]...), "total_size": len(all), "next_page_token": next}, 0, ""
}
