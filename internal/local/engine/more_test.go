package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// TestInProcessVariables gives steps of this process their variables and mounts,
// and takes them away again.
func TestInProcessVariables(t *testing.T) {
	step := dsl.Func("step", func(_ context.Context, in textIn, out *textOut) error {
		dir := dsl.MountPath("/data")
		if dir == "/data" {
			return errors.New("the claim is not mounted")
		}
		out.Text.Set(os.Getenv("COLOR"))
		return os.WriteFile(filepath.Join(dir, in.Text.Get()), nil, 0o644)
	})
	p := dsl.Pipeline("variables", func(s *dsl.Scope, in textIn) dsl.None {
		step.Call(s, in, k8s.MountPVC("one", "/data"), dsl.Env("COLOR", "red"))
		step.Call(s, in, k8s.MountPVC("two", "/data"), dsl.Env("COLOR", "blue"))
		return dsl.None{}
	})
	home := t.TempDir()
	r := start(t, t.Context(), p, engine.Options{Home: home}, `{"text":"f"}`)
	if r.State != run.Succeeded || string(r.Tasks[0].Outputs["text"]) != `"red"` || string(r.Tasks[1].Outputs["text"]) != `"blue"` {
		t.Errorf("%s: %v", r.Error, r.Tasks)
	}
	for _, claim := range []string{"one", "two"} {
		if _, err := os.Stat(filepath.Join(home, "volumes", claim, "f")); err != nil {
			t.Error(err)
		}
	}
	if os.Getenv("COLOR") != "" || os.Getenv("KFPGO_MOUNTS") != "" {
		t.Error("variables of a step are left in this process")
	}
}

// TestBackoff lets other steps run while one waits for its next attempt.
func TestBackoff(t *testing.T) {
	other := make(chan struct{})
	flaky := dsl.Func("flaky", func(context.Context, dsl.None, *dsl.None) error {
		select {
		case <-other:
			return nil
		default:
			return errors.New("the other one has not run")
		}
	})
	quick := dsl.Func("quick", func(context.Context, dsl.None, *dsl.None) error {
		select {
		case <-other:
		default:
			close(other)
		}
		return nil
	})
	p := dsl.Pipeline("backoff", func(s *dsl.Scope, _ dsl.None) dsl.None {
		flaky.Call(s, dsl.None{}, dsl.Retry(1, dsl.Backoff{Initial: 2 * time.Second}))
		quick.Call(s, dsl.None{})
		return dsl.None{}
	})
	if r := start(t, t.Context(), p, engine.Options{Parallel: 1}, ""); r.State != run.Succeeded {
		t.Errorf("%s", r.Error)
	}
}

// TestMessage shows all lines of a message of several.
func TestMessage(t *testing.T) {
	r := start(t, t.Context(), one(python("fails")), engine.Options{}, `{"text":"first\nsecond"}`)
	if !strings.HasPrefix(r.Error, "fails: ValueError: first\nsecond at line") {
		t.Errorf("got %s", r.Error)
	}
}

// TestKnownConditions refuses what runs under a condition on the run's
// parameters, and not what such a condition rules out.
func TestKnownConditions(t *testing.T) {
	type in struct {
		Trainer dsl.Param[string]
		Extra   dsl.Param[string] `kfp:",optional"`
	}
	p := dsl.Pipeline("known", func(s *dsl.Scope, in in) dsl.None {
		dsl.If(s, dsl.Eq(in.Trainer, "big"), func(s *dsl.Scope) { echo.Call(s, textIn{in.Trainer}, dsl.GPU(3)) })
		dsl.If(s, dsl.Given(in.Extra), func(s *dsl.Scope) { echo.Call(s, textIn{in.Trainer}, dsl.GPU(4)) })
		made := echo.Call(s, textIn{in.Trainer})
		dsl.If(s, dsl.Eq(made.Out.Text, "never"), func(s *dsl.Scope) { echo.Call(s, textIn{in.Trainer}, dsl.GPU(5)) })
		return dsl.None{}
	})
	none := 0
	if r := start(t, t.Context(), p, engine.Options{GPUs: &none}, `{"trainer":"small"}`); r.State != run.Succeeded {
		t.Errorf("%s", r.Error)
	}
	for params, want := range map[string]string{`{"trainer":"big"}`: "asks for 3", `{"trainer":"small","extra":"x"}`: "asks for 4"} {
		_, err := try(t, t.Context(), p, engine.Options{GPUs: &none}, params)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s", params, err, want)
		}
	}
}

