package ui

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// record is a run with what the pages show beside what package report does, which has
// mutants of its own. Its program is small.
const record = `{"schema": 1, "id": "a-1", "pipeline": "a", "title": "A", "state": "FAILED", "error": "x", "started": "2026-01-02T03:04:05Z", "ended": "2026-01-02T03:04:06Z", "schedule": "s",
 "params": {"n": 1, "data": [{"a": 1}]}, "outputs": {"o": "x"}, "source": {"pipeline": "./a", "dir": "/"},
 "tasks": [{"path": "loop", "name": "loop", "kind": "loop", "state": "FAILED"}, {"path": "loop/0", "name": "loop", "kind": "loop", "iteration": 0, "state": "FAILED"},
  {"path": "loop/0/step", "name": "step", "kind": "go", "state": "RUNNING", "inputs": {"n": [{"a": 1}]}, "outputs": {"o": 1}, "logs": ["log"], "started": "2026-01-02T03:04:05Z",
   "reads": {"d": [{"type": "system.Dataset", "uri": "s3://b/d"}]}, "writes": {"m": [{"name": "m", "type": "system.Metrics", "uri": "file:///x", "metadata": {"accuracy": 0.5}}]}}]}`

const small = `{"name": "a", "main": "a", "components": [{"name": "a", "inputs": [{"name": "n", "type": {"name": "NUMBER_INTEGER"}, "doc": "how many"}, {"name": "data", "type": {"name": "LIST"}, "default": [1]}],
 "dag": {"kind": "pipeline", "tasks": [{"name": "loop", "component": "loop"}]}}, {"name": "loop", "dag": {"kind": "loop", "tasks": [{"name": "step", "component": "step"}]}}, {"name": "step", "exec": {"go": {"name": "step"}}}]}`

// page answers a request in this goroutine, so that a panic is the test's.
func (v *visitor) page(method, path string) *httptest.ResponseRecorder {
	form := url.Values{"csrf": {v.s.guard.csrf()}, "param.n": {"x"}, "param.data": {"{"}, "given.data": {"1"}}
	r := httptest.NewRequest(method, v.server.URL+path, strings.NewReader(form.Encode()))
	r.AddCookie(v.cookie)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == "POST" {
		r.Header.Set("Origin", v.server.URL)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	v.server.Config.Handler.ServeHTTP(w, r)
	return w
}

// TestMutants: of any record, any program and any schedule there are pages, or a page
// that says what is wrong.
func TestMutants(t *testing.T) {
	h := home{t.TempDir(), t}
	h.results(petsRun, 0.5, began)
	h.schedules()
	v := visit(t, Options{Home: h.dir, Command: []string{"/nonexistent"}})
	each := func(file, good string, pages ...string) {
		h.file("a-1", "run.json", []byte(record))
		mutants.Each(t, []byte(good), func(bad []byte) {
			h.file("a-1", file, bad)
			for _, page := range pages {
				method, path, _ := strings.Cut(page, " ")
				if w := v.page(method, path); w.Code >= 500 && !strings.Contains(w.Body.String(), "/nonexistent") || w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden {
					t.Errorf("%s: %d\n%s", page, w.Code, w.Body)
				}
			}
		})
	}
	const a = "/runs/a-1"
	each("program.json", small, "GET "+a, "GET "+a+"/start", "POST "+a+"/start")
	h.file("a-1", "program.json", []byte(small))
	each("run.json", record, "GET /?q=x&sort=long", "GET /compare?run=a-1&run="+petsRun, "GET "+a, "GET "+a+"/task?path=loop/0/step", "GET "+a+"/log?path=loop/0/step",
		"GET "+a+"/artifact?path=loop/0/step&port=m", "GET "+a+"/artifact?path=loop/0/step&port=d&of=input", "GET "+a+"/start?how=resume", "POST "+a+"/start")

	db, err := sql.Open("sqlite", filepath.Join(h.dir, "schedules", "schedules.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var spec string
	if err := db.QueryRow("SELECT spec FROM schedules WHERE name = 'nightly'").Scan(&spec); err != nil {
		t.Fatal(err)
	}
	mutants.Each(t, printable.JSON([]byte(spec)), func(bad []byte) {
		if _, err := db.Exec("UPDATE schedules SET spec = ? WHERE name = 'nightly'", string(bad)); err != nil {
			t.Fatal(err)
		}
		if w := v.page("GET", "/schedules"); w.Code != http.StatusOK && !strings.Contains(w.Body.String(), "damaged") {
			t.Errorf("/schedules: %d\n%s", w.Code, w.Body)
		}
	})
}

// TestLogs: a log is a file in the folder of its run, whatever the record names.
func TestLogs(t *testing.T) {
	h := home{t.TempDir(), t}
	v := visit(t, Options{Home: h.dir})
	h.file("a-1", "logs/1", []byte("it is here"))
	for log, want := range map[string]int{"logs/1": 200, "": 404, ".": 404, "logs": 404, "logs/2": 404, "../../secret": 404, "/etc/passwd": 404, "logs/1/x": 404, "a\x00b": 404, strings.Repeat("x", 5000): 404} {
		r := &run.Run{ID: "a-1", State: run.Failed, Tasks: []*run.Task{{Path: "step", Kind: "go", State: run.Failed, Logs: []string{log}}}}
		h.record(r)
		if w := v.page("GET", "/runs/a-1/log?path=step"); w.Code != want {
			t.Errorf("%.20q: %d, want %d\n%s", log, w.Code, want, w.Body)
		}
		if w := v.page("GET", "/runs/a-1/task?path=step"); w.Code != http.StatusOK {
			t.Errorf("%.20q: the page of the task: %d", log, w.Code)
		}
	}
}
