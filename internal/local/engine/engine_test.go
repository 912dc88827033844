package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type numIn struct{ N dsl.Param[int64] }
type numOut struct{ N dsl.Param[int64] }

var double = dsl.Func("double", func(_ context.Context, in numIn, out *numOut) error {
	out.N.Set(2 * in.N.Get())
	return nil
})

var fail = dsl.Func("fail", func(_ context.Context, in numIn, out *numOut) error {
	return fmt.Errorf("no %d today", in.N.Get())
})

type textIn struct{ Text dsl.Param[string] }
type textOut struct{ Text dsl.Param[string] }

var echo = dsl.Func("echo", func(_ context.Context, in textIn, out *textOut) error {
	out.Text.Set(in.Text.Get())
	return nil
})

// start lowers a pipeline and runs its steps in this process.
func start(t *testing.T, ctx context.Context, d dsl.Definition, o engine.Options, params string) *run.Run {
	t.Helper()
	r, err := try(t, ctx, d, o, params)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func try(t *testing.T, ctx context.Context, d dsl.Definition, o engine.Options, params string) (*run.Run, error) {
	t.Helper()
	p := lowered.Program(t, d)
	if params != "" {
		if err := json.Unmarshal([]byte(params), &o.Params); err != nil {
			t.Fatal(err)
		}
	}
	return execute(t, ctx, d, p, o)
}

// execute runs the program of a pipeline.
func execute(t *testing.T, ctx context.Context, d dsl.Definition, p *program.Program, o engine.Options) (*run.Run, error) {
	t.Helper()
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	o.InProcess = func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
		c, err := record.Find([]*record.Component{record.Of(d)}, name)
		if err != nil {
			return nil, err
		}
		return c.Run(ctx, input)
	}
	r, err := engine.Run(ctx, p, o)
	if err == nil {
		check(t, r)
	}
	return r, err
}

// check reads run.json back and checks that it says what the run does.
func check(t *testing.T, r *run.Run) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.Dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	var back run.Run
	if err := json.Unmarshal(b, &back); err != nil || back.State != r.State || len(back.Tasks) != len(r.Tasks) {
		t.Errorf("run.json: %v, state %s with %d tasks", err, back.State, len(back.Tasks))
	}
	for _, task := range r.Tasks {
		if !task.State.Done() {
			t.Errorf("task %s is %s at the end", task.Path, task.State)
		}
	}
}

func states(r *run.Run) map[string]run.State {
	m := map[string]run.State{}
	for _, t := range r.Tasks {
		m[t.Path] = t.State
	}
	return m
}

func wantStates(t *testing.T, r *run.Run, want map[string]run.State) {
	t.Helper()
	got := states(r)
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got[path] != want[path] {
			t.Errorf("%s is %q, want %s", path, got[path], want[path])
		}
	}
	if t.Failed() {
		t.Logf("states %v, error %q", got, r.Error)
	}
}

type listIn struct{ List dsl.Param[[]int64] }
type listOut struct {
	List dsl.Param[[]int64]
	Text dsl.Param[string]
}

// TestValues passes awkward values through steps, texts, loops and fields.
func TestValues(t *testing.T) {
	type rec struct {
		Name dsl.Param[string] `json:"name"`
		Big  dsl.Param[int64]  `json:"big"`
	}
	type in struct {
		Text dsl.Param[string]
		List dsl.Param[[]int64]
		Recs dsl.Param[[]rec]
		Flag dsl.Param[string] `kfp:",optional"`
	}
	type out struct {
		Text  dsl.Param[string]
		List  dsl.Param[[]int64]
		Names dsl.Param[[]string]
	}
	p := dsl.Pipeline("values", func(s *dsl.Scope, in in) out {
		text := echo.Call(s, textIn{dsl.Sprintf("<%v> %v", in.Text, 5)})
		each := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] {
			return double.Call(s, numIn{n}).Out.N
		}, dsl.Parallelism(3))
		names := dsl.ParallelFor(s, in.Recs, func(s *dsl.Scope, r dsl.Param[rec]) dsl.Param[string] {
			double.Call(s, numIn{dsl.Fields(r).Big})
			return echo.Call(s, textIn{dsl.Fields(r).Name}).Out.Text
		})
		dsl.If(s, dsl.Given(in.Flag), func(s *dsl.Scope) { echo.Call(s, textIn{in.Flag}) })
		return out{Text: text.Out.Text, List: dsl.Collected(each.Each), Names: dsl.Collected(names.Each)}
	})
	var items []string
	var doubled []string
	for i := range 500 {
		items, doubled = append(items, fmt.Sprint(i)), append(doubled, fmt.Sprint(2*i))
	}
	r := start(t, t.Context(), p, engine.Options{Parallel: 8}, `{"text":"it's \"{{x}}\"\n$(A) é","list":[`+strings.Join(items, ",")+`],
		"recs":[{"name":"a","big":4503599627370497},{"name":"{{$}}","big":1}]}`)
	var text string
	json.Unmarshal(r.Outputs["text"], &text)
	if r.State != run.Succeeded || text != "<it's \"{{x}}\"\n$(A) é> 5" {
		t.Errorf("%s, text %q, error %s", r.State, text, r.Error)
	}
	if got, want := string(r.Outputs["list"]), "["+strings.Join(doubled, ",")+"]"; got != want {
		t.Errorf("list %s, want %s", got, want)
	}
	if got := string(r.Outputs["names"]); got != `["a","{{$}}"]` {
		t.Errorf("names %s", got)
	}
	wantStates(t, r, map[string]run.State{"condition-3": run.Skipped, "for-loop-2/0/double-2": run.Succeeded})
	for _, task := range r.Tasks {
		if task.Path == "for-loop-2/0/double-2" && string(task.Outputs["n"]) != "9007199254740994" {
			t.Errorf("big number %s", task.Outputs["n"])
		}
	}
}

