package dsl

import (
	"encoding/json"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// A Scope is where tasks are added: a pipeline, or the body of an If, loop or
// exit handler. Add tasks only to the innermost one, which by custom is called s
// and shadows the outer ones.
type Scope struct {
	g      *record.Scope
	parent *Scope
	root   *Scope // of the pipeline
	via    *Scope // where the task is that this pipeline is recorded for
	child  *Scope // that is being defined now
	closed bool
	names  map[string]int  // of tasks, for the whole pipeline: the number to try next
	open   []*record.Scope // OneOfs that have no Else yet
}

func newScope(parent *Scope, kind graph.ScopeKind, owner *record.Component) *Scope {
	pos := source.Caller()
	if parent == nil {
		s := &Scope{g: record.NewScope(kind, owner, nil, pos), names: map[string]int{}}
		s.root = s
		return s
	}
	return &Scope{g: record.NewScope(kind, owner, parent.g, pos), parent: parent, root: parent.root, names: parent.names}
}

// nest records a scope inside s and runs body to fill it.
func (s *Scope) nest(kind graph.ScopeKind, body func(*Scope), edit func(*record.Scope)) *Scope {
	if s == nil { // recorded nowhere, and so found by what its values are used for
		s = newScope(nil, kind, &record.Component{})
	}
	before := len(s.g.Owner.Errors)
	s.check(source.Caller(), string(kind))
	n := newScope(s, kind, s.g.Owner)
	if edit != nil {
		edit(n.g)
	}
	s.g.Nodes = append(s.g.Nodes, n.g)
	s.child = n
	if body != nil {
		body(n)
	} else {
		s.errorf(n.g.Pos, "%s has no function", kind)
	}
	n.close()
	s.child = nil
	switch kind {
	case graph.If, graph.Elif, graph.Else, graph.For: // become DAGs of their own, which have tasks
		if !n.g.HasTask() && len(s.g.Owner.Errors) == before {
			s.errorf(n.g.Pos, "the %s adds no task; leave it out", kind)
		}
	}
	return n
}

func (s *Scope) close() {
	s.closed = true
	s.checkLabel()
	for _, g := range s.open {
		s.errorf(g.Pos, "OneOf has no Else; end it with one, with Default for a value where no branch runs, or with Optional if nothing is to be there when no branch runs")
	}
}

// check reports a use of a scope that is not the innermost one.
func (s *Scope) check(pos graph.Pos, what string) {
	switch {
	case s.child != nil:
		in := s.child
		for in.child != nil {
			in = in.child
		}
		s.errorf(pos, "%s added to an outer scope inside the %s at line %d; use the scope its function gets", what, in.g.Kind, in.g.Pos.Line)
	case s.closed:
		s.errorf(pos, "%s added to the %s at line %d after its function returned", what, s.g.Kind, s.g.Pos.Line)
	}
}

func (s *Scope) task(c *record.Component, pos graph.Pos) *record.Task {
	s.check(pos, "task "+c.Name)
	name := s.name(c.Name)
	t := &record.Task{Name: name, Component: c, Scope: s.g, Args: map[string]*record.Value{}, Given: map[string]bool{}, Pos: pos}
	s.g.Add(t)
	return t
}

// name returns a name that no task of the pipeline has yet.
func (s *Scope) name(base string) string {
	name, n := base, s.names[base]
	for ; s.names[name] > 0; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	s.names[base] = max(n, 2)
	if name != base {
		s.names[name] = 2
	}
	return name
}

// options checks the operands of task options, and that the task can wait for
// the others that it comes after.
func (s *Scope) options(t *record.Task) {
	for _, o := range t.Options {
		for i, operand := range o.Operands {
			if in, ok := operand.(Input); ok {
				if v := orInvalid(in.ref(), "option "+o.Name); s.readable(v, t.Pos) {
					o.Operands[i] = v
				}
				continue
			}
			b, err := json.Marshal(operand)
			if err != nil {
				t.Errorf("option %s: %v", o.Name, err)
			}
			if msg, bad := record.Misused(string(b)); bad {
				t.Errorf("option %s: %s", o.Name, msg)
			}
		}
	}
	for _, a := range t.AfterScopes {
		switch {
		case a.Owner != s.g.Owner:
			t.Errorf("after a %s of %s", a.Kind, a.Owner.Name)
		case s.g.Within(a):
			t.Errorf("after the %s at line %d, which holds it", a.Kind, a.Pos.Line)
		default:
			if branch := s.branchAround(a.Parent); branch != nil {
				t.Errorf("after the %s at line %d, which is inside the %s at line %d and may not run; wait for a task after the branches", a.Kind, a.Pos.Line, branch.Kind, branch.Pos.Line)
			}
		}
	}
	for _, a := range t.After {
		if a.Scope.Owner != s.g.Owner {
			t.Errorf("after %s, which belongs to %s", a.Name, a.Scope.Owner.Name)
		} else if branch := s.branchAround(a.Scope); branch != nil {
			t.Errorf("after %s, which is inside the %s at line %d and may not run; wait for a task after the branches", a.Name, branch.Kind, branch.Pos.Line)
		}
	}
}

// branchAround returns the outermost branch around a scope that s is not in. A
// task can wait for one in a loop or group, and then waits for all of that.
func (s *Scope) branchAround(a *record.Scope) (branch *record.Scope) {
	for ; a != nil && !s.g.Within(a); a = a.Parent {
		switch a.Kind {
		case graph.If, graph.Elif, graph.Else, graph.Exit:
			branch = a
		}
	}
	return branch
}

// readable reports whether a task in s can read v, and records why not.
func (s *Scope) readable(v *record.Value, pos graph.Pos) bool {
	switch {
	case v.Kind == graph.Const, v.Kind == graph.Run:
		return true
	case v.Kind == record.Invalid:
		s.errorf(pos, "%s", v.Problem)
		return false
	case v.Kind == graph.FireTime:
		s.errorf(pos, "the fire time is known only to a schedule; make it an input, and pass dsl.FireTime to dsl.NewSchedule")
		return false
	case v.Kind == graph.FireDate:
		s.errorf(pos, "the fire date is known only to a schedule; make it an input, and pass dsl.FireDate to dsl.NewSchedule")
		return false
	case v.Owner != s.g.Owner && v.Owner != nil:
		s.errorf(pos, "%s belongs to %s, not to %s", v.Describe(), v.Owner.Name, s.g.Owner.Name)
		return false
	case v.Scope != nil && !s.g.Within(visible(v.Scope)):
		hint := "return it from the function and use the result of dsl.OneOf"
		if visible(v.Scope).Kind == graph.For {
			hint = "wrap it in dsl.Collected"
		}
		of := visible(v.Scope)
		s.errorf(pos, "%s is not readable outside the %s at line %d; %s", v.Describe(), of.Kind, of.Pos.Line, hint)
		return false
	}
	if v.Kind == graph.Format || v.Kind == graph.Member {
		for _, of := range v.Of {
			if !s.readable(of, pos) {
				return false
			}
		}
	}
	return true
}

// visible returns the scope in which a value of a scope may be read: an output of a task in
// a group may be read by all after it, since the group runs if they do.
func visible(g *record.Scope) *record.Scope {
	for g.Kind == graph.Group && g.Parent != nil {
		g = g.Parent
	}
	return g
}

// result reports whether v can leave s as what: the IR takes only task outputs.
func (s *Scope) result(v *record.Value, pos graph.Pos, what string) bool {
	if v == nil {
		s.errorf(pos, "%s is not set", what)
		return false
	}
	switch v.Kind {
	case graph.Output, graph.OneOf, graph.Collected, record.Invalid:
		return s.readable(v, pos)
	}
	s.errorf(pos, "%s is %s; it must be the output of a task", what, v.Describe())
	return false
}

func (s *Scope) errorf(pos graph.Pos, format string, args ...any) {
	s.g.Owner.Errorf(pos, format, args...)
}
