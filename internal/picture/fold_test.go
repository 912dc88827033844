package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/program"
)

// broad is a pipeline of n tasks in pairs after one task, each pair in a group if grouped.
func broad(n int, grouped bool) *program.Program {
	step := func(name string) *program.Component {
		return &program.Component{Name: name, Exec: &program.Executor{Go: &program.GoStep{Name: name}}, Inputs: []program.Port{{Name: "data", Type: graph.Type{Name: "system.Dataset", Artifact: true}}, {Name: "x", Type: graph.Type{Name: "STRING"}}}}
	}
	main := &program.Component{Name: "main", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "first", Component: "make"}}}}
	p := &program.Program{Name: "wide", Main: "main", Components: []*program.Component{main, step("make"), step("train"), step("test")}}
	for i := range n / 2 {
		in := main
		after := []string{"first"}
		if grouped {
			g := &program.Component{Name: fmt.Sprintf("body-%d", i), DAG: &program.DAG{Kind: program.Condition}}
			p.Components = append(p.Components, g)
			main.DAG.Tasks = append(main.DAG.Tasks, &program.Task{Name: fmt.Sprintf("condition-%d", i), Component: g.Name, After: after})
			in, after = g, nil
		}
		train := &program.Task{Name: fmt.Sprintf("train-%d", i), Component: "train", After: after}
		if !grouped {
			train.Args = map[string]program.Value{"data": {Kind: program.Output, Task: "first", Name: "data"}}
		}
		in.DAG.Tasks = append(in.DAG.Tasks, train, &program.Task{Name: fmt.Sprintf("test-%d", i), Component: "test", After: []string{train.Name},
			Args: map[string]program.Value{"x": {Kind: program.Output, Task: train.Name, Name: "x"}}})
	}
	return p
}

// TestFold: pictures of 10, 100 and 1,000 tasks have few boxes, which say for how many
// they stand, and small ones are left alone.
func TestFold(t *testing.T) {
	for _, tt := range []struct {
		n, tasks, boxes int
		grouped         bool
		titles          string
	}{
		{10, 11, 11, false, ""},
		{100, 101, 101, false, ""},
		{1000, 1001, 3, false, "train-0 × 500, test-0 × 500"},
		{1000, 1001, 2, true, "condition-0, 2 tasks × 500"},
	} {
		p := broad(tt.n, tt.grouped)
		before := len(p.Component("main").DAG.Tasks)
		folded, tasks, boxes := Fold(p, Readable)
		if tasks != tt.tasks || boxes != tt.boxes {
			t.Errorf("%+v: %d tasks in %d boxes", tt, tasks, boxes)
		}
		var titles []string
		for _, task := range folded.Component("main").DAG.Tasks {
			if task.Title != "" {
				titles = append(titles, task.Title)
			}
		}
		if got := strings.Join(titles, ", "); got != tt.titles {
			t.Errorf("%+v: titles %q", tt, got)
		}
		if len(p.Component("main").DAG.Tasks) != before || p.Component("main").DAG.Tasks[1].Title != "" {
			t.Errorf("%+v: the program was changed", tt)
		}
		svg, err := SVG(folded, nil, Right)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(svg), `class="box`); n != tt.boxes {
			t.Errorf("%+v: %d boxes are drawn", tt, n)
		}
	}
}

// TestFoldKeepsApart: what runs something else, or is read by something else, stays by
// itself.
func TestFoldKeepsApart(t *testing.T) {
	p := broad(1000, false)
	main := p.Component("main").DAG
	main.Tasks[7].Component = "make"
	main.Tasks = append(main.Tasks, &program.Task{Name: "end", Component: "make", After: []string{"test-9"}})
	folded, _, _ := Fold(p, Readable)
	var names []string
	for _, task := range folded.Component("main").DAG.Tasks {
		names = append(names, cut(task)+" after "+strings.Join(task.After, " "))
	}
	want := []string{"first after ", "train-0 × 498 after first", "test-0 × 498 after train-0", "train-3 after first", "test-3 after train-3", "train-9 after first", "test-9 after train-9", "end after test-9"}
	if strings.Join(names, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(names, "\n"))
	}
}

// TestFlow: what an arrow stands for, and what a box says that it needs.
func TestFlow(t *testing.T) {
	p := broad(2, false)
	two := program.Value{Kind: program.Const, Const: []byte("2")}
	train := p.Component("main").DAG.Tasks[1]
	train.Settings.Accelerators = []program.Accelerator{{Resource: "nvidia.com/gpu", Count: two}}
	train.Settings.PVCMounts = []program.PVCMount{{Path: "/data"}}
	p.Component("main").DAG.Tasks = append(p.Component("main").DAG.Tasks, &program.Task{Name: "last", Component: "make", After: []string{"test-0"}})
	svg, err := SVG(p, nil, Right)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`class="arrow f-artifacts"><title>first → train-0`, `class="arrow f-parameters"><title>train-0 → test-0`, `class="arrow f-order"><title>test-0 → last`,
		`class="badge b-gpu"`, ">2 GPUs<", `class="badge b-volume"`, ">volume<",
	} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("%q isn't there:\n%s", want, svg)
		}
	}
}
