package argo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// connects are the two accesses to a server that is no fake.
var connects = map[string]func(*testing.T, string, time.Duration) *Client{"kubernetes": connected, "server": throughServer}

// calls are all that ask for something.
var calls = map[string]func(context.Context, *Client) error{
	"run":       func(ctx context.Context, c *Client) error { _, err := c.Get(ctx, "x"); return err },
	"runs":      func(ctx context.Context, c *Client) error { _, err := c.List(ctx, client.ListOptions{}); return err },
	"schedule":  func(ctx context.Context, c *Client) error { _, err := c.Schedule(ctx, "x"); return err },
	"schedules": func(ctx context.Context, c *Client) error { _, err := c.Schedules(ctx); return err },
	"submit": func(ctx context.Context, c *Client) error {
		_, err := c.Submit(ctx, client.Submission{Name: "x", Spec: []byte("kind: Workflow\nmetadata: {generateName: x-}\n")})
		return err
	},
	"delete schedule": func(ctx context.Context, c *Client) error { return c.DeleteSchedule(ctx, "x") },
	"pause schedule":  func(ctx context.Context, c *Client) error { return c.PauseSchedule(ctx, "x") },
}

// TestForeignAnswers: what isn't an answer of the API is an error that says what came.
func TestForeignAnswers(t *testing.T) {
	for _, tt := range []struct{ name, kind, body, want string }{
		{"XML", "text/xml", "<List/>\n", `the answer is XML (text/xml), which begins with "<List/>"`},
		{"HTML", "text/html", "<html><title>Hi</title></html>", "page"},
		{"HTML as JSON", "application/json", "<!doctype html><html></html>", "page"},
		{"text", "text/plain", "ok\x1b[2J\n", `the answer is text (text/plain), which begins with "ok\x1b[2J"`},
		{"null", "application/json", "null", "null"},
		{"a list", "application/json", `[]`, "the answer is a JSON list"},
		{"another object", "application/json", `{"error": "please log in"}`, "a JSON object of something else"},
		{"a status", "application/json", `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "no"}`, "the response is not one of "},
		{"empty", "application/json", ``, "empty"},
	} {
		for way, connect := range connects {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				io.WriteString(w, tt.body)
			}))
			t.Cleanup(s.Close)
			c := connect(t, s.URL, 500*time.Millisecond)
			for name, call := range calls {
				t.Run(tt.name+"/"+way+"/"+name, func(t *testing.T) {
					t.Parallel()
					change := name == "delete schedule" || name == "pause schedule"
					if change && (strings.Contains(tt.body, `{`) || way == "server" && tt.body == "") {
						return // nothing is asked for
					}
					err := call(t.Context(), c)
					if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\x1b") {
						t.Errorf("got %v, want %q", err, tt.want)
					}
				})
			}
		}
	}
}

