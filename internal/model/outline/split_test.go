package outline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/outline"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

var (
	number = graph.Type{Name: "NUMBER_INTEGER"}
	model  = graph.Type{Name: "system.Model", Artifact: true}
)

// input returns an input of the pipeline.
func input(name string) program.Value {
	return program.Value{Kind: program.Input, Name: name, Type: number}
}

// of returns an output of a task, which is to wait for it.
func of(task string) program.Value {
	return program.Value{Kind: program.Output, Task: task, Name: "n", Type: number}
}

// dag returns a program of tasks; after says by number what each waits for, and
// reads.
func dag(n int, after func(i int) []int) *program.Program {
	p := &program.Program{Name: "p", Main: "p", Components: []*program.Component{
		{Name: "p", Inputs: []program.Port{{Name: "a", Type: number, Default: []byte("1")}, {Name: "b", Type: number, Optional: true}}, Outputs: []program.Port{{Name: "n", Type: number}}, DAG: &program.DAG{Kind: program.Pipeline}},
		{Name: "step", Inputs: []program.Port{{Name: "x", Type: number, Optional: true}, {Name: "y", Type: number, Optional: true}}, Outputs: []program.Port{{Name: "n", Type: number}, {Name: "m", Type: model}}, Exec: &program.Executor{Go: &program.GoStep{Name: "step"}}},
	}}
	d := p.Components[0].DAG
	for i := range n {
		t := &program.Task{Name: fmt.Sprintf("t-%d", i), Component: "step", Args: map[string]program.Value{"x": input("b")}}
		for _, j := range after(i) {
			name := fmt.Sprintf("t-%d", j)
			t.After = append(t.After, name)
			t.Args["y"] = of(name)
		}
		slices.Sort(t.After)
		d.Tasks = append(d.Tasks, t)
	}
	d.Outputs = map[string]program.Export{"n": {From: []program.From{{Task: fmt.Sprintf("t-%d", n-1), Output: "n"}}}}
	return p
}

// trace says for each task of a program what it waits for and where its values
// come from, through all DAGs that are new.
func trace(t *testing.T, p *program.Program) map[string]string {
	t.Helper()
	out := map[string]string{}
	// source follows an output into the DAGs that made it.
	var source func(c *program.Component, task, output string) string
	source = func(c *program.Component, task, output string) string {
		inner := p.Component(c.DAG.Task(task).Component)
		if inner.DAG == nil {
			return task + "." + output
		}
		f := inner.DAG.Outputs[output].From[0]
		if inner.Output(output) == nil {
			t.Errorf("%s has no output %s", inner.Name, output)
		}
		return source(inner, f.Task, f.Output)
	}
	var walk func(c *program.Component, in map[string]string)
	walk = func(c *program.Component, in map[string]string) {
		seen := map[string]bool{}
		for _, task := range c.DAG.Tasks {
			for _, a := range task.After {
				if !seen[a] {
					t.Errorf("%s: %s waits for %s, which comes later", c.Name, task.Name, a)
				}
			}
			seen[task.Name] = true
			args := map[string]string{}
			for name, v := range task.Args {
				switch v.Kind {
				case program.Input:
					args[name] = in[v.Name]
				case program.Output:
					if !slices.Contains(task.After, v.Task) {
						t.Errorf("%s: %s reads %s and doesn't wait for it", c.Name, task.Name, v.Task)
					}
					args[name] = source(c, v.Task, v.Name)
				}
			}
			sub := p.Component(task.Component)
			if sub.DAG == nil {
				out[task.Name] = fmt.Sprint(args)
				continue
			}
			for _, port := range sub.Inputs {
				if args[port.Name] == "" {
					t.Errorf("input %s of %s is not given", port.Name, sub.Name)
				}
			}
			walk(sub, args)
		}
	}
	walk(p.Component(p.Main), map[string]string{"a": "a", "b": "b"})
	out["result"] = source(p.Component(p.Main), p.Component(p.Main).DAG.Outputs["n"].From[0].Task, p.Component(p.Main).DAG.Outputs["n"].From[0].Output)
	return out
}

// widest returns how many tasks the largest DAG has.
func widest(p *program.Program) int {
	n := 0
	for _, c := range p.Components {
		if c.DAG != nil {
			n = max(n, len(c.DAG.Tasks))
		}
	}
	return n
}

