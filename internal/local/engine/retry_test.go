package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// TestRetriedPipeline: a pipeline that is called as a task runs again, all of it, as
// often as it is said; each task is recorded once, with the logs of all tries.
func TestRetriedPipeline(t *testing.T) {
	for _, c := range []struct {
		name        string
		fails, most int // tries that fail, and retries
		want        run.State
		ran         int32
	}{
		{"in the end", 2, 2, run.Succeeded, 3},
		{"never", 3, 1, run.Failed, 2},
		{"at once", 0, 2, run.Succeeded, 1},
	} {
		var tries atomic.Int32
		flaky := dsl.Func("flaky", func(_ context.Context, in numIn, out *numOut) error {
			if int(tries.Add(1)) <= c.fails {
				return errors.New("not yet")
			}
			out.N.Set(in.N.Get())
			return nil
		})
		inner := dsl.Pipeline("inner", func(s *dsl.Scope, in numIn) numOut {
			first := double.Call(s, in)
			list := dsl.ParallelFor(s, dsl.Const([]int64{1, 2}), func(s *dsl.Scope, n dsl.Param[int64]) numOut {
				return double.Call(s, numIn{n}).Out
			})
			_ = list
			return numOut{flaky.Call(s, numIn{first.Out.N}).Out.N}
		})
		p := dsl.Pipeline("outer", func(s *dsl.Scope, in numIn) numOut {
			return numOut{inner.Call(s, in, dsl.Retry(c.most, dsl.Backoff{Initial: time.Millisecond, Max: 2 * time.Millisecond})).Out.N}
		})
		r := start(t, t.Context(), p, engine.Options{}, `{"n": 4}`)
		if r.State != c.want || tries.Load() != c.ran {
			t.Errorf("%s: %s after %d tries, want %s after %d: %s", c.name, r.State, tries.Load(), c.want, c.ran, r.Error)
		}
		seen := map[string]bool{}
		for _, task := range r.Tasks {
			if seen[task.Path] {
				t.Errorf("%s: %s is there twice", c.name, task.Path)
			}
			seen[task.Path] = true
			if task.Name == "flaky" && (task.Attempts != int(c.ran) || len(task.Logs) != int(c.ran)) {
				t.Errorf("%s: %s has %d attempts and the logs %v, want %d", c.name, task.Path, task.Attempts, task.Logs, c.ran)
			}
		}
		if c.want == run.Succeeded && string(r.Outputs["n"]) != "8" {
			t.Errorf("%s: the output is %s", c.name, r.Outputs["n"])
		}
	}
}

// TestExitsRun: what a cache may be asked for in an exit handler: nothing, unless the
// task or the pipeline around it says so; and so of what was read from a file of the SDK.
func TestExitsRun(t *testing.T) {
	const exit, off, free = "it runs at the end of every run", "its caching is off", "its code is unknown"
	clean := dsl.Pipeline("clean", func(s *dsl.Scope, in textIn) dsl.None {
		echo.Call(s, in, dsl.TaskKey("plain"))
		echo.Call(s, in, dsl.TaskKey("said"), dsl.Cache())
		return dsl.None{}
	})
	p := dsl.Pipeline("exits", func(s *dsl.Scope, in textIn) dsl.None {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) {
			echo.Call(s, in, dsl.TaskKey("alone"))
			echo.Call(s, in, dsl.TaskKey("cached"), dsl.Cache())
			echo.Call(s, in, dsl.TaskKey("key"), dsl.CacheKey("v1"))
			dsl.If(s, dsl.Eq(in.Text, "x"), func(s *dsl.Scope) { echo.Call(s, in, dsl.TaskKey("grouped")) })
			clean.Call(s, in, dsl.TaskKey("called"))
			clean.Call(s, in, dsl.TaskKey("called-cached"), dsl.Cache())
		})
		echo.Call(s, in, dsl.TaskKey("guarded"))
		clean.Call(s, in, dsl.TaskKey("usual"))
		clean.Call(s, in, dsl.TaskKey("usual-off"), dsl.NoCache())
		return dsl.None{}
	})
	g := recorded.Graph(p)
	lowered, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	file := lowered.Clone() // as the SDK would have compiled it
	file.IR = &program.IR{SDKVersion: "kfp-2.17.3"}
	for _, c := range file.Components {
		if c.DAG != nil {
			for _, task := range c.DAG.Tasks {
				task.Settings.NoCache = false
			}
		}
	}
	for _, c := range []struct {
		name string
		p    *program.Program
		want map[string]string
	}{
		{"Go", lowered, map[string]string{
			"alone": exit, "cached": free, "key": free, "condition-2/grouped": off, "called/plain": off, "called/said": free,
			"called-cached/plain": free, "called-cached/said": free, "guarded": free, "usual/plain": free, "usual/said": free, "usual-off/plain": off, "usual-off/said": free,
		}},
		{"a file of the SDK", file, map[string]string{
			"alone": exit, "cached": exit, "key": free, "condition-2/grouped": off, "called/plain": off, "called/said": off, "guarded": free,
		}},
	} {
		if n := len(c.p.CachedExits()); (n > 0) != (c.p.IR != nil) {
			t.Errorf("%s: vet is told of %d tasks", c.name, n)
		}
		var mu sync.Mutex
		got := map[string]string{}
		r, err := engine.Run(t.Context(), c.p, engine.Options{
			Home: t.TempDir(), Params: map[string]json.RawMessage{"text": json.RawMessage(`"x"`)},
			InProcess: func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
				step, err := record.Find([]*record.Component{record.Of(p)}, name)
				if err != nil {
					return nil, err
				}
				return step.Run(ctx, input)
			},
			Printed: func(path string, _ engine.Print, never string) {
				mu.Lock()
				defer mu.Unlock()
				got[path] = never
			},
		})
		if err != nil || r.State != run.Succeeded {
			t.Fatalf("%s: %v, %v", c.name, err, r)
		}
		for path, want := range c.want {
			found := false
			for at, never := range got {
				if strings.HasSuffix("/"+at, "/"+path) {
					found = true
					if never != want {
						t.Errorf("%s: %s: %q, want %q", c.name, at, never, want)
					}
				}
			}
			if !found {
				t.Errorf("%s: %s didn't run; there are %v", c.name, path, got)
			}
		}
	}
}
