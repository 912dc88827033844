package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

const watchedPipeline = `package watched

import (
	"context"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
)

type In struct {
	X dsl.Param[int] ` + "`default:\"1\"`" + `
}

type Out struct{ Y dsl.Param[int] }

type FileOut struct{ Data dsl.Dataset }

var Write = dsl.Func("write", func(_ context.Context, in In, out *FileOut) error {
	return os.WriteFile(out.Data.Path(), []byte("text"), 0o644)
})

type ReadIn struct{ Data dsl.Dataset }

var Read = dsl.Func("read", func(_ context.Context, in ReadIn, out *Out) error {
	b, err := os.ReadFile(in.Data.Path())
	out.Y.Set(len(b))
	return err
})

var Add = dsl.Func("add", func(_ context.Context, in In, out *Out) error {
	out.Y.Set(add(in.X.Get()))
	return nil
})

func add(n int) int { return n + 1 }

var Pipeline = dsl.Pipeline("watched", func(s *dsl.Scope, in In) Out {
	y := Add.Call(s, In{X: in.X}).Out.Y
	Twice.Call(s, TwiceIn{X: y})
	return Read.Call(s, ReadIn{Data: Write.Call(s, In{X: in.X}).Out.Data}).Out
})
`

const watchedPython = `package watched

import "github.com/kfpgo/kfpgo/dsl"

type TwiceIn struct{ X dsl.Param[int] }

type TwiceOut struct{ Output dsl.Param[int] }

var Twice = dsl.Python[TwiceIn, TwiceOut]("twice", dsl.PythonSource{
	Source: "def twice(x: int) -> int:\n    return 2 * x\n",
	Function: "twice", Image: "python:3.12",
})
`

const watchedSchedule = `package watched

import "github.com/kfpgo/kfpgo/dsl"

var Nightly = dsl.NewSchedule("nightly", Pipeline, dsl.When{Cron: "0 3 * * *"}, In{X: dsl.Const(4)})
`

// A watched pipeline is one that kfpgo run --watch runs in a folder.
type watched struct {
	t   *testing.T
	dir string
	cmd *exec.Cmd
	mu  sync.Mutex
	out bytes.Buffer
	at  int // how much of it was looked at
}

func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(b)
}

func watchIt(t *testing.T, args ...string) *watched {
	t.Helper()
	return watchPipeline(t, "./watched", args...)
}

func watchPipeline(t *testing.T, pipeline string, args ...string) *watched {
	t.Helper()
	w := &watched{t: t, dir: t.TempDir()}
	vars := goEnv(t)
	if err := module(w.dir, vars["REPO"]); err != nil {
		t.Fatal(err)
	}
	w.save("watched/watched.go", watchedPipeline)
	w.save("watched/python.go", watchedPython)
	w.save("watched/schedule.go", watchedSchedule)
	w.save("params.yaml", "x: 1\n")
	if err := shareGraphviz(filepath.Join(w.dir, "cache", "kfpgo")); err != nil {
		t.Fatal(err)
	}
	w.cmd = exec.Command("kfpgo", append([]string{"run", pipeline, "--watch"}, args...)...)
	w.cmd.Dir, w.cmd.Stdout, w.cmd.Stderr = w.dir, w, w
	w.cmd.Env = append(os.Environ(), "KFPGO_HOME="+filepath.Join(w.dir, "home"), "XDG_CACHE_HOME="+filepath.Join(w.dir, "cache"))
	for k, v := range vars {
		w.cmd.Env = append(w.cmd.Env, k+"="+v)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.cmd.Process.Kill() })
	return w
}

func (w *watched) save(file, text string) {
	file = filepath.Join(w.dir, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// edit replaces a text of a file.
func (w *watched) edit(file, old, now string) {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, file))
	if err != nil {
		w.t.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		w.t.Fatalf("%s has no %q", file, old)
	}
	w.save(file, strings.Replace(string(b), old, now, 1))
}

