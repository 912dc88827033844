package argo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

// runs executes a pipeline on Argo's libraries: Go steps return their text, or the
// number after theirs, and what they were given is returned in order.
func runs(t *testing.T, d dsl.Definition, args map[string]string) (node, []string) {
	t.Helper()
	s := newSim(t, workflow(t, d, options), args)
	var given []string
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		given = append(given, fmt.Sprint(in(x, "text")))
		return write(x, map[string]any{"text": in(x, "text"), "list": []string{"x", "y", "z"}}), nil
	}
	return s.run(), given
}

type listOut struct {
	List dsl.Param[[]string]
}

var listed = dsl.Func("listed", func(context.Context, textIn, *listOut) error { return nil })

// TestTaskNamedAsPipeline: a task may be called what the pipeline is called.
//
// Reported as kfp#428.
func TestTaskNamedAsPipeline(t *testing.T) {
	example := dsl.Func("example", func(context.Context, textIn, *textOut) error { return nil })
	d := dsl.Pipeline("example", func(s *dsl.Scope, in textIn) textOut { return example.Call(s, in).Out })
	n, given := runs(t, d, map[string]string{"text": "a"})
	if n.out["text"] != `"a"` || !slices.Equal(given, []string{"a"}) {
		t.Errorf("%v %v", n, given)
	}
	seen := map[string]bool{}
	for _, tpl := range workflow(t, d, options).Spec.Templates {
		if seen[tpl.Name] {
			t.Errorf("two templates %s", tpl.Name)
		}
		seen[tpl.Name] = true
	}
}

// TestTwoReadersOfOneOf: what a one-of gives has two readers.
//
// Reported as kfp#10271.
func TestTwoReadersOfOneOf(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		say := func(text string) func(*dsl.Scope) dsl.Param[string] {
			return func(s *dsl.Scope) dsl.Param[string] { return echo.Call(s, textIn{Text: dsl.Const(text)}).Out.Text }
		}
		one := dsl.OneOf(s, dsl.Eq(in.Text, "yes"), say("if")).Else(say("else"))
		echo.Call(s, textIn{Text: one})
		echo.Call(s, textIn{Text: dsl.Sprintf("%v again", one)})
		return dsl.None{}
	})
	for text, want := range map[string][]string{"yes": {"if", "if", "if again"}, "no": {"else", "else", "else again"}} {
		if n, given := runs(t, d, map[string]string{"text": text}); n.phase != "Succeeded" || !slices.Equal(given, want) {
			t.Errorf("%s: %v %q", text, n, given)
		}
	}
}

// TestInnerListFromOutside: the list of an inner loop is made outside of both.
//
// Reported as kfp#2829.
func TestInnerListFromOutside(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		list := listed.Call(s, in).Out.List
		dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			dsl.ParallelFor(s, list, func(s *dsl.Scope, item dsl.Param[string]) dsl.None {
				echo.Call(s, textIn{Text: dsl.Sprintf("%v%v", n, item)})
				return dsl.None{}
			})
			return dsl.None{}
		})
		return dsl.None{}
	})
	if n, given := runs(t, d, map[string]string{"text": ""}); n.phase != "Succeeded" || !slices.Equal(given, []string{"", "1x", "1y", "1z", "2x", "2y", "2z"}) {
		t.Errorf("%v %q", n, given)
	}
}

// TestTaskAfterLimitedLoop: a task after a loop waits for the loop, and the
// loop's limit is on the template that fans out.
//
// Reported as kfp#10592, kfp#6588.
func TestTaskAfterLimitedLoop(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		list := listed.Call(s, in).Out.List
		var inner dsl.Handle
		dsl.ParallelFor(s, list, func(s *dsl.Scope, item dsl.Param[string]) dsl.None {
			inner = echo.Call(s, textIn{Text: item})
			return dsl.None{}
		}, dsl.Parallelism(2))
		echo.Call(s, in, dsl.After(inner))
		return dsl.None{}
	})
	if n, given := runs(t, d, map[string]string{"text": "p"}); n.phase != "Succeeded" || !slices.Equal(given, []string{"p", "x", "y", "z", "p"}) {
		t.Errorf("%v %q", n, given)
	}
	w := workflow(t, d, options)
	for _, tpl := range w.Spec.Templates {
		fans := tpl.DAG != nil && slices.ContainsFunc(tpl.DAG.Tasks, func(task wfv1.DAGTask) bool { return task.WithParam != "" })
		if (tpl.Parallelism != nil) != fans || fans && *tpl.Parallelism != 2 {
			t.Errorf("template %s: fans out %v, parallelism %v", tpl.Name, fans, tpl.Parallelism)
		}
		for _, task := range w.Spec.Templates[0].DAG.Tasks {
			if task.Template == "echo" && task.Depends != "for-loop-1.Succeeded" {
				t.Errorf("%s depends on %q", task.Name, task.Depends)
			}
		}
	}
	if w.Spec.Parallelism != nil {
		t.Errorf("the whole is limited to %d", *w.Spec.Parallelism)
	}
}

