package program

// Nullable reports whether it is known only at run time that a value, of a task in
// the DAG c, is there.
func (p *Program) Nullable(c *Component, v Value) bool {
	switch v.Kind {
	case Input:
		in := c.Input(v.Name)
		return in != nil && in.Optional && in.Default == nil
	case Output:
		return p.absent(c, v.Task, v.Name)
	}
	return false
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
		if inner != nil && inner.When != nil && len(export.From) == 1 || p.absent(sub, from.Task, from.Output) {
			return true
		}
	}
	return false
}

// Collects reports whether an output of a component is a list already that a loop
// inside has collected.
func (p *Program) Collects(c *Component, output string) bool {
	if c.DAG == nil {
		return false
	}
	for _, f := range c.DAG.Outputs[output].From {
		t := c.DAG.Task(f.Task)
		if t == nil {
			continue
		}
		if sub := p.Component(t.Component); t.Each != nil || sub != nil && p.Collects(sub, f.Output) {
			return true
		}
	}
	return false
}

// Imported reports whether an output of a component may be an artifact that an
// importer inside hands on.
func (p *Program) Imported(c *Component, output string) bool {
	if c == nil || c.DAG == nil {
		return c != nil && c.Exec != nil && c.Exec.Importer != nil
	}
	for _, f := range c.DAG.Outputs[output].From {
		if t := c.DAG.Task(f.Task); t != nil && p.Imported(p.Component(t.Component), f.Output) {
			return true
		}
	}
	return false
}
