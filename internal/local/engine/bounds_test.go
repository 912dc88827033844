package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

type bigOut struct {
	Text dsl.Param[string]
	Data dsl.Dataset `kfp:",optional"`
}

// TestLimits: what a step hands back is bounded, and the error names the output and
// says what to do.
func TestLimits(t *testing.T) {
	big := dsl.Func("big", func(_ context.Context, in textIn, out *bigOut) error {
		what, size, _ := strings.Cut(in.Text.Get(), " ")
		n, _ := strconv.Atoi(size)
		text := strings.Repeat("ü", n/2)
		switch out.Text.Set(""); what {
		case "parameter":
			out.Text.Set(text)
		case "metadata":
			out.Data.SetMetadata("text", text)
		case "error":
			return errors.New(text)
		}
		return nil
	})
	p := dsl.Pipeline("limits", func(s *dsl.Scope, in textIn) dsl.None { big.Call(s, in); return dsl.None{} })
	for what, want := range map[string]string{
		"parameter 262142":   "",
		"parameter 262144":   "big: output text has more than 262144 bytes; write it to the file of an artifact",
		"parameter 20000000": "big: the outputs have more than 16777216 bytes together; write large values to the file of an artifact",
		"metadata 200000":    "",
		"metadata 300000":    "big: the metadata of output data has more than 262144 bytes; write it to the file of an artifact",
		"error 1000000":      "big: " + strings.Repeat("ü", 2048) + "…",
	} {
		r := start(t, t.Context(), p, engine.Options{}, `{"text":"`+what+`"}`)
		if !strings.HasPrefix(r.Error, want) || (want == "") != (r.State == run.Succeeded) || len(r.Error) > 4200 {
			t.Errorf("%s: %s, %.200s", what, r.State, r.Error)
		}
		if info, err := os.Stat(filepath.Join(r.Dir, "run.json")); err != nil || info.Size() > 600_000 {
			t.Errorf("%s: run.json has %d bytes, %v", what, info.Size(), err)
		}
	}
}

// TestManyItems: however long a list is, few of its iterations are under way.
func TestManyItems(t *testing.T) {
	const items = 3000
	before := runtime.NumGoroutine()
	var most atomic.Int64
	step := dsl.Func("step", func(_ context.Context, in numIn, out *numOut) error {
		most.Store(max(most.Load(), int64(runtime.NumGoroutine())))
		out.N.Set(in.N.Get())
		return nil
	})
	p := dsl.Pipeline("many", func(s *dsl.Scope, in manyIn) manyOut {
		each := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int64]) numOut { return step.Call(s, numIn{n}).Out })
		return manyOut{dsl.Collected(each.Each.N)}
	})
	list := make([]int, items)
	for i := range list {
		list[i] = i
	}
	b, _ := json.Marshal(map[string]any{"list": list})
	r := start(t, t.Context(), p, engine.Options{NoCache: true, Parallel: 2}, string(b))
	var got []int
	if err := json.Unmarshal(r.Outputs["n"], &got); err != nil || len(got) != items || got[items-1] != items-1 {
		t.Errorf("%s, %d items, %v: %s", r.State, len(got), err, r.Error)
	}
	if n := int(most.Load()) - before; n > 1000 {
		t.Errorf("%d goroutines for %d items, 2 at once", n, items)
	}
}

type manyIn struct{ List dsl.Param[[]int64] }
type manyOut struct{ N dsl.Param[[]int64] }

// TestRunID: an ID names one folder below that of the runs, and a run that has it stays.
func TestRunID(t *testing.T) {
	p := dsl.Pipeline("ids", func(s *dsl.Scope, in numIn) numOut { return double.Call(s, in).Out })
	home := filepath.Join(t.TempDir(), "a", "home")
	for _, id := range []string{"../../x", "..", "/abs", "a/b", "new\nline", strings.Repeat("x", 300)} {
		if r, err := try(t, t.Context(), p, engine.Options{Home: home, ID: id}, `{"n":1}`); err == nil || !strings.Contains(err.Error(), "run ID ") {
			t.Errorf("%q: %v, %v", id, r, err)
		}
	}
	start(t, t.Context(), p, engine.Options{Home: home, ID: "mine"}, `{"n":1}`)
	record, err := os.ReadFile(filepath.Join(home, "runs", "mine", "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := try(t, t.Context(), p, engine.Options{Home: home, ID: "mine"}, `{"n":2}`); err == nil || !strings.Contains(err.Error(), "there is a run of that ID") {
		t.Errorf("the second run: %v", err)
	}
	if now, err := os.ReadFile(filepath.Join(home, "runs", "mine", "run.json")); err != nil || string(now) != string(record) {
		t.Errorf("the first run's record has changed: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(home)); len(entries) != 1 {
		t.Errorf("beside the home there are %v", entries)
	}
}

// TestPrivate: what a run writes of its parameters is for its user alone, in a home
// that others may enter, too.
func TestPrivate(t *testing.T) {
	home := t.TempDir()
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	r := start(t, t.Context(), one(echo), engine.Options{Home: home}, `{"text":"a secret"}`)
	for _, dir := range []string{"runs", filepath.Join("runs", r.ID)} {
		if info, err := os.Stat(filepath.Join(home, dir)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode().Perm(), err)
		}
	}
	files := 0
	err := filepath.WalkDir(home, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if files++; err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", file, info.Mode().Perm())
		}
		return err
	})
	if err != nil || files < 5 {
		t.Errorf("%d files, %v", files, err)
	}
}

// TestLeftovers: what a step that ended well has left running ends with it.
func TestLeftovers(t *testing.T) {
	const source = `
import subprocess

def leaves(text: str) -> str:
    with open(text, 'w') as f:
        f.write(str(subprocess.Popen(['sleep', '1000']).pid))
    return 'well'
`
	leaves := dsl.Python[textIn, textOut]("leaves", dsl.PythonSource{Source: source, Function: "leaves", Image: "python:3.12"})
	file := filepath.Join(t.TempDir(), "pid")
	r := start(t, t.Context(), one(leaves), engine.Options{}, `{"text":"`+file+`"}`)
	b, err := os.ReadFile(file)
	if err != nil || r.State != run.Succeeded {
		t.Fatal(r.State, r.Error, err)
	}
	pid, err := strconv.Atoi(string(b))
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		stat, err := os.ReadFile("/proc/" + string(b) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") || exists(pid) != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// TestFatal: a function that ends its goroutine, as Fatal of a test does in a fake, is a
// step that fails, and the run ends.
func TestFatal(t *testing.T) {
	quits := dsl.Func("quits", func(context.Context, textIn, *textOut) error {
		runtime.Goexit()
		return nil
	})
	if r := start(t, t.Context(), one(quits), engine.Options{}, `{"text":""}`); r.State != run.Failed || !strings.Contains(r.Error, "runtime.Goexit") {
		t.Errorf("%s: %s", r.State, r.Error)
	}
	panics := dsl.Func("panics", func(context.Context, textIn, *textOut) error { panic("no way") })
	r := start(t, t.Context(), one(panics), engine.Options{}, `{"text":""}`)
	log, err := os.ReadFile(filepath.Join(r.Dir, "tasks", "panics", "log.1"))
	if want := "panics: panic at bounds_test.go:"; err != nil || !strings.HasPrefix(r.Error, want) || !strings.Contains(string(log), "\n"+want) || !strings.HasPrefix(string(log), "goroutine ") {
		t.Errorf("%s, %v; its log is %s", r.Error, err, log)
	}
}
