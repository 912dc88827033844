package progdiff_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/progdiff"
)

// mnist returns the program of the example: an exit handler around branches with
// loops in them, Python, Go and container steps.
func mnist(t testing.TB) *program.Program {
	t.Helper()
	b, err := os.ReadFile("../../local/report/testdata/program.json")
	if err != nil {
		t.Fatal(err)
	}
	p := &program.Program{}
	if err := json.Unmarshal(b, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func text(changes []progdiff.Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

func constant(json string) program.Value {
	return program.Value{Kind: program.Const, Const: []byte(json)}
}

// task returns a task by its name, wherever it is, and the DAG that has it.
func task(t testing.TB, p *program.Program, name string) (*program.Task, *program.DAG) {
	t.Helper()
	for _, c := range p.Components {
		if c.DAG != nil {
			if found := c.DAG.Task(name); found != nil {
				return found, c.DAG
			}
		}
	}
	t.Fatalf("no task %s", name)
	return nil, nil
}

// rename gives a task another name, as its author would.
func rename(t testing.TB, p *program.Program, from, to string) {
	found, d := task(t, p, from)
	found.Name = to
	d.Outputs = renamedOutputs(d.Outputs, from, to)
	for _, other := range d.Tasks {
		for i, name := range other.After {
			if name == from {
				other.After[i] = to
			}
		}
		for name, v := range other.Args {
			if v.Task == from {
				v.Task = to
				other.Args[name] = v
			}
		}
		if e := other.Each; e != nil && e.Items.Task == from {
			e.Items.Task = to
		}
	}
}

func renamedOutputs(outputs map[string]program.Export, from, to string) map[string]program.Export {
	for _, export := range outputs {
		for i := range export.From {
			if export.From[i].Task == from {
				export.From[i].Task = to
			}
		}
	}
	return outputs
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, p *program.Program)
		want   string
	}{
		{"the same", func(t *testing.T, p *program.Program) {}, ""},
		{"what isn't part of its meaning", func(t *testing.T, p *program.Program) {
			p.Package = "example.com/other"
			for _, c := range p.Components {
				c.Pos = graph.Pos{File: "other.go", Line: 1}
				c.Key, c.Label = "comp-x", "exec-x"
				slices.Reverse(c.Inputs)
			}
			v := p.Components[0].DAG.Tasks[0].Args
			for name, arg := range v {
				if string(arg.Const) == "5" {
					v[name] = constant("5.0")
				}
			}
		}, ""},
		{"renamed task", func(t *testing.T, p *program.Program) { rename(t, p, "evaluate", "judge") },
			"exit-handler-1/judge: renamed; it was evaluate\n"},
		{"renamed group", func(t *testing.T, p *program.Program) { rename(t, p, "condition-7", "good-enough") },
			"exit-handler-1/good-enough: renamed; it was condition-7\n"},
		{"renumbered group", func(t *testing.T, p *program.Program) { rename(t, p, "condition-7", "condition-9") },
			"exit-handler-1/condition-9: renumbered; it was condition-7\n"},
		{"defaults and descriptions", func(t *testing.T, p *program.Program) {
			p.Doc = "Something else"
			in := p.Component(p.Main).Input("threshold")
			in.Default, in.Doc = []byte("0.5"), "how good it must be"
		}, "pipeline: description: Downloads MNIST, trains on it, evaluates the model and serves it if it is good enough. -> Something else\npipeline: input threshold: default: 0.95 -> 0.5\npipeline: input threshold: description: now how good it must be\n"},
		{"renamed input", func(t *testing.T, p *program.Program) {
			main := p.Component(p.Main)
			main.Input("threshold").Name = "at_least"
			for _, task := range main.DAG.Tasks {
				for name, v := range task.Args {
					if v.Kind == program.Input && v.Name == "threshold" {
						v.Name = "at_least"
						task.Args[name] = v
					}
				}
			}
		}, "pipeline: input at_least renamed; it was threshold\n"},
		{"condition", func(t *testing.T, p *program.Program) {
			c7, _ := task(t, p, "condition-7")
			c7.When.Op = "<"
		}, "exit-handler-1/condition-7: condition: output accuracy of exit-handler-1/evaluate >= threshold -> output accuracy of exit-handler-1/evaluate < threshold\n"},
		{"condition of an arm, which the other arms hold too", func(t *testing.T, p *program.Program) {
			c4, d := task(t, p, "condition-4")
			for _, arm := range d.Tasks {
				var walk func(e *expr.Expr)
				walk = func(e *expr.Expr) {
					if e.Op == "const" {
						e.Const = []byte(`"jax"`)
					}
					for _, a := range e.Args {
						walk(a)
					}
				}
				walk(arm.When)
			}
			_ = c4
		}, "exit-handler-1/condition-branches-2/condition-4: condition: trainer == \"tensorflow\" -> trainer == \"jax\"\n"},
		{"loop", func(t *testing.T, p *program.Program) {
			loop, _ := task(t, p, "for-loop-6")
			loop.Each.Parallelism = 0
		}, "exit-handler-1/condition-branches-2/condition-5/for-loop-6: iterations at once: no longer 2\n"},
		{"settings", func(t *testing.T, p *program.Program) {
			e, _ := task(t, p, "evaluate")
			v := constant(`"2"`)
			e.Settings.CPULimit, e.Settings.NoCache = &v, true
			e.Settings.Env = append(e.Settings.Env, program.Env{Name: "DEBUG", Value: constant(`"1"`)})
			e.Settings.Tolerations = []program.Toleration{{Key: "gpu", Operator: "Exists"}}
		}, `exit-handler-1/evaluate: CPU limit: now "2"
exit-handler-1/evaluate: variable DEBUG: now "1"
exit-handler-1/evaluate: caching: now off
exit-handler-1/evaluate: toleration gpu operator: now Exists
`},
		{"wiring", func(t *testing.T, p *program.Program) {
			q, _ := task(t, p, "query")
			for _, name := range slices.Sorted(keys(q.Args)) {
				q.Args[name] = constant(`"x"`)
				break
			}
		}, "exit-handler-1/condition-7/query: argument data: output data of exit-handler-1/download -> \"x\"\n"},
		{"removed and added", func(t *testing.T, p *program.Program) {
			_, d := task(t, p, "report")
			d.Tasks = slices.DeleteFunc(d.Tasks, func(t *program.Task) bool { return t.Name == "report" })
			p.Components = append(p.Components, &program.Component{Name: "notify", Exec: &program.Executor{Container: &program.Container{Image: "curlimages/curl:8", Command: []string{"curl"}}}})
			d.Tasks = append(d.Tasks, &program.Task{Name: "notify", Component: "notify", After: []string{"exit-handler-1"}})
		}, "report: removed (Go step report)\nnotify: added (container curlimages/curl:8)\n"},
		{"order", func(t *testing.T, p *program.Program) {
			r, _ := task(t, p, "report")
			r.Always = false
			r.After = append(r.After, "deletepvc")
		}, "report: runs although others failed: no longer yes\nreport: order: now after deletepvc\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := mnist(t)
			c.change(t, p)
			got := text(progdiff.Diff(mnist(t), p))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// small returns a pipeline of container tasks, each after the one before.
func small(images ...string) *program.Program {
	main := &program.Component{Name: "small", DAG: &program.DAG{Kind: program.Pipeline}}
	p := &program.Program{Name: "small", Main: "small", Components: []*program.Component{main}}
	for i, image := range images {
		name := string(rune('a' + i))
		p.Components = append(p.Components, &program.Component{
			Name: name, Inputs: []program.Port{{Name: "x", Type: graph.Type{Name: "STRING"}}}, Outputs: []program.Port{{Name: "y", Type: graph.Type{Name: "STRING"}}},
			Exec: &program.Executor{Container: &program.Container{Image: image, Command: []string{"run-" + name, "{{$.inputs.parameters['x']}}", "{{$.outputs.parameters['y'].output_file}}"}}},
		})
		t := &program.Task{Name: name, Component: name, Args: map[string]program.Value{"x": constant(`"1"`)}}
		if i > 0 {
			before := string(rune('a' + i - 1))
			t.Args["x"] = program.Value{Kind: program.Output, Task: before, Name: "y"}
			t.After = []string{before}
		}
		main.DAG.Tasks = append(main.DAG.Tasks, t)
	}
	return p
}

func TestComponents(t *testing.T) {
	// One image for all, said once.
	got := text(progdiff.Diff(small("x:1", "x:1", "x:1"), small("x:2", "x:2", "x:2")))
	if want := "a (and b, c): image: x:1 -> x:2\n"; got != want {
		t.Errorf("got %s", got)
	}
	// Ports with other names: what reads them is the same, and so is the command.
	b := small("x:1", "x:1")
	b.Components[1].Outputs[0].Name = "result"
	b.Components[1].Exec.Container.Command[2] = "{{$.outputs.parameters['result'].output_file}}"
	b.Components[0].DAG.Tasks[1].Args["x"] = program.Value{Kind: program.Output, Task: "a", Name: "result"}
	got = text(progdiff.Diff(small("x:1", "x:1"), b))
	if want := "a: output result renamed; it was y\n"; got != want {
		t.Errorf("got %s", got)
	}
	// Another kind of step under the old name.
	b = small("x:1", "x:1")
	b.Components[2].Exec = &program.Executor{Go: &program.GoStep{Name: "b"}}
	got = text(progdiff.Diff(small("x:1", "x:1"), b))
	if want := "b: runs: container -> go\n"; got != want {
		t.Errorf("got %s", got)
	}
	// An operation of KFP's own, as each SDK describes it.
	described := func(doc, builtin string) *program.Program {
		p := small("x:1")
		p.Components[1].Exec = &program.Executor{Resource: &program.Resource{Action: "create", Builtin: builtin}}
		p.Components[1].Inputs = []program.Port{{Name: "size", Doc: doc}}
		return p
	}
	for builtin, want := range map[string]string{program.CreatePVC: "", "": "a: input size: description: the size -> how large\n"} {
		if got := text(progdiff.Diff(described("the size", builtin), described("how large", builtin))); got != want {
			t.Errorf("%q: got %s", builtin, got)
		}
	}
	// A task that moves into a condition is the same task.
	b = small("x:1", "x:1")
	main := b.Components[0].DAG
	moved := main.Tasks[1]
	main.Tasks[1] = &program.Task{Name: "condition-1", Component: "condition-1", After: []string{"a"},
		Args: map[string]program.Value{"c": {Kind: program.Output, Task: "a", Name: "y"}},
		When: &expr.Expr{Op: "==", Args: []*expr.Expr{{Op: "name", Name: "c", Type: "STRING"}, {Op: "const", Const: []byte(`"go"`), Type: "STRING"}}}}
	moved.After, moved.Args["x"] = nil, program.Value{Kind: program.Input, Name: "c"}
	b.Components = append(b.Components, &program.Component{Name: "condition-1", DAG: &program.DAG{Kind: program.Condition, Tasks: []*program.Task{moved}}})
	got = text(progdiff.Diff(small("x:1", "x:1"), b))
	if want := "condition-1/b: moved from the pipeline to condition-1\ncondition-1: added (condition)\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestNested compares a nested pipeline that two tasks share once.
func TestNested(t *testing.T) {
	outer := func(image string) *program.Program {
		p := small(image)
		p.Components = append(p.Components, &program.Component{Name: "outer", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{
			{Name: "one", Component: "small"}, {Name: "two", Component: "small"},
		}}})
		p.Name, p.Main = "outer", "outer"
		return p
	}
	got := text(progdiff.Diff(outer("x:1"), outer("x:2")))
	if want := "one/a (and two/a): image: x:1 -> x:2\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestLarge: ten thousand tasks, half of them renamed, take no time that grows
// with the square.
func TestLarge(t *testing.T) {
	big := func(prefix string) *program.Program {
		p := small("x:1")
		d := p.Components[0].DAG
		for i := range 10_000 {
			name := "t" + string(rune('a'+i%26)) + strings.Repeat("z", i%7)
			if i%2 == 0 {
				name = prefix + name
			}
			name += string(rune('0' + i%10))
			d.Tasks = append(d.Tasks, &program.Task{Name: name + encode(i), Component: "a", Args: map[string]program.Value{"x": constant(encode(i))}})
		}
		return p
	}
	changes := progdiff.Diff(big("old-"), big("new-"))
	for _, c := range changes {
		if c.Op != progdiff.Renamed {
			t.Fatalf("%s", c)
		}
	}
	if len(changes) != 5000 {
		t.Errorf("%d changes", len(changes))
	}
}

func encode(i int) string { b, _ := json.Marshal(i); return string(b) }

// TestElements: what a run expands in a command is JSON, in whatever order.
func TestElements(t *testing.T) {
	of := func(arg string) *program.Program {
		return &program.Program{Name: "p", Main: "p", Components: []*program.Component{
			{Name: "p", DAG: &program.DAG{Tasks: []*program.Task{{Name: "a", Component: "a"}}}},
			{Name: "a", Exec: &program.Executor{Container: &program.Container{Image: "x", Args: []string{arg}}}},
		}}
	}
	a := of(`{"IfPresent": {"InputName": "n", "Then": ["--n", "1"], "Else": ["no"]}}`)
	if d := progdiff.Diff(a, of(`{"IfPresent":{"Else":["no"],"InputName":"n","Then":["--n","1"]}}`)); len(d) != 0 {
		t.Errorf("the same: %s", text(d))
	}
	if d := progdiff.Diff(a, of(`{"IfPresent":{"Else":["yes"],"InputName":"n","Then":["--n","1"]}}`)); len(d) != 1 {
		t.Errorf("another: %s", text(d))
	}
}

func FuzzDiff(f *testing.F) {
	b, err := os.ReadFile("../../local/report/testdata/program.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, b[:len(b)/2])
	f.Add(b, []byte(`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"b","each":{},"when":{"op":"in"}}]}},{"name":"b"}]}`))
	f.Add([]byte(`{"main":"a","components":[{"name":"a","dag":{"kind":"loop","tasks":[{"name":"a","component":"a","after":["a"]}]}}]}`), b)
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, ok := decode(x)
		if !ok {
			return
		}
		if got := progdiff.Diff(a, a); len(got) != 0 {
			t.Errorf("differs from itself: %s", text(got))
		}
		if b, ok := decode(y); ok {
			text(progdiff.Diff(a, b))
			text(progdiff.Diff(b, a))
		}
	})
}

// decode returns a program that holds no nil, which a reader never makes.
func decode(data []byte) (*program.Program, bool) {
	p := &program.Program{}
	if json.Unmarshal(data, p) != nil || slices.Contains(p.Components, nil) {
		return nil, false
	}
	for _, c := range p.Components {
		if c.DAG != nil && slices.Contains(c.DAG.Tasks, nil) {
			return nil, false
		}
	}
	return p, true
}
