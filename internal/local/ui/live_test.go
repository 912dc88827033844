package ui

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// An event is one of a stream.
type event struct {
	name string
	data map[string]any
}

// follow reads the events of a stream, which ends with the test at the latest.
func (v *visitor) follow(path string) <-chan event {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), "GET", v.server.URL+path, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	r.AddCookie(v.cookie)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		v.t.Fatalf("%s: %s", path, answer.Status)
	}
	events := make(chan event, 1000)
	go func() {
		defer answer.Body.Close()
		defer close(events)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 4<<20)
		var e event
		for lines.Scan() {
			switch text := lines.Text(); {
			case strings.HasPrefix(text, "event: "):
				e = event{name: text[7:]}
			case strings.HasPrefix(text, "data: "):
				json.Unmarshal([]byte(text[6:]), &e.data)
				events <- e
			}
		}
	}()
	return events
}

// until returns the first event of which f is true.
func until(t *testing.T, events <-chan event, what string, f func(event) bool) event {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the stream ended without %s", what)
			}
			if f(e) {
				return e
			}
		case <-limit:
			t.Fatalf("no %s came", what)
		}
	}
}

// TestLive: what changes in a run's folder is told, until the run ends; who writes there
// is another process as far as the server knows.
func TestLive(t *testing.T) {
	h := home{t.TempDir(), t}
	const id = "live-1"
	task := &run.Task{Path: "step", Name: "step", Kind: "go", State: run.Pending}
	r := &run.Run{ID: id, Pipeline: "live", State: run.Running, Started: time.Now(), Tasks: []*run.Task{task}}
	h.file(id, "lock", nil)
	held := run.Hold(filepath.Join(h.dir, "runs", id))
	defer held.Close()
	h.record(r)
	v := visit(t, Options{Home: h.dir})
	if page := v.get("/runs/" + id); !strings.Contains(page, `data-live="/runs/live-1/events"`) {
		t.Fatalf("the page has no stream:\n%s", page)
	}
	events := v.follow("/runs/" + id + "/events")
	part := func(id, text string) func(event) bool {
		return func(e event) bool {
			html, _ := e.data["html"].(string)
			return e.name == "part" && e.data["id"] == id && strings.Contains(html, text)
		}
	}
	until(t, events, "the pending task", part("times", "pending"))
	task.State, task.Started, task.Logs, task.Attempts = run.Running, time.Now(), []string{"tasks/step/log.1"}, 1
	h.file(id, "tasks/step/log.1", []byte("one\n"))
	h.record(r)
	until(t, events, "the running task", part("times", "running"))
	until(t, events, "the words for those who listen", func(e event) bool {
		return e.name == "status" && e.data["text"] == "The run is running. 0 of 1 tasks are done, 1 running."
	})

	log := v.follow("/runs/" + id + "/log/events?path=step&from=0")
	until(t, log, "the first line", func(e event) bool { return e.name == "text" && e.data["text"] == "one\n" && e.data["to"] == 4.0 })
	f, err := os.OpenFile(filepath.Join(h.dir, "runs", id, "tasks", "step", "log.1"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("two <b>\x1b[1mbold\x1b[0m\n")
	until(t, log, "the second line", func(e event) bool { return e.data["text"] == "two <b>bold\n" })
	f.WriteString("three\n")
	task.State, task.Ended, r.State, r.Ended = run.Succeeded, time.Now(), run.Succeeded, time.Now()
	h.record(r)
	until(t, log, "the third line", func(e event) bool { return e.data["text"] == "three\n" })
	until(t, log, "the end of the log", func(e event) bool { return e.name == "end" })
	until(t, events, "the state at the end", part("facts", "succeeded"))
	until(t, events, "the end", func(e event) bool { return e.name == "end" })
}

// TestStreams: streams are bounded, and those that nobody reads are given up.
func TestStreams(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir})
	for range cap(v.s.streams) {
		v.s.streams <- struct{}{}
	}
	if r, body := v.do("GET", "/runs/"+petsRun+"/events", nil, nil); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one stream too many: %s\n%s", r.Status, body)
	}
}
