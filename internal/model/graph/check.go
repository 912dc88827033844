package graph

import "fmt"

// A checker keeps the first thing that is wrong.
type checker struct {
	g   *Graph
	err error
}

func (g *Graph) check() error {
	c := &checker{g: g}
	for _, table := range []func(){c.tables, c.components, c.scopes, c.tasks, c.values, c.schedules, c.cycles} {
		if table(); c.err != nil {
			return c.err
		}
	}
	return nil
}

func (c *checker) errorf(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// tables checks that an entry's id is its place.
func (c *checker) tables() {
	entries(c, "component", c.g.Components, func(x *Component) int { return int(x.ID) })
	entries(c, "scope", c.g.Scopes, func(x *Scope) int { return int(x.ID) })
	entries(c, "task", c.g.Tasks, func(x *Task) int { return int(x.ID) })
	entries(c, "value", c.g.Values, func(x *Value) int { return int(x.ID) })
	for _, s := range c.g.Schedules {
		if s == nil {
			c.errorf("a schedule is null")
		}
	}
	for _, e := range c.g.Errors {
		if e == nil {
			c.errorf("an error is null")
		}
	}
}

// entries checks one table. An entry that is null has the id 0.
func entries[T any](c *checker, what string, table []*T, id func(*T) int) {
	for i, x := range table {
		of := 0
		if x != nil {
			of = id(x)
		}
		if of != i+1 {
			c.errorf("%s %d is in the place of %d", what, of, i+1)
		}
	}
}

func (c *checker) id(what string, i, table, least int) bool {
	if i < least || i > table {
		c.errorf("no %s %d", what, i)
		return false
	}
	return true
}

func (c *checker) component(i ComponentID, least int) bool {
	return c.id("component", int(i), len(c.g.Components), least)
}
func (c *checker) scope(i ScopeID, least int) bool {
	return c.id("scope", int(i), len(c.g.Scopes), least)
}
func (c *checker) task(i TaskID, least int) bool {
	return c.id("task", int(i), len(c.g.Tasks), least)
}
func (c *checker) value(i ValueID, least int) bool {
	return c.id("value", int(i), len(c.g.Values), least)
}

func (c *checker) components() {
	for _, x := range c.g.Components {
		c.scope(x.Body, 0)
		if (x.Kind == Container) != (x.Container != nil) || (x.Kind == Python) != (x.Python != nil) || (x.Kind == Resource) != (x.Resource != nil) || (x.Kind == Suspend) != (x.Suspend != nil) {
			c.errorf("component %s is a %s with the parts of another kind", x.Name, x.Kind)
		}
		if x.Importer != nil && x.Kind != Importer || x.Config != nil && x.Kind != Pipeline {
			c.errorf("component %s is a %s with the parts of another kind", x.Name, x.Kind)
		}
		if x.Kind != Pipeline && x.Body != 0 {
			c.errorf("component %s is a %s with a body", x.Name, x.Kind)
		}
		switch x.Kind {
		case Func, Container, Python, Resource, Importer, Suspend, Pipeline:
		default:
			c.errorf("component %s: no kind %q", x.Name, x.Kind)
		}
		for name, v := range x.Results {
			if c.value(v, 1); !has(x.Outputs, name) {
				c.errorf("component %s has no output %q", x.Name, name)
			}
		}
	}
}

func has(fields []Field, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

func (c *checker) scopes() {
	for _, s := range c.g.Scopes {
		c.component(s.Owner, 1)
		c.scope(s.Parent, 0)
		c.value(s.Items, 0)
		if (s.Kind == For) != (s.Items != 0) && len(c.g.Errors) == 0 {
			c.errorf("scope %d is a %s; a for and nothing else has items", s.ID, s.Kind)
		}
		for _, n := range s.Nodes {
			switch {
			case n.Task != 0 && n.Scope != 0 || n.Task == 0 && n.Scope == 0:
				c.errorf("scope %d has a node that is not one task or scope", s.ID)
			case n.Task != 0 && c.task(n.Task, 1):
				if t := c.g.Task(n.Task); t.Scope != s.ID {
					c.errorf("task %d is in scope %d and %d", n.Task, s.ID, t.Scope)
				}
			case n.Scope != 0 && c.scope(n.Scope, 1):
				if in := c.g.Scope(n.Scope); in.Parent != s.ID || in.Owner != s.Owner {
					c.errorf("scope %d is in scope %d and %d", n.Scope, s.ID, in.Parent)
				}
			}
		}
		c.cond(s.Cond)
	}
}

func (c *checker) cond(x *Cond) {
	if x == nil {
		return
	}
	for _, v := range x.Values {
		c.value(v, 1)
	}
	complete := len(c.g.Errors) == 0 // a mistaken value is left out
	operands := len(x.Values)
	switch x.Op {
	case "==", "!=", "<", "<=", ">", ">=":
		complete = complete && operands != 2
	case "in":
		complete = complete && operands < 2
	case "given":
		complete = complete && operands != 1
	case "&&", "||", "!":
		operands = len(x.Conds)
		complete = complete && (operands == 0 || x.Op == "!" && operands != 1)
	case "":
	default:
		c.errorf("no condition %q", x.Op)
	}
	if complete && x.Op != "" {
		c.errorf("condition %s has %d operands", x.Op, operands)
	}
	for _, sub := range x.Conds {
		if sub == nil {
			c.errorf("a condition is null")
		}
		c.cond(sub)
	}
}

func (c *checker) tasks() {
	for _, t := range c.g.Tasks {
		if !c.component(t.Component, 1) || !c.scope(t.Scope, 1) {
			return
		}
		for name, v := range t.Args {
			if c.value(v, 1); !has(c.g.Component(t.Component).Inputs, name) {
				c.errorf("task %s: its component has no input %q", t.Name, name)
			}
		}
		for _, a := range t.After {
			c.task(a, 1)
		}
		for _, a := range t.AfterScopes {
			c.scope(a, 1)
		}
		for _, o := range t.Options {
			for _, a := range o.Args {
				if c.value(a.Value, 0); (a.Value != 0) == (a.Const != nil) && len(c.g.Errors) == 0 {
					c.errorf("task %s: option %s has an operand that is not one constant or value", t.Name, o.Name)
				}
			}
		}
	}
}

func (c *checker) values() {
	for _, v := range c.g.Values {
		c.task(v.Task, 0)
		c.scope(v.Scope, 0)
		for _, of := range v.Of {
			c.value(of, 1)
		}
		bad := false
		switch v.Kind {
		case Const:
			bad = v.Const == nil
		case Output:
			bad = v.Task == 0
		case Member, Collected:
			bad = len(v.Of) != 1
		case OneOf:
			bad = len(v.Of) == 0
		case Format:
			bad = len(v.Text) != len(v.Of)+1
		case Input, Item, Status, FireTime, FireDate, Run:
		default:
			c.errorf("value %d: no kind %q", v.ID, v.Kind)
		}
		if bad && len(c.g.Errors) == 0 {
			c.errorf("value %d is a %s without its fields", v.ID, v.Kind)
		}
		if v.Kind == Output && v.Task == 0 {
			c.errorf("value %d is an output of no task", v.ID)
		}
	}
}

func (c *checker) schedules() {
	for _, s := range c.g.Schedules {
		if !c.component(s.Pipeline, 1) {
			return
		}
		for _, v := range s.Args {
			c.value(v, 1)
		}
	}
}

// cycles looks for what holds itself.
func (c *checker) cycles() {
	c.acyclic("value", len(c.g.Values), func(i int, yield func(int)) {
		for _, of := range c.g.Values[i].Of {
			yield(int(of) - 1)
		}
	})
	c.acyclic("scope", len(c.g.Scopes), func(i int, yield func(int)) {
		if p := c.g.Scopes[i].Parent; p != 0 {
			yield(int(p) - 1)
		}
	})
	calls := make([][]int, len(c.g.Components))
	for _, t := range c.g.Tasks {
		owner := c.g.Scope(t.Scope).Owner - 1
		calls[owner] = append(calls[owner], int(t.Component)-1)
	}
	if len(c.g.Errors) == 0 { // one of which is that a pipeline calls itself
		c.acyclic("component", len(calls), func(i int, yield func(int)) {
			for _, to := range calls[i] {
				yield(to)
			}
		})
	}
}

// acyclic reports a node that reaches itself. It keeps its own stack, because
// chains may be long.
func (c *checker) acyclic(what string, n int, next func(i int, yield func(int))) {
	const (
		fresh = iota
		open
		done
	)
	state := make([]byte, n)
	for root := range n {
		stack := []int{root}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			if state[i] != fresh {
				state[i] = done
				stack = stack[:len(stack)-1]
				continue
			}
			state[i] = open
			next(i, func(to int) {
				switch state[to] {
				case fresh:
					stack = append(stack, to)
				case open:
					c.errorf("%s %d holds itself", what, to+1)
				}
			})
			if c.err != nil {
				return
			}
		}
	}
}