// TestTasksAfterExitHandlers: tasks after groups with exit handlers, several in a row.
//
// Reported as kfp#10722.
func TestTasksAfterExitHandlers(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		for i := range 3 {
			group := dsl.Group(s, func(s *dsl.Scope) {
				dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) {
					echo.Call(s, textIn{Text: dsl.Const(fmt.Sprint("exit ", i))})
				})
				echo.Call(s, textIn{Text: dsl.Const(fmt.Sprint("task ", i))})
			})
			echo.Call(s, textIn{Text: dsl.Const(fmt.Sprint("after ", i))}, dsl.After(group))
		}
		return dsl.None{}
	})
	if n, given := runs(t, d, map[string]string{"text": ""}); n.phase != "Succeeded" || len(given) != 9 {
		t.Errorf("%v %q", n, given)
	}
}

// TestTextCondition: a condition on a text with spaces, quotes and words that mean
// something to Argo.
//
// Reported as kfp#1950.
func TestTextCondition(t *testing.T) {
	for _, text := range append([]string{"a b c", "true", "a == b", "' || true || '", "(", "nil"}, awkward...) {
		d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
			dsl.If(s, dsl.Eq(in.Text, text), func(s *dsl.Scope) { echo.Call(s, textIn{Text: dsl.Const("equal")}) })
			dsl.If(s, dsl.Eq(in.Text, text+"x"), func(s *dsl.Scope) { echo.Call(s, textIn{Text: dsl.Const("different")}) })
			return dsl.None{}
		})
		if n, given := runs(t, d, map[string]string{"text": text}); n.phase != "Succeeded" || !slices.Equal(given, []string{"equal"}) {
			t.Errorf("%q: %v %q", text, n, given)
		}
	}
}

// TestOddTaskNames: tasks whose names Argo doesn't take, and others that wait for them.
//
// Reported as argo#4199.
func TestOddTaskNames(t *testing.T) {
	text := graph.Type{Name: "STRING"}
	leaf := &program.Component{
		Name: "2leaf", Exec: &program.Executor{Go: &program.GoStep{Name: "leaf"}},
		Inputs: []program.Port{{Name: "text", Type: text}}, Outputs: []program.Port{{Name: "text", Type: text}},
	}
	names := []string{
		"550e8400-e29b-41d4-a716-446655440000", "1", "not", "A_b", "a_B", "a-b", "ü", strings.Repeat("long-", 30), strings.Repeat("long-", 30) + "er", "-x-",
	}
	var tasks []*program.Task
	for i, name := range names {
		task := &program.Task{Name: name, Component: "2leaf", Args: map[string]program.Value{"text": {Kind: program.Const, Type: text, Const: []byte(`"x"`)}}}
		if i > 0 {
			task.After = []string{names[i-1]}
			task.Args["text"] = program.Value{Kind: program.Format, Type: text, Text: []string{"", "y"}, Of: []program.Value{{Kind: program.Output, Task: names[i-1], Name: "text", Type: text}}}
		}
		tasks = append(tasks, task)
	}
	b, err := argo.Write(&program.Program{Name: "p", Main: "p", Components: []*program.Component{
		{Name: "p", Outputs: []program.Port{{Name: "text", Type: text}}, DAG: &program.DAG{Kind: program.Pipeline, Tasks: tasks, Outputs: map[string]program.Export{"text": {From: []program.From{{Task: names[len(names)-1], Output: "text"}}}}}}, leaf,
	}}, argo.Options{Image: "x"})
	if err != nil {
		t.Fatal(err)
	}
	w := strict(t, b)
	seen := map[string]bool{}
	for _, task := range w.Spec.Templates[0].DAG.Tasks {
		if seen[task.Name] || len(task.Name) > 63 || strings.Trim(task.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || !strings.ContainsAny(task.Name[:1], "abcdefghijklmnopqrstuvwxyz") {
			t.Errorf("task %q", task.Name)
		}
		seen[task.Name] = true
	}
	s := newSim(t, w, nil)
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		return write(x, map[string]any{"text": in(x, "text")}), nil
	}
	if n := s.run(); n.out["text"] != `"xyyyyyyyyy"` {
		t.Errorf("%v", n)
	}
}

// TestLoopInSkippedBranch: a loop in a branch that doesn't run, over what a step in it would
// have made.
//
// Reported as argo#7940.
func TestLoopInSkippedBranch(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) textOut {
		dsl.If(s, dsl.Eq(in.Text, "yes"), func(s *dsl.Scope) {
			list := listed.Call(s, in).Out.List
			dsl.ParallelFor(s, list, func(s *dsl.Scope, item dsl.Param[string]) dsl.None {
				echo.Call(s, textIn{Text: item})
				return dsl.None{}
			})
		})
		return echo.Call(s, textIn{Text: dsl.Const("end")}).Out
	})
	for text, want := range map[string][]string{"yes": {"yes", "x", "y", "z", "end"}, "no": {"end"}} {
		if n, given := runs(t, d, map[string]string{"text": text}); n.phase != "Succeeded" || !slices.Equal(given, want) {
			t.Errorf("%s: %v %q", text, n, given)
		}
	}
}

