package argo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type optionalIn struct {
	Text dsl.Param[string] `kfp:",optional"`
}

var flagged = dsl.Container("flag", func(in optionalIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"echo"}, Args: dsl.Args("-", dsl.IfPresent(in.Text, "--text", in.Text))}
})

type metricsOut struct {
	Metrics dsl.Metrics
}

var measure = dsl.Container("measure", func(in textIn, out metricsOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"measure", in.Text.String(), out.Metrics.Path()}}
})

type metricsIn struct {
	Metrics dsl.Metrics
}

var readMetrics = dsl.Func("read-metrics", func(context.Context, metricsIn, *dsl.None) error { return nil })

type uriIn struct {
	Model dsl.Model
}

var uri = dsl.Container("uri", func(in uriIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"echo", in.Model.URI()}}
})

var two = dsl.Resource("two", func(in textIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Manifest: "apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n" + in.Text.String()}
})

func pipeline(name string, body func(s *dsl.Scope, in optionalIn)) dsl.Definition {
	return dsl.Pipeline(name, func(s *dsl.Scope, in optionalIn) dsl.None {
		body(s, in)
		return dsl.None{}
	})
}

// TestRefused: what can't be written is an error that names the task and what to do.
func TestRefused(t *testing.T) {
	noOptions := argo.Options{Image: "example.com/app:1"}
	const task = "pipeline p, task "
	for _, c := range []struct {
		d    dsl.Definition
		o    argo.Options
		want string
	}{
		{pipeline("p", func(s *dsl.Scope, in optionalIn) { echo.Call(s, textIn{Text: dsl.Const("a")}) }), argo.Options{},
			"component echo: it is a Go function: give the image of the program with --image"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) {
			uri.Call(s, uriIn{Model: train.Call(s, trainIn{}).Out.Model})
		}), noOptions, task + "uri: {{$.inputs.artifacts['model'].uri}}: where the cluster keeps artifacts isn't known here; say so with --artifact-root"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) {
			m := dsl.OneOf(s, dsl.Eq(in.Text, "a"), func(s *dsl.Scope) dsl.Metrics {
				return measure.Call(s, textIn{Text: dsl.Const("a")}).Out.Metrics
			}).Else(func(s *dsl.Scope) dsl.Metrics { return dsl.Import[dsl.Metrics](s, "gs://a/b") })
			readMetrics.Call(s, metricsIn{Metrics: m})
		}), noOptions, "target argo has no dsl.Import in the branches of a dsl.OneOf of what may be only metadata"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) { two.Call(s, textIn{Text: dsl.Const("")}) }), noOptions,
			task + "two: the manifest of two has more than one document"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) {
			k8s.Apply.Call(s, k8s.ApplyIn{Manifest: dsl.Sprintf("%v", in.Text)})
		}), noOptions,
			task + "apply: the manifest is input manifest, which only a run knows"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) {
			k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: dsl.Const("a"), Size: dsl.Const("1Gi")}, dsl.CPU("1"))
		}), noOptions, task + "createpvc: target argo has no option for pods on an importer, k8s.CreatePVC, DeletePVC or argo.Suspend: the task has no pod"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) {
			echo.Call(s, textIn{Text: dsl.Const("")}, dsl.Retry(1, dsl.Backoff{Initial: 1e9, Factor: 1.5}))
		}), noOptions, task + "echo: target argo has no dsl.Backoff with a Factor that isn't a whole number"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) {
			for range 101 {
				a := echo.Call(s, textIn{Text: dsl.Const("")})
				echo.Call(s, textIn{Text: dsl.Const("")}, dsl.After(a), dsl.IgnoreUpstreamFailure())
			}
		}), noOptions, "component p: 203 tasks, and Argo takes 200 in a DAG; these can't be divided"},
		{pipeline("p"+strings.Repeat("-long", 12), func(s *dsl.Scope, in optionalIn) { echo.Call(s, textIn{Text: dsl.Const("")}) }), noOptions,
			"its name has 61 letters, and the name of a Workflow may have 57"},
		{pipeline("p", func(s *dsl.Scope, in optionalIn) { flagged.Call(s, optionalIn{}) }), argo.Options{Args: map[string]json.RawMessage{"x": nil}},
			`pipeline p has no input "x"`},
	} {
		b, err := argo.Write(lowered.Program(t, c.d), c.o)
		if err == nil {
			t.Errorf("want %s, got\n%s", c.want, b)
			continue
		}
		got := err.Error()
		if !strings.Contains(got, c.want) || strings.Contains(got, "internal") {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if b != nil {
			t.Error("YAML beside an error")
		}
	}
}

