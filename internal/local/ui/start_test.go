package ui

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// stub stands for kfpgo: it writes what it was told, and the record of a run.
const stub = `#!/bin/sh
pwd >args; for a in "$@"; do printf '%s\n' "$a" >>args; done
while [ "$1" != --run-id ]; do shift; done; id=$2
while [ "$1" != --params-file ]; do shift; done; cat "$2" >params
[ ! -e fail ] || { echo "pipeline: it does not build"; exit 1; }
mkdir -p "$KFPGO_TEST_HOME/runs/$id" && echo '{"schema":1,"id":"'$id'","pipeline":"pets","state":"SUCCEEDED","tasks":[]}' >"$KFPGO_TEST_HOME/runs/$id/run.json"
`

// restartable returns a home with a failed run that was started in a folder of its own.
func restartable(t *testing.T) (home, *run.Run, Options) {
	t.Helper()
	h := home{t.TempDir(), t}
	work := filepath.Join(h.dir, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	kfpgo := filepath.Join(h.dir, "kfpgo")
	if err := os.WriteFile(kfpgo, []byte(stub), 0o755); err != nil {
		t.Fatal(err)
	}
	r := &run.Run{ID: "pets-1", Pipeline: "pets", State: run.Failed, Started: began, Ended: began.Add(time.Second), Source: &run.Source{Pipeline: "-p/../pets", Dir: work},
		Params: map[string]json.RawMessage{"rate": raw(0.1), "epochs": raw(2), "source": raw("a\n\u202eb"), "sweep": json.RawMessage("[1]")}}
	h.record(r)
	h.file(r.ID, "program.json", []byte(pets))
	t.Setenv("KFPGO_TEST_HOME", h.dir)
	return h, r, Options{Home: h.dir, Command: []string{kfpgo}}
}

var hidden = regexp.MustCompile(`name="csrf" value="([0-9a-f]+)"`)

// TestStart: the form starts kfpgo run with the parameters that were edited.
func TestStart(t *testing.T) {
	h, r, o := restartable(t)
	v := visit(t, o)
	page := v.get("/runs/pets-1/start?how=resume")
	for _, want := range []string{`<label for="param-0">rate <span class="soft">number</span></label>`, "how fast it learns", `name="how" value="resume"`, `name="given.epochs" value="1" checked`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	csrf := hidden.FindStringSubmatch(page)[1]
	form := url.Values{"csrf": {csrf}, "how": {"resume"}, "param.rate": {"x"}, "param.source": {"a\r\n\\u202eb"}, "param.epochs": {"3"}, "given.epochs": {"1"}, "no-cache": {"1"}}
	if r, body := v.do("POST", "/runs/pets-1/start", form, nil); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "It was not started") || !strings.Contains(body, "rate") {
		t.Fatalf("a wrong number: %s\n%s", r.Status, body)
	}
	form.Set("param.rate", "0.25")
	answer, body := v.do("POST", "/runs/pets-1/start", form, nil)
	if answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s\n%s", answer.Status, body)
	}
	v.s.wait(10 * time.Second)
	at := answer.Header.Get("Location")
	if answer, _ := v.do("GET", at, nil, nil); answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != strings.Replace(at, "/starts/", "/runs/", 1) {
		t.Errorf("when the run is there: %s to %s", answer.Status, answer.Header.Get("Location"))
	}
	work := r.Source.Dir
	args, _ := os.ReadFile(filepath.Join(work, "args"))
	got := strings.Split(strings.TrimSpace(string(args)), "\n")
	want := []string{work, "run", "--home", h.dir, "--run-id", strings.TrimPrefix(at, "/starts/"), "--params-file", "", "--resume", filepath.Join(h.dir, "runs", "pets-1"), "--no-cache", "--", "-p/../pets"}
	if len(got) != len(want) {
		t.Fatalf("it was told %q", got)
	}
	for i := range want {
		if want[i] != "" && got[i] != want[i] {
			t.Errorf("word %d is %q, want %q", i, got[i], want[i])
		}
	}
	given, _ := os.ReadFile(filepath.Join(work, "params"))
	if string(given) != `{"epochs":3,"rate":0.25,"source":"a\n`+"\u202e"+`b"}` {
		t.Errorf("the parameters are %s", given)
	}
	if _, err := os.Stat(got[7]); err == nil {
		t.Error("the file with the parameters is still there")
	}

	if err := os.WriteFile(filepath.Join(work, "fail"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	answer, _ = v.do("POST", "/runs/pets-1/start", form, nil)
	v.s.wait(10 * time.Second)
	if page := v.get(answer.Header.Get("Location")); !strings.Contains(page, "It was not started") || !strings.Contains(page, "it does not build") {
		t.Errorf("what failed to start says\n%s", page)
	}
	if r, _ := v.do("GET", "/starts/nope", nil, nil); r.StatusCode != http.StatusNotFound {
		t.Errorf("a start that there is not: %s", r.Status)
	}
}

// TestStartChecks: the form has the checks of values that other entrances have.
func TestStartChecks(t *testing.T) {
	_, _, o := restartable(t)
	v := visit(t, o)
	csrf := hidden.FindStringSubmatch(v.get("/runs/pets-1/start"))[1]
	for _, c := range []struct{ field, value, want string }{
		{"rate", "x", "parameter rate: &#34;x&#34; is not a number"},
		{"rate", "NaN", "parameter rate: &#34;NaN&#34; is not a number"},
		{"rate", "1e400", "out of range"},
		{"rate", "null", "null is not a value"},
		{"epochs", "1.5", "is not an integer"},
		{"epochs", "9223372036854775808", "is not an integer|is out of range"},
		{"source", "a\x00b", "parameter source: .* has the character NUL"},
		{"source", "a\xffb", "is not valid UTF-8"},
	} {
		form := url.Values{"csrf": {csrf}, "param.rate": {"0.1"}, "param.source": {"a"}, "param.epochs": {"1"}, "given.epochs": {"1"}}
		form.Set("param."+c.field, c.value)
		r, body := v.do("POST", "/runs/pets-1/start", form, nil)
		if ok, _ := regexp.MatchString(c.want, body); r.StatusCode != http.StatusUnprocessableEntity || !ok {
			t.Errorf("%s = %q: %s, without %q", c.field, c.value, r.Status, c.want)
		}
	}
}

// TestCannotStart: what can't be started again says why.
func TestCannotStart(t *testing.T) {
	h, r, o := restartable(t)
	v := visit(t, o)
	for _, test := range []struct {
		change func()
		want   string
	}{
		{func() { os.RemoveAll(r.Source.Dir) }, "The folder in which it was started"},
		{func() { r.Source = nil }, "A program of your own or an earlier kfpgo"},
		{func() { r.Schedule = "nightly" }, "kfpgo schedule trigger nightly"},
	} {
		test.change()
		h.record(r)
		if page := v.get("/runs/pets-1/start"); !strings.Contains(page, test.want) || strings.Contains(page, "<form") {
			t.Errorf("no %q in\n%s", test.want, page)
		}
		csrf := v.s.guard.csrf()
		if r, body := v.do("POST", "/runs/pets-1/start", url.Values{"csrf": {csrf}}, nil); r.StatusCode != http.StatusConflict {
			t.Errorf("%s: %s\n%s", test.want, r.Status, body)
		}
	}
}

// wait waits until what was started here has come to its end, or the time is over.
func (s *Server) wait(limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		s.starts.mu.Lock()
		going := false
		for _, k := range s.starts.kept {
			going = going || k.going()
		}
		s.starts.mu.Unlock()
		if !going {
			return
		}
	}
}
