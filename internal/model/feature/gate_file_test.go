package feature_test

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// ofFile are programs that only files hold.
func ofFile() []*program.Program {
	text := graph.Type{Name: "STRING"}
	task := func(name string, t program.Task) *program.Program {
		t.Name, t.Component, t.Pos = "t", "leaf", graph.Pos{File: "f.yaml", Line: 7}
		return &program.Program{Schema: program.Schema, Name: name, Main: "p", Components: []*program.Component{
			{Name: "p", Inputs: []program.Port{{Name: "x", Type: text, Default: []byte(`"x"`)}}, DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{&t}}},
			{Name: "leaf", Inputs: []program.Port{{Name: "x", Type: text, Default: []byte(`""`)}}, Exec: &program.Executor{Container: &program.Container{Image: "x:1", Command: []string{"x"}}}},
		}}
	}
	x := program.Value{Kind: program.Input, Name: "x", Type: text}
	part, list := x, program.Value{Kind: program.Format, Text: []string{`["`, `"]`}, Of: []program.Value{x}, Type: graph.Type{Name: "LIST"}}
	part.Selector = "string_value.size()"
	count := program.Settings{Accelerators: []program.Accelerator{{Count: program.Value{Kind: program.Const, Const: []byte("1")}}}}
	again := program.Settings{Retry: &program.Retry{Max: program.Value{Kind: program.Const, Const: []byte("2"), Type: graph.Type{Name: "NUMBER_INTEGER"}}}}
	group := task("retried-group", program.Task{Settings: again})
	group.Components[0].DAG.Tasks[0].Component = "group"
	inner := &program.Component{Name: "group", DAG: &program.DAG{Kind: program.Condition, Tasks: []*program.Task{{Name: "inner", Component: "leaf"}}}}
	group.Components = append(group.Components[:1:1], inner, group.Components[1])
	one := program.Value{Kind: program.Const, Const: []byte(`"1"`), Type: text}
	limited := task("options-of-pipeline", program.Task{Settings: program.Settings{CPULimit: &one}})
	limited.Components[0].DAG.Tasks[0].Component = "called"
	called := &program.Component{Name: "called", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "inner", Component: "leaf"}}}}
	limited.Components = append(limited.Components[:1:1], called, limited.Components[1])
	constant := func(json string) program.Value {
		return program.Value{Kind: program.Const, Const: []byte(json), Type: graph.Type{Name: "STRING"}}
	}
	item := &program.Each{Item: "x", Items: constant(`["{{$.pipeline_job_name}}"]`)}
	said := func(name string, known bool) *program.Program {
		p := task(name, program.Task{Args: map[string]program.Value{"x": constant(`"a"`)}})
		p.IR = &program.IR{Unread: []program.Unread{{Path: "root.later", Known: known, Pos: graph.Pos{File: "f.yaml", Line: 1}}}}
		return p
	}
	loop := task("item", program.Task{Each: item})
	loop.IR = &program.IR{}
	loop.Components[0].DAG.Tasks[0].Component = "body"
	loop.Components = append(loop.Components, &program.Component{Name: "body", Inputs: []program.Port{{Name: "x", Type: text}}, DAG: &program.DAG{
		Kind: program.Loop, Tasks: []*program.Task{{Name: "inner", Component: "leaf", Args: map[string]program.Value{"x": x}}},
	}})
	return []*program.Program{
		group, limited, said("unknown", false), said("known", true), loop,
		task("placeholder", program.Task{Args: map[string]program.Value{"x": {Kind: program.Run, Name: "pipeline_job_id", Type: graph.Type{Name: "STRING"}}}}),
		task("when-text", program.Task{WhenText: "size(inputs.parameter_values['x']) > 2"}),
		task("selector", program.Task{Args: map[string]program.Value{"x": part}}),
		task("json", program.Task{Args: map[string]program.Value{"x": list}}),
		task("count", program.Task{Settings: count}),
	}
}
