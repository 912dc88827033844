package program

import "slices"

// Nullable reports whether it is known only at run time that a value, of a task in
// the DAG c, is there. An input of a group is whatever the one who calls the group
// gives to it; one of a pipeline is what its author says.
func (p *Program) Nullable(c *Component, v Value) bool {
	switch v.Kind {
	case Input:
		in := c.Input(v.Name)
		if in == nil || in.Default != nil {
			return false
		}
		if in.Optional || c.DAG == nil || c.DAG.Kind == Pipeline {
			return in.Optional
		}
		for _, call := range p.Callers(c.Name) {
			if arg, ok := call.Task.Args[v.Name]; ok && p.Nullable(call.In, arg) {
				return true
			}
		}
	case Output:
		return p.absent(c, v.Task, v.Name)
	}
	return false
}

// A Call is a task that calls a component, in the DAG of another one.
type Call struct {
	In   *Component
	Task *Task
}

// Callers returns the tasks that call a component which isn't a step.
func (p *Program) Callers(name string) []Call {
	if p.calls == nil {
		p.calls = map[string][]Call{}
		for c, t := range p.Tasks() {
			if sub := p.Component(t.Component); sub != nil && sub.DAG != nil && sub != c {
				p.calls[t.Component] = append(p.calls[t.Component], Call{c, t})
			}
		}
	}
	return p.calls[name]
}

// absent reports whether an output of a task of a DAG may have no value.
func (p *Program) absent(c *Component, task, name string) bool {
	t := c.DAG.Task(task)
	if t == nil {
		return false
	}
	sub := p.Component(t.Component)
	if sub == nil {
		return false
	}
	if sub.DAG == nil || t.Each != nil {
		port := sub.Output(name)
		return t.Each == nil && port != nil && port.Optional
	}
	export := sub.DAG.Outputs[name]
	for _, from := range export.From {
		inner := sub.DAG.Task(from.Task)
		if inner != nil && len(export.From) == 1 && p.Skippable(sub.DAG, inner) || p.absent(sub, from.Task, from.Output) {
			return true
		}
	}
	return false
}

// Skippable reports whether a task may not run, though its DAG does: because of its
// own condition, or of that of a task that it waits for.
func (p *Program) Skippable(d *DAG, t *Task) bool {
	seen := map[string]bool{}
	var may func(t *Task) bool
	may = func(t *Task) bool {
		if t == nil || seen[t.Name] {
			return false
		}
		seen[t.Name] = true
		return t.When != nil || t.WhenText != "" || !t.Always && slices.ContainsFunc(t.After, func(name string) bool { return may(d.Task(name)) })
	}
	return may(t)
}

// A Maker is a task of a DAG that makes an output of the DAG's component.
type Maker struct {
	Task      *Task
	Component *Component // that the task calls; nil: there is none of its name
	Output    string     // of that component
}

// Makers returns what makes an output of a component: one of them, or the first that runs.
// Of a component without a DAG there are none.
func (p *Program) Makers(c *Component, output string) (all []Maker) {
	if c == nil || c.DAG == nil {
		return nil
	}
	for _, f := range c.DAG.Outputs[output].From {
		if t := c.DAG.Task(f.Task); t != nil {
			all = append(all, Maker{t, p.Component(t.Component), f.Output})
		}
	}
	return all
}

// Collects reports whether an output of a component is a list already that a loop
// inside has collected.
func (p *Program) Collects(c *Component, output string) bool {
	return slices.ContainsFunc(p.Makers(c, output), func(m Maker) bool { return m.Task.Each != nil || p.Collects(m.Component, m.Output) })
}

// Imported reports whether an output of a component may be an artifact that an
// importer inside passes on.
func (p *Program) Imported(c *Component, output string) bool {
	return c != nil && c.Exec != nil && c.Exec.Importer != nil ||
		slices.ContainsFunc(p.Makers(c, output), func(m Maker) bool { return p.Imported(m.Component, m.Output) })
}
