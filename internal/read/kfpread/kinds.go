package kfpread

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// kinds finds out what each DAG was to its author, by how it is called: names say
// nothing. KFP gives a nested pipeline, and no other DAG, caching options.
func (c *converter) kinds() {
	for _, k := range c.calls {
		if k.sub.DAG != nil {
			k.sub.DAG.Kind = c.kind(k)
		}
	}
	for _, k := range c.calls {
		guarded := func(name string) bool {
			sub := c.p.Component(k.in.DAG.Task(name).Component)
			return sub.DAG != nil && sub.DAG.Kind == program.Guarded
		}
		k.task.Exit = k.task.Always && slices.ContainsFunc(k.task.After, guarded)
	}
}

func (c *converter) kind(k call) program.DAGKind {
	switch {
	case k.task.Each != nil:
		return program.Loop
	case k.task.When != nil || k.task.WhenText != "":
		return program.Condition
	case k.spec.CachingOptions != nil:
		return program.Pipeline
	case branches(k.sub.DAG):
		return program.Branches
	}
	for _, t := range k.in.DAG.Tasks {
		if t.Always && slices.Contains(t.After, k.task.Name) {
			return program.Guarded
		}
	}
	return program.Pipeline
}

// branches reports whether the tasks of a DAG are the arms of an If: each has a
// condition that starts by denying those before it. It puts them in that order.
func branches(d *program.DAG) bool {
	left := make([]arm, 0, len(d.Tasks))
	for _, t := range d.Tasks {
		if t.When == nil || len(t.After) > 0 {
			return false
		}
		a := arm{task: t, says: map[string]bool{}}
		all := expr.Conjuncts(t.When)
		for _, e := range all {
			a.says[e.CEL()] = true
		}
		a.deny = []string{expr.Not(t.When).CEL(), expr.Not(all[len(all)-1]).CEL()}
		left = append(left, a)
	}
	var order []*program.Task
	for len(left) > 1 {
		first := slices.IndexFunc(left, func(a arm) bool { return a.denied(left) })
		if first < 0 {
			return false
		}
		order = append(order, left[first].task)
		left = slices.Delete(left, first, first+1)
	}
	if len(order) == 0 {
		return false
	}
	d.Tasks = append(order, left[0].task)
	return true
}

// An arm is a task that may be the arm of an If.
type arm struct {
	task *program.Task
	says map[string]bool // the conditions that must all hold
	deny []string        // how later arms say that this one's does not
}

// denied reports whether all others of some arms are for when this one is not taken.
func (a arm) denied(all []arm) bool {
	for _, other := range all {
		if other.task != a.task && !other.says[a.deny[0]] && !other.says[a.deny[1]] {
			return false
		}
	}
	return true
}
