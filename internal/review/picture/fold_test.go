package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
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
		f := Fold(p, Readable)
		folded := f.Program
		if f.Tasks != tt.tasks || f.Boxes != tt.boxes {
			t.Errorf("%+v: %d tasks in %d boxes", tt, f.Tasks, f.Boxes)
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
	folded := Fold(p, Readable).Program
	var names []string
	for _, task := range folded.Component("main").DAG.Tasks {
		names = append(names, cut(task)+" after "+strings.Join(task.After, " "))
	}
	want := []string{"first after ", "train-0 × 498 after first", "test-0 × 498 after train-0", "train-3 after first", "test-3 after train-3", "train-9 after first", "test-9 after train-9", "end after test-9"}
	if strings.Join(names, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(names, "\n"))
	}
}

// TestFoldMarks: the box of several tasks tells the worst of them and for how many that
// is so, and a group that is a box tells its own.
func TestFoldMarks(t *testing.T) {
	plan, err := NewPlan(broad(1000, false), Readable)
	if err != nil {
		t.Fatal(err)
	}
	marks := map[string]Mark{"first": {State: run.Succeeded, Runs: 1, Note: "2 s"}}
	for i := range 500 {
		m := Mark{State: run.Succeeded, Runs: 1, Note: "1 s", Href: fmt.Sprintf("/train-%d", i)}
		if i == 7 || i == 9 {
			m.State = run.Failed
		}
		marks[fmt.Sprintf("train-%d", i)] = m
		marks[fmt.Sprintf("test-%d", i)] = Mark{State: run.Succeeded, Runs: 1, Note: "1 s"}
	}
	want := map[string]Mark{
		"first":   {State: run.Succeeded, Runs: 1, Note: "2 s"},
		"train-0": {State: run.Failed, Runs: 500, Note: "2 failed", Href: "/train-7"},
		"test-0":  {State: run.Succeeded, Runs: 500},
	}
	if diff := cmp.Diff(want, plan.Marks(marks)); diff != "" {
		t.Error(diff)
	}
	if svg := string(plan.SVG(marks, Right)); strings.Count(svg, `class="box`) != 3 || !strings.Contains(svg, ">2 failed<") || !strings.Contains(svg, `href="/train-7"`) {
		t.Errorf("the picture is\n%s", svg)
	}
	grouped := Fold(broad(1000, true), Readable)
	got := grouped.Marks(map[string]Mark{"condition-1": {State: run.Skipped, Runs: 1}, "condition-1/train-1": {State: run.Failed}, "condition-2": {State: run.Succeeded, Runs: 1}})
	if diff := cmp.Diff(map[string]Mark{"condition-0": {State: run.Succeeded, Runs: 2, Note: "1 succeeded"}}, got); diff != "" {
		t.Error(diff)
	}
	same := map[string]Mark{"first": {State: run.Running}}
	if got := Fold(broad(2, false), Readable).Marks(same); cmp.Diff(same, got) != "" {
		t.Errorf("without folding: %v", got)
	}
}

// TestFoldDeep: a program that calls the same groups more often than can be counted is
// folded all the same.
func TestFoldDeep(t *testing.T) {
	p := pipeline("p", step("a"), step("b"))
	for i := range 40 {
		inner := "step"
		if i > 0 {
			inner = fmt.Sprintf("level-%d", i-1)
		}
		p.Components = append(p.Components, &program.Component{Name: fmt.Sprintf("level-%d", i), DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{
			{Name: "x", Component: inner}, {Name: "y", Component: inner, After: []string{"x"}},
		}}})
	}
	p.Components[0].DAG.Tasks[1].Component = "level-39"
	if f := Fold(p, Readable); f.Boxes > Readable || f.Boxes < 30 || !f.Folded() {
		t.Errorf("%d boxes", f.Boxes)
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