type numbersIn struct {
	Small dsl.Param[float64] `default:"0.00002"`
	Large dsl.Param[float64] `default:"1e21"`
	Zero  dsl.Param[float64] `default:"0"`
	None  dsl.Param[bool]    `default:"false"`
	N     dsl.Param[int]     `default:"0"`
	Text  dsl.Param[string]  `default:""`
	Lines dsl.Param[string]
}

var numbers = dsl.Func("numbers", func(context.Context, numbersIn, *dsl.None) error { return nil })

// TestDefaultsAsWritten: defaults that are small,
// large, zero, empty or have lines reach the step as they are, quoted in the file.
//
// Reported as kfp#3806, kfp#11515, kubeflow#7452.
func TestDefaultsAsWritten(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in numbersIn) dsl.None {
		numbers.Call(s, in)
		return dsl.None{}
	}).Defaults(numbersIn{Lines: dsl.Const("a\n# b: c\n---\nd\t")})
	b, err := argo.Write(lowered.Program(t, d), options)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("value: 2e-05")) || bytes.Contains(b, []byte("value: 0\n")) || bytes.Contains(b, []byte("value: false")) {
		t.Errorf("a value without quotes in\n%s", b)
	}
	s := newSim(t, strict(t, b), nil)
	ran := false
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		ran = true
		for name, want := range map[string]any{"small": 2e-05, "large": 1e21, "zero": 0.0, "none": false, "n": 0.0, "text": "", "lines": "a\n# b: c\n---\nd\t"} {
			got := in(x, name)
			if n, ok := got.(json.Number); ok {
				got, _ = n.Float64()
			}
			if got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		return nil, nil
	}
	if n := s.run(); n.phase != "Succeeded" || !ran {
		t.Error(n)
	}
}

// TestArtifactInput: a pipeline whose input is an artifact runs with a URI.
//
// Reported as kfp#12555.
func TestArtifactInput(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in lookIn) dsl.None {
		use.Call(s, usedIn(in))
		return dsl.None{}
	})
	s := newSim(t, workflow(t, d, argo.Options{Image: "x"}), map[string]string{"model": "s3://models/m"})
	got := ""
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		got = fmt.Sprint(at(x, "inputs", "artifacts", "model", "artifacts", "0", "uri"))
		return write(x, map[string]any{"text": ""}), nil
	}
	if n := s.run(); n.phase != "Succeeded" || got != "s3://models/m" {
		t.Errorf("%v: %s", n, got)
	}
}

// TestTemplateWrittenOnce: a component that is used twice is one template.
//
// Reported as kfp#6134.
func TestTemplateWrittenOnce(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		echo.Call(s, in)
		echo.Call(s, textIn{Text: dsl.Const("b")})
		return dsl.None{}
	})
	if n := len(workflow(t, d, options).Spec.Templates); n != 2 {
		t.Errorf("%d templates", n)
	}
}

type execIn struct {
	Text  dsl.Param[string]
	Model dsl.Model
}

// TestExecutorInput: a container that asks for KFP's executor input gets JSON with its
// own paths.
func TestExecutorInput(t *testing.T) {
	launch := dsl.Container("launch", func(in execIn, out modelOut) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"launch"}, Args: []string{"--input", dsl.ExecutorInput, "--output", dsl.ExecutorOutput}}
	})
	d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		launch.Call(s, execIn{Text: in.Text, Model: train.Call(s, trainIn{}).Out.Model})
		return dsl.None{}
	})
	for _, text := range awkward {
		s := newSim(t, workflow(t, d, options), map[string]string{"text": text})
		s.step = func(_ string, x map[string]any) (map[string]string, error) {
			return write(x, map[string]any{"score": 1}), nil
		}
		s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			var x map[string]any
			if err := json.Unmarshal([]byte(argv[2]), &x); err != nil {
				t.Fatalf("%v in %s", err, argv[2])
			}
			for _, c := range [][]any{
				{in(x, "text"), text},
				{at(x, "inputs", "artifacts", "model", "artifacts", "0", "uri"), "s3://bucket/run-x7k2p/train/model"},
				{at(x, "inputs", "artifacts", "model", "artifacts", "0", "customPath"), "/tmp/kfpgo/inputs/model"},
				{at(x, "outputs", "parameters", "score", "outputFile"), "/kfpgo/score"},
				{at(x, "outputs", "artifacts", "model", "artifacts", "0", "customPath"), "/kfpgo/model"},
				{at(x, "outputs", "outputFile"), argv[4]},
			} {
				if c[0] != c[1] {
					t.Errorf("got %v, want %v", c[0], c[1])
				}
			}
			return map[string]string{"/kfpgo/score": "1"}
		}
		if n := s.run(); n.phase != "Succeeded" {
			t.Error(n)
		}
	}
}