// TestInnerListFromOutside runs two nested loops, the inner one over a list that a task outside
// of both makes: 2x3 gives 6 runs.
func TestInnerListFromOutside(t *testing.T) {
	list := dsl.Func("list", func(_ context.Context, in listIn, out *listOut) error {
		out.List.Set(in.List.Get())
		out.Text.Set("")
		return nil
	})
	p := dsl.Pipeline("nested", func(s *dsl.Scope, in listIn) dsl.None {
		inner := list.Call(s, in)
		dsl.ParallelFor(s, dsl.Const([]int64{1, 2}), func(s *dsl.Scope, _ dsl.Param[int64]) dsl.None {
			dsl.ParallelFor(s, inner.Out.List, func(s *dsl.Scope, n dsl.Param[int64]) dsl.None {
				double.Call(s, numIn{n})
				return dsl.None{}
			})
			return dsl.None{}
		})
		return dsl.None{}
	})
	n := 0
	for path, state := range states(start(t, t.Context(), p, engine.Options{}, `{"list":[7,8,9]}`)) {
		if strings.HasSuffix(path, "/double") && state == run.Succeeded {
			n++
		}
	}
	if n != 6 {
		t.Errorf("%d runs", n)
	}
}

// TestFailure skips what follows a failed task, runs what ignores it, and the
// exit handler, which learns of it. The run fails.
func TestFailure(t *testing.T) {
	type in struct {
		Status dsl.Param[dsl.FinalStatus]
	}
	var mu sync.Mutex
	var got dsl.FinalStatus
	report := dsl.Func("report", func(_ context.Context, in in, _ *dsl.None) error {
		mu.Lock()
		got = in.Status.Get()
		mu.Unlock()
		return nil
	})
	p := dsl.Pipeline("failure", func(s *dsl.Scope, in numIn) dsl.None {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			report.Call(s, reportIn(status))
		})
		bad := fail.Call(s, in)
		next := double.Call(s, numIn{bad.Out.N})
		double.Call(s, numIn{next.Out.N})
		double.Call(s, in)
		double.Call(s, in, dsl.After(bad), dsl.IgnoreUpstreamFailure())
		return dsl.None{}
	})
	r := start(t, t.Context(), p, engine.Options{}, `{"n":3}`)
	wantStates(t, r, map[string]run.State{
		"exit-handler-1": run.Failed, "exit-handler-1/fail": run.Failed, "exit-handler-1/double": run.Skipped,
		"exit-handler-1/double-2": run.Skipped, "exit-handler-1/double-3": run.Succeeded, "exit-handler-1/double-4": run.Succeeded,
		"report": run.Succeeded,
	})
	if r.State != run.Failed || r.Error != "exit-handler-1/fail: no 3 today" {
		t.Errorf("%s, %s", r.State, r.Error)
	}
	if got.State != "FAILED" || got.PipelineTask != "fail" || got.Error.Message != "no 3 today" {
		t.Errorf("final status %+v", got)
	}
}

func reportIn(status dsl.Param[dsl.FinalStatus]) struct{ Status dsl.Param[dsl.FinalStatus] } {
	return struct{ Status dsl.Param[dsl.FinalStatus] }{status}
}