// TestSplit: whatever waits for whatever, no DAG is too wide, and each task gets
// what it got before.
func TestSplit(t *testing.T) {
	for name, after := range map[string]func(i int) []int{
		"independent": func(i int) []int { return nil },
		"chain": func(i int) []int {
			if i == 0 {
				return nil
			}
			return []int{i - 1}
		},
		"star": func(i int) []int {
			if i == 0 {
				return nil
			}
			return []int{0}
		},
		"chains beside each other": func(i int) []int {
			if i < 10 {
				return nil
			}
			return []int{i - 10}
		},
		"grid": func(i int) (after []int) {
			if i >= 10 {
				after = append(after, i-10)
			}
			if i%10 > 0 {
				after = append(after, i-1)
			}
			return after
		},
		"tree": func(i int) []int {
			if i == 0 {
				return nil
			}
			return []int{(i - 1) / 3}
		},
	} {
		for _, n := range []int{20, 21, 50, 500} {
			p := dag(n, after)
			want := trace(t, p)
			got := outline.Split(p, 20)
			if w := widest(got); w > 20 {
				t.Errorf("%s of %d: a DAG has %d tasks", name, n, w)
			}
			if g := trace(t, got); !reflect.DeepEqual(g, want) {
				t.Errorf("%s of %d: got %v, want %v", name, n, g, want)
			}
			if n == 20 && got != p {
				t.Errorf("%s: 20 tasks are split", name)
			}
			if !reflect.DeepEqual(trace(t, p), want) {
				t.Errorf("%s of %d: the program itself was changed", name, n)
			}
			a, _ := json.Marshal(got)
			if b, _ := json.Marshal(outline.Split(p, 20)); !bytes.Equal(a, b) {
				t.Errorf("%s of %d: a second time it is different", name, n)
			}
		}
	}
}

// TestSplitWaits: tasks beside each other stay so, since what is put together waits
// for the same.
func TestSplitWaits(t *testing.T) {
	got := outline.Split(dag(41, func(i int) []int {
		switch i {
		case 0:
			return nil
		case 40:
			return slices.Collect(maps.Keys(map[int]bool{1: true, 20: true, 39: true}))
		}
		return []int{0}
	}), 20)
	for _, task := range got.Component("p").DAG.Tasks {
		if c := got.Component(task.Component); c.DAG != nil && !reflect.DeepEqual(task.After, []string{"t-0"}) {
			t.Errorf("%s waits for %v", task.Name, task.After)
		}
	}
}

// TestSplitStays: a task whose fate others look at stays beside them: a group that
// holds it succeeds though it is skipped.
func TestSplitStays(t *testing.T) {
	p := dag(60, func(i int) []int {
		switch i {
		case 5, 7:
			return []int{i - 1}
		}
		return nil
	})
	tasks := p.Component("p").DAG.Tasks
	tasks[4].When = &expr.Expr{Op: "given", Args: []*expr.Expr{{Op: "name", Name: "x"}}}
	tasks[7].Always = true
	tasks[9].When = tasks[4].When
	want := trace(t, p)
	got := outline.Split(p, 20)
	main := got.Component("p").DAG
	for _, name := range []string{"t-4", "t-6", "t-7"} {
		if main.Task(name) == nil {
			t.Errorf("%s was moved", name)
		}
	}
	if main.Task("t-9") != nil {
		t.Error("t-9 stays, though nothing waits for it")
	}
	if widest(got) > 20 || !reflect.DeepEqual(trace(t, got), want) {
		t.Errorf("%d tasks, got %v, want %v", widest(got), trace(t, got), want)
	}
}

// TestSplitNot: what can't be split stays as it is.
func TestSplitNot(t *testing.T) {
	p := dag(30, func(int) []int { return nil })
	p.Component("p").DAG.Kind = program.Branches
	if got := outline.Split(p, 20); widest(got) != 30 {
		t.Error("the arms of an If were split")
	}
	p = dag(30, func(i int) []int {
		if i%2 == 1 {
			return []int{i - 1}
		}
		return nil
	})
	for i, task := range p.Component("p").DAG.Tasks {
		task.Always = i%2 == 1
	}
	if got := outline.Split(p, 20); widest(got) != 30 {
		t.Error("tasks that run after failures were split")
	}
}
