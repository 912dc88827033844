package argo

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
)

// A stage is what a server answers to one request of a watch: lines, and then the end
// of the connection.
type stage struct {
	version string // that must be asked for
	status  int
	lines   []string
	broken  bool // in the middle of a line
}

func workflowAt(version int, phase string) string {
	return fmt.Sprintf(`{"metadata": {"name": "w", "resourceVersion": "%d"}, "status": {"phase": %q, "nodes": {"n": {"id": "n", "name": "w.step", "displayName": "step", "type": "Pod", "templateName": "step", "phase": %q, "boundaryID": "w"}, "w": {"id": "w", "name": "w", "displayName": "w", "type": "DAG", "phase": %q}}}}`, version, phase, phase, phase)
}

func changed(version int, phase string) string {
	return fmt.Sprintf(`{"type": "MODIFIED", "object": %s}`, workflowAt(version, phase))
}

// TestWatch: what a run becomes is told as it comes, whatever becomes of the
// connection, and nothing is asked for twice.
func TestWatch(t *testing.T) {
	bookmark := `{"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "7"}}}`
	old := `{"type": "ERROR", "object": {"code": 410, "reason": "Expired", "message": "too old"}}`
	for name, test := range map[string]struct {
		gets   []string // answers of reads, the last one again and again
		stages []stage
		reads  int
		err    client.Code
		denied bool
	}{
		"told":             {[]string{workflowAt(1, "Pending")}, []stage{{version: "1", lines: []string{changed(2, "Running"), changed(3, "Succeeded")}}}, 1, "", false},
		"ended, goes on":   {[]string{workflowAt(1, "Pending")}, []stage{{version: "1", lines: []string{changed(2, "Running")}}, {version: "2", lines: []string{changed(3, "Succeeded")}}}, 1, "", false},
		"broken, goes on":  {[]string{workflowAt(1, "Pending")}, []stage{{version: "1", lines: []string{changed(2, "Running")}, broken: true}, {version: "2", lines: []string{changed(3, "Succeeded")}}}, 1, "", false},
		"a bookmark":       {[]string{workflowAt(1, "Running")}, []stage{{version: "1", lines: []string{bookmark}}, {version: "7", lines: []string{changed(8, "Succeeded")}}}, 1, "", false},
		"too old, at once": {[]string{workflowAt(1, "Pending"), workflowAt(9, "Running")}, []stage{{version: "1", status: 410}, {version: "9", lines: []string{changed(10, "Succeeded")}}}, 2, "", false},
		"too old, later":   {[]string{workflowAt(1, "Pending"), workflowAt(9, "Running")}, []stage{{version: "1", lines: []string{old}}, {version: "9", lines: []string{changed(10, "Succeeded")}}}, 2, "", false},
		"done already":     {[]string{workflowAt(5, "Succeeded")}, nil, 1, "", false},
		"the server fails": {[]string{workflowAt(1, "Running")}, []stage{{version: "1", status: 503}, {version: "1", lines: []string{changed(2, "Succeeded")}}}, 1, "", false},
		"deleted":          {[]string{workflowAt(1, "Running")}, []stage{{version: "1", lines: []string{`{"type": "DELETED", "object": ` + workflowAt(2, "Running") + `}`}}}, 1, client.NotFound, false},
		"forbidden":        {[]string{workflowAt(1, "Pending"), workflowAt(2, "Running"), workflowAt(3, "Succeeded")}, []stage{{version: "1", status: 403}}, 3, "", true},
	} {
		for way, connect := range map[string]func(*testing.T, string, time.Duration) *Client{"kubernetes": connected, "server": throughServer} {
			t.Run(way+"/"+name, func(t *testing.T) {
				var mu sync.Mutex
				reads, watches := 0, 0
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					defer mu.Unlock()
					q := r.URL.Query()
					stream := strings.Contains(r.URL.Path, "workflow-events")
					if stream {
						for _, name := range []string{"resourceVersion", "fieldSelector"} {
							q.Set(name, q.Get("listOptions."+name))
						}
					} else if q.Get("watch") == "" {
						w.Header().Set("Content-Type", "application/json")
						fmt.Fprint(w, test.gets[min(reads, len(test.gets)-1)])
						reads++
						return
					}
					if watches >= len(test.stages) {
						t.Errorf("one watch too many, from %s", q.Get("resourceVersion"))
						w.WriteHeader(403)
						return
					}
					now := test.stages[watches]
					watches++
					if got := q.Get("resourceVersion"); got != now.version || q.Get("fieldSelector") != "metadata.name=w" {
						t.Errorf("watch %d goes from %s, want %s: %s", watches, got, now.version, r.URL)
					}
					if stream {
						now.sent(w)
						return
					}
					if now.status != 0 {
						w.WriteHeader(now.status)
						fmt.Fprintf(w, `{"message": "no"}`)
						return
					}
					fmt.Fprint(w, strings.Join(now.lines, "\n"))
					if now.broken {
						fmt.Fprint(w, `{"type": "MODI`)
						w.(http.Flusher).Flush()
						panic(http.ErrAbortHandler)
					}
				}))
				t.Cleanup(s.Close)
				c := connect(t, s.URL, time.Second)
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				var states []client.State
				r, err := client.Wait(ctx, c, "w", client.WaitOptions{Observe: func(task client.Task) { states = append(states, task.State) }})
				if client.CodeOf(err) != test.err || test.err == "" && (r == nil || r.State != client.Succeeded) {
					t.Fatalf("%+v, %v", r, err)
				}
				if test.err == "" && states[len(states)-1] != client.Succeeded {
					t.Errorf("states %v", states)
				}
				mu.Lock()
				defer mu.Unlock()
				want := test.reads
				if test.denied {
					want++ // the one before the watch
				}
				if reads < test.reads || reads > want || watches != len(test.stages) {
					t.Errorf("%d reads and %d watches, want %d and %d", reads, watches, test.reads, len(test.stages))
				}
			})
		}
	}
}

// sent answers as the Argo server does.
func (s *stage) sent(w http.ResponseWriter) {
	switch s.status {
	case 0:
	case 410: // for which it has no code
		refuse(w, 400, "too old resource version: 1 (9)")
		return
	default:
		refuse(w, s.status, "no")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, line := range s.lines {
		if strings.Contains(line, `"ERROR"`) {
			fmt.Fprint(w, `data: {"error": {"grpc_code": 3, "http_code": 400, "message": "too old resource version"}}`+"\n\n")
			return
		}
		fmt.Fprintf(w, "data: {\"result\": %s}\n\n", line)
	}
	if s.broken {
		fmt.Fprint(w, `data: {"result": {"type": "MODI`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	fmt.Fprint(w, `data: {"error": {"grpc_code": 8, "http_code": 429, "message": "EOF"}}`+"\n\n")
}