// TestMissingArtifact is about an input that names a file that isn't there.
func TestMissingArtifact(t *testing.T) {
	type in struct{ Model dsl.Model }
	read := dsl.Func("read", func(_ context.Context, in in, out *textOut) error {
		b, err := os.ReadFile(in.Model.Path())
		out.Text.Set(string(b))
		return err
	})
	p := dsl.Pipeline("artifact", func(s *dsl.Scope, in in) textOut { return read.Call(s, in).Out })
	file := filepath.Join(t.TempDir(), "model")
	params := `{"model":"` + file + `"}`
	if _, err := try(t, t.Context(), p, engine.Options{}, params); err == nil || !strings.Contains(err.Error(), "pipeline artifact: input model") {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(file, []byte("weights"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := start(t, t.Context(), p, engine.Options{}, params); string(r.Outputs["text"]) != `"weights"` {
		t.Errorf("%s", r.Error)
	}
}

// TestClaimFromSnapshot refuses to make an empty claim of one that isn't.
func TestClaimFromSnapshot(t *testing.T) {
	p := dsl.Pipeline("snapshot", func(s *dsl.Scope, _ dsl.None) dsl.None {
		k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
			Name: dsl.Const("data"), Size: dsl.Const("1Gi"), AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteOnce}), DataSource: k8s.FromSnapshot("backup"),
		})
		return dsl.None{}
	})
	if _, err := try(t, t.Context(), p, engine.Options{}, ""); err == nil || !strings.Contains(err.Error(), "target local has no k8s.FromSnapshot, FromPVC: only a cluster has") {
		t.Errorf("error %v", err)
	}
}

// TestSkippedGroup tells the exit handler of a group that never ran.
func TestSkippedGroup(t *testing.T) {
	p := dsl.Pipeline("skipped", func(s *dsl.Scope, in numIn) dsl.None {
		bad := fail.Call(s, in)
		dsl.Group(s, func(s *dsl.Scope) {
			dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
				echo.Call(s, textIn{dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
			})
			double.Call(s, numIn{bad.Out.N})
		})
		return dsl.None{}
	})
	r := start(t, t.Context(), p, engine.Options{}, `{"n":1}`)
	for _, task := range r.Tasks {
		if task.Name == "echo" && string(task.Outputs["text"]) != `"FAILED"` {
			t.Errorf("echo %s: %s", task.State, task.Outputs["text"])
		}
	}
	wantStates(t, r, map[string]run.State{"exit-handler-1": run.Skipped, "echo": run.Succeeded})
}

// TestLoopOverStep repeats a step that has no DAG of its own, as other people's
// IR may have it, over many, one and no items.
func TestLoopOverStep(t *testing.T) {
	number, list := graph.Type{Name: "NUMBER_INTEGER"}, graph.Type{Name: "LIST"}
	p := &program.Program{
		Name: "loop", Main: "loop",
		Components: []*program.Component{
			{
				Name: "loop", Inputs: []program.Port{{Name: "list", Type: list}}, Outputs: []program.Port{{Name: "out", Type: list}},
				DAG: &program.DAG{
					Kind: program.Pipeline, Outputs: map[string]program.Export{"out": {From: []program.From{{Task: "each", Output: "n"}}}},
					Tasks: []*program.Task{{Name: "each", Component: "step", Each: &program.Each{Items: program.Value{Kind: program.Input, Name: "list"}, Item: "n"}}},
				},
			},
			{
				Name: "step", Inputs: []program.Port{{Name: "n", Type: number}}, Outputs: []program.Port{{Name: "n", Type: number}},
				Exec: &program.Executor{Go: &program.GoStep{Name: "step"}},
			},
		},
	}
	same := func(_ context.Context, _ string, input json.RawMessage) (json.RawMessage, error) {
		var x struct {
			Inputs struct{ ParameterValues json.RawMessage }
		}
		if err := json.Unmarshal(input, &x); err != nil {
			return nil, err
		}
		return json.RawMessage(`{"parameterValues":` + string(x.Inputs.ParameterValues) + `}`), nil
	}
	for _, items := range []string{`[9007199254740993,1,-9223372036854775808]`, `[5]`, `[]`} {
		r, err := engine.Run(t.Context(), p, engine.Options{Home: t.TempDir(), InProcess: same, Params: map[string]json.RawMessage{"list": json.RawMessage(items)}})
		if err != nil || string(r.Outputs["out"]) != items {
			t.Errorf("%s: %v, %v", items, r, err)
		}
	}
}