// TestRetry runs a task until it succeeds, and no more often than it may.
func TestRetry(t *testing.T) {
	var calls atomic.Int64
	flaky := dsl.Func("flaky", func(_ context.Context, in numIn, out *numOut) error {
		if calls.Add(1) < in.N.Get() {
			return errors.New("not yet")
		}
		out.N.Set(calls.Load())
		return nil
	})
	p := dsl.Pipeline("retry", func(s *dsl.Scope, in numIn) numOut {
		return flaky.Call(s, in, dsl.Retry(2, dsl.Backoff{Initial: time.Millisecond})).Out
	})
	if r := start(t, t.Context(), p, engine.Options{}, `{"n":3}`); r.State != run.Succeeded || r.Tasks[0].Attempts != 3 || len(r.Tasks[0].Logs) != 3 {
		t.Errorf("%s after %d attempts: %s", r.State, r.Tasks[0].Attempts, r.Error)
	}
	calls.Store(0)
	if r := start(t, t.Context(), p, engine.Options{}, `{"n":9}`); r.State != run.Failed || r.Tasks[0].Attempts != 3 {
		t.Errorf("%s after %d attempts", r.State, r.Tasks[0].Attempts)
	}
}

// TestCancel interrupts a run: its task is told, and the exit handler runs.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	wait := dsl.Func("wait", func(ctx context.Context, _ dsl.None, _ *dsl.None) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	})
	p := dsl.Pipeline("cancel", func(s *dsl.Scope, in numIn) dsl.None {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			echo.Call(s, textIn{dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
		})
		first := wait.Call(s, dsl.None{})
		double.Call(s, in, dsl.After(first))
		return dsl.None{}
	})
	r := start(t, ctx, p, engine.Options{}, `{"n":1}`)
	wantStates(t, r, map[string]run.State{"exit-handler-1/wait": run.Cancelled, "exit-handler-1/double": run.Cancelled, "echo": run.Succeeded})
	if got := string(r.Tasks[len(r.Tasks)-1].Outputs["text"]); r.State != run.Cancelled || got != `"CANCELLED"` {
		t.Errorf("%s, exit handler got %s", r.State, got)
	}
}

func TestTimeout(t *testing.T) {
	wait := dsl.Func("wait", func(ctx context.Context, _ dsl.None, _ *dsl.None) error {
		<-ctx.Done()
		return ctx.Err()
	}, dsl.Timeout(time.Second))
	r := start(t, t.Context(), dsl.Pipeline("timeout", func(s *dsl.Scope, _ dsl.None) dsl.None {
		wait.Call(s, dsl.None{})
		return dsl.None{}
	}), engine.Options{}, "")
	if r.State != run.Failed || r.Error != "wait: it ran longer than its timeout of 1s" {
		t.Errorf("%s, %s", r.State, r.Error)
	}
}

// TestVolumes makes a claim, passes a file through it, and deletes it.
func TestVolumes(t *testing.T) {
	type in struct{ Text dsl.Param[string] }
	write := dsl.Func("write", func(_ context.Context, in in, _ *dsl.None) error { return nil })
	p := dsl.Pipeline("volumes", func(s *dsl.Scope, _ dsl.None) dsl.None {
		claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-data"), Size: dsl.Const("1Gi"), AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteOnce})})
		w := write.Call(s, in{claim.Out.Name}, k8s.MountPVC(claim.Out.Name, "/data"), k8s.MountPVC("models", "/models"))
		gone := k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim.Out.Name}, dsl.After(w))
		write.Call(s, in{claim.Out.Name}, k8s.MountPVC(claim.Out.Name, "/data"), dsl.After(gone))
		return dsl.None{}
	})
	home := t.TempDir()
	r := start(t, t.Context(), p, engine.Options{Home: home}, "")
	if r.State != run.Failed || !strings.Contains(r.Error, "-data was deleted") {
		t.Errorf("%s, %s", r.State, r.Error)
	}
	if _, err := os.Stat(filepath.Join(home, "volumes", "models")); err != nil {
		t.Errorf("a claim that the run did not make should outlive it: %v", err)
	}
}

// TestRefusals refuses a run before anything is started.
func TestRefusals(t *testing.T) {
	object := dsl.Resource("object", func(in textIn, _ dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Apply, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"}
	})
	p := dsl.Pipeline("refused", func(s *dsl.Scope, in textIn) dsl.None {
		object.Call(s, in)
		echo.Call(s, in, dsl.GPU(3))
		dsl.If(s, dsl.Eq(in.Text, "never"), func(s *dsl.Scope) { echo.Call(s, in, dsl.GPU(9)) })
		return dsl.None{}
	})
	none, home := 0, t.TempDir()
	_, err := try(t, t.Context(), p, engine.Options{GPUs: &none, Home: home}, `{"text":"a","txt":"b"}`)
	if err == nil || !strings.Contains(err.Error(), "there is no parameter txt; did you mean text?") {
		t.Errorf("got %v", err)
	}
	_, err = try(t, t.Context(), p, engine.Options{GPUs: &none, Home: home}, `{"text":"a"}`)
	for _, want := range []string{"a cluster is needed by object: there is none here", "task echo: it asks for 3 nvidia.com/gpu, and this machine has 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "9") {
		t.Errorf("a task that doesn't run is refused: %v", err)
	}
	if _, err := os.Stat(filepath.Join(home, "runs")); err == nil {
		t.Error("a run was started")
	}
}