// TestPresent: where it is known when compiling, IfPresent works.
func TestPresent(t *testing.T) {
	for _, c := range []struct {
		in   optionalIn
		want string
	}{
		{optionalIn{}, "[-]"},
		{optionalIn{Text: dsl.Const("{{x}} $")}, "[- --text {{x}} $]"},
		{optionalIn{Text: dsl.Const("")}, "[- --text ]"},
	} {
		w := workflow(t, pipeline("p", func(s *dsl.Scope, _ optionalIn) { flagged.Call(s, c.in) }), argo.Options{})
		s := newSim(t, w, nil)
		got := ""
		s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			got = fmt.Sprint(argv[1:])
			return nil
		}
		s.run()
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestBadPrograms: a program that nobody lowered may have anything in it. That
// is an error, not a panic.
func TestBadPrograms(t *testing.T) {
	text := graph.Type{Name: "STRING"}
	leaf := &program.Component{Name: "leaf", Exec: &program.Executor{Go: &program.GoStep{Name: "leaf"}}, Inputs: []program.Port{{Name: "a", Type: text}}}
	dag := func(tasks ...*program.Task) []*program.Component {
		return []*program.Component{{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: tasks}}, leaf}
	}
	arg := func(v program.Value) []*program.Component {
		return dag(&program.Task{Name: "t", Component: "leaf", Args: map[string]program.Value{"a": v}})
	}
	for want, cs := range map[string][]*program.Component{
		`there is no pipeline "p"`:                              nil,
		"component nope: there is no such component":            dag(&program.Task{Name: "t", Component: "nope"}),
		"input a of leaf was not given":                         dag(&program.Task{Name: "t", Component: "leaf"}),
		`there is no input "x"`:                                 arg(program.Value{Kind: program.Input, Name: "x", Type: text}),
		`there is no task "x" to read y from`:                   arg(program.Value{Kind: program.Output, Task: "x", Name: "y", Type: text}),
		`task t has no output "y"`:                              arg(program.Value{Kind: program.Output, Task: "t", Name: "y", Type: text}),
		`a value of kind "firetime"`:                            arg(program.Value{Kind: program.FireTime, Type: text}),
		`a value of kind "" can't be passed`:                    arg(program.Value{}),
		`there is no task "x" whose final status it could read`: arg(program.Value{Kind: program.Status, Task: "x", Type: text}),
		"it waits for x, which isn't in its DAG":                dag(&program.Task{Name: "t", Component: "leaf", After: []string{"x"}, Args: map[string]program.Value{"a": {Kind: program.Const, Const: []byte(`"x"`)}}}),
		"a loop over leaf, which is not a DAG":                  dag(&program.Task{Name: "t", Component: "leaf", Each: &program.Each{Item: "a", Items: program.Value{Kind: program.Const, Const: []byte("[]")}}}),
		"component p is neither a DAG nor something that runs":  dag(&program.Task{Name: "t", Component: "empty"}),
	} {
		if want == "component p is neither a DAG nor something that runs" {
			cs = append(cs, &program.Component{Name: "empty"})
			want = "component empty is neither a DAG nor something that runs"
		}
		_, err := argo.Write(&program.Program{Name: "p", Main: "p", Components: cs}, argo.Options{Image: "x"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
