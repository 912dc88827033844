package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Public bug reports about pipeline SDKs, as small runs; each has the value that is right.

// TestTextCondition: a condition compares text as text, whatever is in it.
func TestTextCondition(t *testing.T) {
	for _, text := range []string{"a b c", "it's \"c\"", "true", "1", "", "a == b && {{c}}"} {
		p := dsl.Pipeline("text", func(s *dsl.Scope, in textIn) dsl.None {
			dsl.If(s, dsl.Eq(in.Text, text), func(s *dsl.Scope) { echo.Call(s, in) })
			return dsl.None{}
		})
		for value, want := range map[string]run.State{text: run.Succeeded, text + " ": run.Skipped} {
			params, err := json.Marshal(map[string]string{"text": value})
			if err != nil {
				t.Fatal(err)
			}
			wantStates(t, start(t, t.Context(), p, engine.Options{}, string(params)), map[string]run.State{"condition-1": want})
		}
	}
}

// TestSkippedLoop: a loop that is skipped needs nothing of the step that makes its list,
// which never ran either.
func TestSkippedLoop(t *testing.T) {
	list := dsl.Func("list", func(_ context.Context, in numIn, out *listOut) error {
		out.List.Set([]int64{in.N.Get()})
		out.Text.Set("made")
		return nil
	})
	p := dsl.Pipeline("skipped", func(s *dsl.Scope, in numIn) dsl.None {
		dsl.If(s, dsl.Gt(in.N, 0), func(s *dsl.Scope) {
			made := list.Call(s, in)
			dsl.If(s, dsl.Eq(made.Out.Text, "made"), func(s *dsl.Scope) {
				dsl.ParallelFor(s, made.Out.List, func(s *dsl.Scope, n dsl.Param[int64]) dsl.None {
					double.Call(s, numIn{n})
					return dsl.None{}
				})
			})
		})
		return dsl.None{}
	})
	r := start(t, t.Context(), p, engine.Options{}, `{"n":0}`)
	if r.State != run.Succeeded {
		t.Errorf("%s: %s", r.State, r.Error)
	}
	wantStates(t, r, map[string]run.State{"condition-1": run.Skipped})
	r = start(t, t.Context(), p, engine.Options{}, `{"n":4}`)
	wantStates(t, r, map[string]run.State{"condition-1/condition-2/for-loop-3/0/double": run.Succeeded})
}

const sameAgainPy = `
def same(value: dict) -> dict:
    assert [type(v).__name__ for v in value['a']] == ['float', 'float'], value
    assert [type(v).__name__ for v in value['b']] == ['int', 'int', 'int'], value
    return value
`

// TestWholeNumbers: whole numbers stay whole, and fractions fractions, through steps in
// Python and in Go.
func TestWholeNumbers(t *testing.T) {
	type typed struct {
		Value dsl.Param[lists]
	}
	type typedOut struct {
		Output dsl.Param[lists] `kfp:"Output"`
	}
	python := dsl.Python[typed, typedOut]("same-python", dsl.PythonSource{Source: sameAgainPy, Function: "same", Image: "python:3.12"})
	golang := dsl.Func("same-go", func(_ context.Context, in typed, out *typedOut) error {
		out.Output.Set(in.Value.Get())
		return nil
	})
	p := dsl.Pipeline("numbers", func(s *dsl.Scope, in typed) typedOut {
		return golang.Call(s, typed{python.Call(s, in).Out.Output}).Out
	})
	r := start(t, t.Context(), p, engine.Options{}, `{"value":{"a":[0.1,1.0],"b":[5,50,1]}}`)
	if got := string(r.Outputs["Output"]); got != `{"a":[0.1,1],"b":[5,50,1]}` {
		t.Errorf("%s, %s", got, r.Error)
	}
	for _, task := range r.Tasks {
		if task.Name == "same-python" && string(task.Outputs["Output"]) != `{"a":[0.1,1.0],"b":[5,50,1]}` {
			t.Errorf("from Python: %s", task.Outputs["Output"])
		}
	}
}

type lists struct {
	A []float64 `json:"a"`
	B []int     `json:"b"`
}

// TestFailedStep: a step that fails is a run that fails, and nothing follows it.
func TestFailedStep(t *testing.T) {
	p := dsl.Pipeline("fails", func(s *dsl.Scope, in textIn) textOut {
		return echo.Call(s, textIn(python("fails").Call(s, in).Out)).Out
	})
	r := start(t, t.Context(), p, engine.Options{}, `{"text":"no"}`)
	if r.State != run.Failed || len(r.Outputs) > 0 {
		t.Errorf("%s with outputs %v", r.State, r.Outputs)
	}
	wantStates(t, r, map[string]run.State{"fails": run.Failed, "echo": run.Skipped})
}

// TestNoContainerTool: a run of Go and Python steps looks for no container tool.
func TestNoContainerTool(t *testing.T) {
	bin, asked := t.TempDir(), filepath.Join(t.TempDir(), "asked")
	for _, tool := range []string{"podman", "docker"} {
		if err := os.WriteFile(filepath.Join(bin, tool), []byte("#!/bin/sh\necho "+tool+" >>"+asked+"\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	p := dsl.Pipeline("plain", func(s *dsl.Scope, in textIn) textOut {
		return python("variables").Call(s, textIn(echo.Call(s, in).Out)).Out
	})
	if r := start(t, t.Context(), p, engine.Options{}, `{"text":"HOME"}`); r.State != run.Succeeded {
		t.Errorf("%s: %s", r.State, r.Error)
	}
	if b, err := os.ReadFile(asked); err == nil {
		t.Errorf("asked %s", strings.Fields(string(b)))
	}
	box := dsl.Container("box", func(in textIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"true"}}
	})
	p2 := dsl.Pipeline("box", func(s *dsl.Scope, in textIn) dsl.None { box.Call(s, in); return dsl.None{} })
	if _, err := try(t, t.Context(), p2, engine.Options{}, `{"text":"x"}`); err == nil || !strings.Contains(err.Error(), "box") {
		t.Errorf("without a tool that answers: %v", err)
	}
	if _, err := os.Stat(asked); err != nil {
		t.Error("the tools were not asked")
	}
}

// TestArtifactInput: an input of a pipeline that is an artifact is given by path or URI.
func TestArtifactInput(t *testing.T) {
	type in struct{ Model dsl.Model }
	read := dsl.Func("read", func(_ context.Context, in in, out *textOut) error {
		b, err := os.ReadFile(in.Model.Path())
		out.Text.Set(string(b))
		return err
	})
	p := dsl.Pipeline("artifact", func(s *dsl.Scope, in in) textOut { return read.Call(s, in).Out })
	file := filepath.Join(t.TempDir(), "a model #1")
	if err := os.WriteFile(file, []byte("weights"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, given := range []string{file, "file://" + file} {
		r := start(t, t.Context(), p, engine.Options{}, `{"model":"`+given+`"}`)
		if string(r.Outputs["text"]) != `"weights"` {
			t.Errorf("%s: %s, %s", given, r.Outputs["text"], r.Error)
		}
	}
}