// next returns what is said until it waits again.
func (w *watched) next() string {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		w.mu.Lock()
		text := w.out.String()[w.at:]
		if before, _, ok := strings.Cut(text, "waiting for a change; ctrl-C ends it\n"); ok {
			w.at += len(before) + len("waiting for a change; ctrl-C ends it\n")
			w.mu.Unlock()
			return before
		}
		w.mu.Unlock()
	}
	w.t.Fatalf("it did not end:\n%s", w.out.String())
	return ""
}

var said = regexp.MustCompile(`(?m)^(\S+): (ran|reused): (.*)$`)

// steps are what is said of the steps, in order of their names.
func steps(text string) string {
	var all []string
	for _, m := range said.FindAllStringSubmatch(text, -1) {
		if m[2] == "reused" {
			continue
		}
		all = append(all, m[1]+": "+m[3])
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestWatch: edits of each kind, each with the steps that run again for it and why.
func TestWatch(t *testing.T) {
	t.Parallel()
	w := watchIt(t, "--params-file", "params.yaml")
	if got, want := steps(w.next()), "add: it is new here\nread: it is new here\ntwice: it is new here\nwrite: it is new here"; got != want {
		t.Fatalf("got %q, want %q\n%s", got, want, w.out.String())
	}
	for _, tt := range []struct {
		name string
		edit func()
		want string // steps that run
		says string // what has changed, or is wrong
	}{
		{"a Go step", func() { w.edit("watched/watched.go", "return n + 1", "return n + 2") }, "add: its code has changed\ntwice: input x is 3, was 2", "changed: watched/watched.go"},
		{"a comment", func() { w.edit("watched/watched.go", "func add", "// add adds.\nfunc add") }, "", "changed: watched/watched.go"},
		{"a Python step", func() { w.edit("watched/python.go", "2 * x", "3 * x") }, "twice: its Python source has changed", "changed: watched/python.go"},
		{"a parameter", func() { w.edit("params.yaml", "x: 1", "x: 5") }, "add: input x is 5, was 1\ntwice: input x is 7, was 3\nwrite: input x is 5, was 1", "changed: params.yaml"},
		{"the wiring", func() {
			w.edit("watched/watched.go", "y := Add.Call(s, In{X: in.X}).Out.Y\n\tTwice.Call(s, TwiceIn{X: y})", "Add.Call(s, In{X: in.X})\n\tTwice.Call(s, TwiceIn{X: in.X})")
		}, "twice: input x is 5, was 7", "twice"},
		{"an artifact", func() { w.edit("watched/watched.go", `"text"`, `"a text"`) }, "read: artifact data has another content\nwrite: its code has changed", ""},
		{"settings", func() { w.edit("watched/watched.go", "TwiceIn{X: in.X})", "TwiceIn{X: in.X}, dsl.Env(\"A\", \"b\"))") }, "twice: its settings have changed", ""},
		{"a new file", func() {
			w.save("watched/more.go", "package watched\n\nfunc init() { offset = 3 }\n\nvar offset int\n")
		}, "add: its code has changed\nread: its code has changed\nwrite: its code has changed", "changed: watched/more.go"},
		{"a broken build", func() { w.edit("watched/watched.go", "return n + 2", "return m + 2") }, "", "watched/watched.go:36:30: undefined: m"},
		{"and fixed", func() { w.edit("watched/watched.go", "return m + 2", "return n + 2") }, "", "changed: watched/watched.go"},
		{"a mistake of the pipeline", func() { w.edit("watched/python.go", `Function: "twice"`, `Function: "thrice"`) }, "", `the Python source has no function "thrice"`},
		{"and fixed too", func() { w.edit("watched/python.go", `Function: "thrice"`, `Function: "twice"`) }, "", "changed: watched/python.go"},
		{"a step that fails", func() { w.edit("watched/python.go", "return 3 * x", "raise ValueError(x)") }, "twice: its Python source has changed", "kfpgo: the run failed: twice: ValueError: 5"},
	} {
		tt.edit()
		text := w.next()
		if got := steps(text); got != tt.want || !strings.Contains(text, tt.says) {
			t.Errorf("%s: what ran is\n%s\nwant\n%s\nand it says\n%s\nwhich should have %q", tt.name, got, tt.want, text, tt.says)
		}
	}
	w.cmd.Process.Signal(os.Interrupt)
	err := w.cmd.Wait()
	if w.cmd.ProcessState.ExitCode() != 130 || !strings.HasSuffix(w.out.String(), "kfpgo: interrupted\n") {
		t.Errorf("ctrl-C: %v\n%s", err, w.out.String())
	}
}

// TestWatchPicked: a schedule that was picked gives its arguments to each run, as they are
// after an edit of them too; what the command line gives wins.
func TestWatchPicked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args         []string
		edited, runs string
	}{
		{nil, "add: input x is 6, was 4\ntwice: input x is 8, was 6\nwrite: input x is 6, was 4", "4 4 6"},
		{[]string{"-p", "x=1"}, "", "1 1 1"},
	} {
		w := watchPipeline(t, "./watched#Nightly", c.args...)
		w.next()
		w.edit("watched/watched.go", "return n + 1", "return n + 2")
		if text := w.next(); !strings.Contains(steps(text), "add: its code has changed\ntwice: input x is ") {
			t.Errorf("%q: an edit of a step: %s\n%s", c.args, steps(text), text)
		}
		w.edit("watched/schedule.go", "dsl.Const(4)", "dsl.Const(6)")
		if text := w.next(); steps(text) != c.edited {
			t.Errorf("%q: an edit of the schedule: %s\n%s", c.args, steps(text), text)
		}
		files, err := filepath.Glob(filepath.Join(w.dir, "home", "runs", "*", "run.json"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range files {
			var r run.Run
			b, err := os.ReadFile(file)
			if err := cmp.Or(err, json.Unmarshal(b, &r)); err != nil || r.Schedule != "nightly" {
				t.Errorf("%q: %s is of schedule %q, %v", c.args, file, r.Schedule, err)
			}
			got = append(got, string(r.Params["x"]))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.runs {
			t.Errorf("%q: the runs have x = %q, want %s", c.args, got, c.runs)
		}
		w.cmd.Process.Signal(os.Interrupt)
		w.cmd.Wait()
	}
}

// TestWatchBurst: many saves are one change, and one that comes while the steps run
// stops them.
func TestWatchBurst(t *testing.T) {
	w := watchIt(t)
	w.next()
	for i := range 20 {
		w.save("watched/more.go", "package watched\n\nvar _ = "+strings.Repeat("1+", i)+"1\n")
		time.Sleep(20 * time.Millisecond)
	}
	if text := w.next(); strings.Count(text, "changed: ") != 1 {
		t.Errorf("a burst is not one change:\n%s", text)
	}
	w.edit("watched/python.go", "return 2 * x", "import time; time.sleep(60); return x")
	w.until("twice: started")
	w.edit("watched/python.go", "import time; time.sleep(60); return x", "return 7 * x")
	text := w.next()
	if !strings.Contains(text, "stopped, since something has changed meanwhile") || !strings.Contains(text, "state    SUCCEEDED") {
		t.Errorf("it was not stopped and run again:\n%s", text)
	}
	w.edit("watched/python.go", "return 7 * x", "import time; time.sleep(1e6); return x")
	w.until("twice: started")
	w.cmd.Process.Signal(syscall.SIGINT)
	if w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("ctrl-C during a run: exit code %d", w.cmd.ProcessState.ExitCode())
	}
}

// until waits for a text after what was looked at.
func (w *watched) until(text string) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		w.mu.Lock()
		ok := strings.Contains(w.out.String()[w.at:], text)
		if ok {
			w.at += strings.Index(w.out.String()[w.at:], text) + len(text)
		}
		w.mu.Unlock()
		if ok {
			return
		}
	}
	w.t.Fatalf("%q was not said:\n%s", text, w.out.String())
}