// TestUnsound refuses programs that could not end.
func TestUnsound(t *testing.T) {
	step := &program.Component{Name: "step", Exec: &program.Executor{Go: &program.GoStep{Name: "step"}}}
	output := map[string]program.Value{"n": {Kind: program.Output, Task: "b", Name: "n"}}
	for want, tasks := range map[string][]*program.Task{
		"task a of main follows b, which is not a task before it": {{Name: "a", Component: "step", After: []string{"b"}}, {Name: "b", Component: "step"}},
		"task a of main follows a, which is not a task before it": {{Name: "a", Component: "step", After: []string{"a"}}},
		"task a of main reads b.n, which it doesn't follow":       {{Name: "b", Component: "step"}, {Name: "a", Component: "step", Args: output}},
		"task a of main: no component other":                      {{Name: "a", Component: "other"}},
		"output x of main is of task gone, which it doesn't have": {},
	} {
		dag := &program.DAG{Kind: program.Pipeline, Tasks: tasks}
		if tasks = dag.Tasks; len(tasks) == 0 {
			dag.Outputs = map[string]program.Export{"x": {From: []program.From{{Task: "gone", Output: "x"}}}}
		}
		p := &program.Program{Name: "p", Main: "main", Components: []*program.Component{{Name: "main", DAG: dag}, step}}
		if _, err := engine.Run(t.Context(), p, engine.Options{Home: t.TempDir()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestCache takes equal steps from the cache, and not those that differ in their
// inputs, their image, or the program.
func TestCache(t *testing.T) {
	type in struct{ Text, Image dsl.Param[string] }
	step := python("variables")
	p := dsl.Pipeline("cache", func(s *dsl.Scope, in in) textOut {
		return step.Call(s, textIn{in.Text}, dsl.Image(in.Image)).Out
	})
	home := t.TempDir()
	for _, tt := range []struct {
		params string
		o      engine.Options
		want   run.State
	}{
		{`{"text":"A","image":"x"}`, engine.Options{}, run.Succeeded},
		{`{"text":"A","image":"x"}`, engine.Options{}, run.Cached},
		{`{"text":"A","image":"y"}`, engine.Options{}, run.Succeeded},
		{`{"text":"B","image":"x"}`, engine.Options{}, run.Succeeded},
		{`{"text":"A","image":"x"}`, engine.Options{NoCache: true}, run.Succeeded},
		{`{"text":"A","image":"y"}`, engine.Options{}, run.Cached},
	} {
		tt.o.Home = home
		if r := start(t, t.Context(), p, tt.o, tt.params); r.Tasks[0].State != tt.want || string(r.Outputs["text"]) != `"-"` {
			t.Errorf("%s %v: %s, want %s; %s", tt.params, tt.o.NoCache, r.Tasks[0].State, tt.want, r.Error)
		}
	}
}

// TestLongLoop has a record that grows with the number of items, not its square.
func TestLongLoop(t *testing.T) {
	p := dsl.Pipeline("long", func(s *dsl.Scope, in listIn) dsl.None {
		dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int64]) dsl.None {
			double.Call(s, numIn{n})
			return dsl.None{}
		})
		return dsl.None{}
	})
	const n = 2000
	r := start(t, t.Context(), p, engine.Options{}, `{"list":[`+strings.Repeat("1,", n-1)+`1]}`)
	info, err := os.Stat(filepath.Join(r.Dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r.State != run.Succeeded || len(r.Tasks) != 2*n+1 || info.Size() > 2000*n {
		t.Errorf("%s, %d tasks, %d bytes", r.State, len(r.Tasks), info.Size())
	}
}
