package kfpread

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/expr"
	"github.com/kfpgo/kfpgo/internal/program"
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
// condition that starts by denying those before it.
func branches(d *program.DAG) bool {
	var before []*expr.Expr
	arms := slices.Clone(d.Tasks)
	slices.SortStableFunc(arms, func(a, b *program.Task) int { return len(conjuncts(a.When)) - len(conjuncts(b.When)) })
	for i, t := range arms {
		if t.When == nil {
			return false
		}
		all := conjuncts(t.When)
		if i == 0 {
			before = append(before, t.When)
			continue
		}
		for _, b := range before {
			not := expr.Not(b).CEL()
			if !slices.ContainsFunc(all, func(e *expr.Expr) bool { return e.CEL() == not }) {
				return false
			}
		}
		if own := all[len(all)-1]; own.Op != "!" || i < len(arms)-1 {
			before = append(before, own)
		}
	}
	return len(arms) > 1
}

// conjuncts returns the conditions that must all hold.
func conjuncts(e *expr.Expr) []*expr.Expr {
	if e == nil || e.Op != "&&" {
		return []*expr.Expr{e}
	}
	return e.Args
}