// TestEqualTokens: a list whose pages never end is an error that names the token.
func TestEqualTokens(t *testing.T) {
	for way, connect := range connects {
		var n atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) > 50 {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"metadata": {"continue": "the-same"}, "items": []}`)
		}))
		defer s.Close()
		for _, name := range []string{"runs", "schedules"} {
			n.Store(0)
			if err := calls[name](t.Context(), connect(t, s.URL, time.Second)); err == nil || !strings.Contains(err.Error(), `names the page "the-same" again`) {
				t.Errorf("%s: %s: got %v", way, name, err)
			}
		}
	}
}

// TestLargePages: where a page is larger than what is read of an answer, smaller ones are
// asked for; and what is larger still is an error.
func TestLargePages(t *testing.T) {
	for way, connect := range connects {
		huge := ""
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			q := r.URL.Query()
			limit := q.Get("limit") + q.Get("listOptions.limit")
			if limit != huge && len(limit) == 3 || huge != "" {
				w.Header().Set("Content-Length", fmt.Sprint(web.MaxAnswer+1))
				return
			}
			at := q.Get("continue") + q.Get("listOptions.continue")
			next := map[string]string{"": "b", "b": ""}[at]
			fmt.Fprintf(w, `{"metadata": {"continue": %q}, "items": [{"metadata": {"name": "w%s"}}]}`, next, at)
		}))
		defer s.Close()
		c := connect(t, s.URL, time.Second)
		p, err := c.List(t.Context(), client.ListOptions{})
		if err != nil || len(p.Runs) != 2 {
			t.Errorf("%s: %v, %v", way, p, err)
		}
		huge = "all"
		if _, err := c.List(t.Context(), client.ListOptions{}); err == nil || !strings.Contains(err.Error(), "has more than 64 MB") {
			t.Errorf("%s: %v", way, err)
		}
	}
}

// TestRedirects: nothing follows a server elsewhere, above all not the token.
func TestRedirects(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		elsewhere.Add(1)
		io.WriteString(w, `{"metadata": {"name": "x"}}`)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path, status)
		}))
		defer s.Close()
		for way, connect := range connects {
			for name, call := range calls {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				if err := call(ctx, connect(t, s.URL, 100*time.Millisecond)); err == nil {
					t.Errorf("%s: %s: %d was followed", way, name, status)
				}
				cancel()
			}
		}
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("%d requests came to another server", n)
	}
}

// TestWatchesThatEnd: a server that ends each watch at once, forgets each version or says
// the same again and again is asked with pauses, and not forever.
func TestWatchesThatEnd(t *testing.T) {
	object := `{"metadata": {"name": "x", "resourceVersion": "1"}, "status": {"phase": "Running"}}`
	for name, events := range map[string]string{
		"nothing": "", "gone": `{"type": "ERROR", "object": {"code": 410, "message": "too old"}}`, "the same": `{"type": "MODIFIED", "object": ` + object + `}`,
	} {
		for way, connect := range connects {
			t.Run(way+"/"+name, func(t *testing.T) {
				t.Parallel()
				var n atomic.Int32
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Query().Get("watch") != "":
						n.Add(1)
						io.WriteString(w, events)
					case r.Header.Get("Accept") == "text/event-stream":
						n.Add(1)
						w.Header().Set("Content-Type", "text/event-stream")
						if events != "" {
							fmt.Fprintf(w, "data: {\"result\": %s}\n\n", events)
						}
					default:
						io.WriteString(w, object)
					}
				}))
				defer s.Close()
				var err error
				for _, err = range connect(t, s.URL, time.Second).Watch(t.Context(), "x") {
				}
				if err == nil || !strings.Contains(err.Error(), "ended 10 watches at once") || n.Load() > 12 {
					t.Errorf("%d watches, %v", n.Load(), err)
				}
			})
		}
	}
}

// TestStreamsOfOthers: a stream that isn't one of events is no empty log.
func TestStreamsOfOthers(t *testing.T) {
	f := newFront(t)
	f.fake.objects["/apis/argoproj.io/v1alpha1/namespaces/ml/workflows/x"] = map[string]any{"metadata": map[string]any{"name": "x"}, "status": map[string]any{"phase": "Succeeded"}}
	for name, write := range map[string]func(http.ResponseWriter){
		"XML":        func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/xml"); io.WriteString(w, "<a/>") },
		"HTML":       func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/html"); io.WriteString(w, "<html>") },
		"text":       func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/plain"); io.WriteString(w, "ok") },
		"wrong type": func(w http.ResponseWriter) { io.WriteString(w, "<html>\x1b[2J\n<body>\n") },
	} {
		f.events = func(w http.ResponseWriter, _ *http.Request) { write(w) }
		err := throughServer(t, f.URL, time.Second).Logs(t.Context(), "x", client.LogOptions{Out: io.Discard})
		if err == nil || strings.Contains(err.Error(), "\x1b") || strings.Contains(err.Error(), "pods are gone") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestLongEvents: an event that doesn't end isn't kept.
func TestLongEvents(t *testing.T) {
	for way, connect := range connects {
		var sent atomic.Int64
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			stream := r.Header.Get("Accept") == "text/event-stream"
			if !stream && r.URL.Query().Get("watch") == "" {
				io.WriteString(w, `{"metadata": {"name": "x", "resourceVersion": "1"}}`)
				return
			}
			begin := `{"type": "`
			if stream {
				w.Header().Set("Content-Type", "text/event-stream")
				begin = `data: {"result": "`
			}
			io.WriteString(w, begin)
			b := []byte(strings.Repeat("x", 1<<20))
			for {
				n, err := w.Write(b)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}))
		var err error
		for _, err = range connect(t, s.URL, 20*time.Second).Watch(t.Context(), "x") {
			if sent.Load() > 0 {
				break
			}
		}
		s.CloseClientConnections()
		s.Close()
		if sent.Load() > web.MaxAnswer+32<<20 || err == nil || !strings.Contains(err.Error(), "an event has more than 64 MB") {
			t.Errorf("%s: %d MB were sent: %v", way, sent.Load()>>20, err)
		}
	}
}

// TestNodesInCircles: a Workflow whose nodes are in each other ends.
func TestNodesInCircles(t *testing.T) {
	var w wfv1.Workflow
	err := json.Unmarshal([]byte(`{"metadata": {"name": "w"}, "status": {"phase": "Failed", "nodes": {
		"a": {"id": "a", "boundaryID": "a", "type": "Pod", "phase": "Failed"},
		"b": {"id": "b", "boundaryID": "c", "type": "Pod", "phase": "Failed"}, "c": {"id": "c", "boundaryID": "b", "type": "Retry", "phase": "Failed", "children": ["c", "b"]}}}}`), &w)
	if err != nil {
		t.Fatal(err)
	}
	again(&w)
	tasksOf(&w)
}
