// Package outline moves tasks of a DAG to DAGs of their own, so that the program
// means the same and no DAG has more tasks than a target takes.
package outline

import (
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/order"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// A mover moves tasks of one component. It changes components and tasks of its
// program, which must be a clone.
type mover struct {
	p *program.Program
	c *program.Component
}

// where is a value of the DAG: an input, or an output of a task.
type where struct{ task, name string }

// group moves tasks into a new component that one task calls, and returns that.
// None of the tasks may read the status of one outside, nor the other way round.
func (m *mover) group(name string, names []string) *program.Component {
	in := map[string]bool{}
	var tasks []*program.Task
	for _, n := range names {
		in[n] = true
		tasks = append(tasks, m.c.DAG.Task(n))
	}
	g := &program.Component{Name: m.componentName(name), Pos: tasks[0].Pos, DAG: &program.DAG{Kind: program.Pipeline, Outputs: map[string]program.Export{}}}
	call := &program.Task{Name: m.taskName(name), Component: g.Name, Pos: tasks[0].Pos, Args: map[string]program.Value{}}
	after := map[string]bool{}

	ports := map[where]string{}
	port := func(at where, of []program.Port) (name string, isNew bool) {
		if name, ok := ports[at]; ok {
			return name, false
		}
		name = at.name
		if at.task != "" {
			name = at.task + "--" + at.name
		}
		name = freename.Of(name, func(s string) bool {
			return slices.ContainsFunc(of, func(p program.Port) bool { return p.Name == s })
		})
		ports[at] = name
		return name, true
	}

	// What the tasks read from outside are inputs.
	for _, t := range tasks {
		moved := t.Map(func(v program.Value) program.Value {
			if v.Kind != program.Input && (v.Kind != program.Output || in[v.Task]) {
				return v
			}
			outer := program.Value{Kind: v.Kind, Task: v.Task, Name: v.Name, Type: m.typeOf(v)}
			name, isNew := port(where{v.Task, v.Name}, g.Inputs)
			if isNew {
				g.Inputs = append(g.Inputs, program.Port{Name: name, Type: outer.Type, Optional: m.p.Nullable(m.c, outer)})
				call.Args[name] = outer
			}
			v.Kind, v.Task, v.Name = program.Input, "", name
			return v
		})
		moved.After = nil
		for _, a := range t.After {
			if in[a] {
				moved.After = append(moved.After, a)
			} else {
				after[a] = true
			}
		}
		g.DAG.Tasks = append(g.DAG.Tasks, moved)
	}
	g.DAG.Tasks = ordered(g.DAG.Tasks)
	call.After = slices.Sorted(maps.Keys(after))

	// What others read of them are outputs.
	export := func(task, output string) string {
		name, isNew := port(where{task, output}, g.Outputs)
		if isNew {
			g.Outputs = append(g.Outputs, program.Port{Name: name, Type: m.typeOf(program.Value{Kind: program.Output, Task: task, Name: output})})
			g.DAG.Outputs[name] = program.Export{From: []program.From{{Task: task, Output: output}}}
		}
		return name
	}
	clear(ports)
	rest := []*program.Task{}
	done := false
	for _, t := range m.c.DAG.Tasks {
		if in[t.Name] {
			if !done {
				rest, done = append(rest, call), true
			}
			continue
		}
		if !slices.ContainsFunc(t.After, func(a string) bool { return in[a] }) {
			rest = append(rest, t)
			continue
		}
		other := t.Map(func(v program.Value) program.Value {
			if v.Kind == program.Output && in[v.Task] {
				v.Name, v.Task = export(v.Task, v.Name), call.Name
			}
			return v
		})
		other.After = nil
		for _, a := range t.After {
			if in[a] {
				a = call.Name
			}
			if !slices.Contains(other.After, a) {
				other.After = append(other.After, a)
			}
		}
		slices.Sort(other.After)
		rest = append(rest, other)
	}
	outputs := map[string]program.Export{}
	for _, name := range slices.Sorted(maps.Keys(m.c.DAG.Outputs)) {
		e := program.Export{From: slices.Clone(m.c.DAG.Outputs[name].From)}
		for i, f := range e.From {
			if in[f.Task] {
				e.From[i] = program.From{Task: call.Name, Output: export(f.Task, f.Output)}
			}
		}
		outputs[name] = e
	}
	m.c.DAG.Tasks, m.c.DAG.Outputs = ordered(rest), outputs
	at := slices.Index(m.p.Components, m.c)
	*m.p = *m.p.With(slices.Insert(m.p.Components, at+1, g))
	return g
}

// typeOf returns the type of a value of the DAG.
func (m *mover) typeOf(v program.Value) graph.Type {
	if v.Kind == program.Input {
		if in := m.c.Input(v.Name); in != nil {
			return in.Type
		}
		return v.Type
	}
	if task := m.c.DAG.Task(v.Task); task != nil {
		if c := m.p.Component(task.Component); c != nil {
			if out := c.Output(v.Name); out != nil {
				return out.Type
			}
		}
	}
	return v.Type
}

func (m *mover) componentName(name string) string {
	base := m.c.Name + "-" + name
	if len(base) > 50 { // others append to it
		base = name
	}
	return freename.Of(base, func(s string) bool { return m.p.Component(s) != nil })
}

func (m *mover) taskName(name string) string {
	return freename.Of(name, func(s string) bool { return m.c.DAG.Task(s) != nil })
}

// ordered returns tasks so that each comes after those that it waits for, and
// otherwise as they were.
func ordered(tasks []*program.Task) []*program.Task {
	byName := map[string]*program.Task{}
	for _, t := range tasks {
		byName[t.Name] = t
	}
	return order.Of(tasks, func(t *program.Task) (before []*program.Task) {
		for _, a := range t.After {
			before = append(before, byName[a])
		}
		return before
	})
}
