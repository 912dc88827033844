package kfp

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// The driver of KFP's servers selects a field of a struct where a loop starts, and then in
// each iteration a field of the selected value, which fails. So in IR for a server a loop
// takes the struct as a whole, and the tasks in it select.

// withWholes returns the program with whole structs as the inputs of loops.
func withWholes(p *program.Program) *program.Program {
	field := func(t *program.Task) (name string) {
		if t.Each != nil {
			for arg, v := range t.Args {
				if len(v.Field) > 0 && arg != t.Each.List && (name == "" || arg < name) { // see handOns for the list
					name = arg
				}
			}
		}
		return name
	}
	some := false
	for _, t := range p.Tasks() {
		some = some || field(t) != ""
	}
	if !some {
		return p
	}
	q := p.Clone()
	for again := true; again; { // what a loop in a loop takes, too
		again = false
		for c := range q.Components {
			d := q.Components[c].DAG
			if d == nil {
				continue
			}
			for i, t := range d.Tasks {
				for name := field(t); name != ""; name = field(d.Tasks[i]) {
					again = true
					d.Tasks[i] = whole(q, d.Tasks[i], name)
				}
			}
		}
	}
	return q
}

// whole returns a loop that takes a struct as an argument, and has the tasks in it select.
func whole(p *program.Program, t *program.Task, name string) *program.Task {
	t = t.Map(func(v program.Value) program.Value { return v })
	v := t.Args[name]
	selected := v.Field
	v.Field, v.Type = nil, graph.Type{Name: kfptype.Struct}
	t.Args[name] = v
	body := p.Component(t.Component)
	body.Inputs = slices.Clone(body.Inputs)
	for i := range body.Inputs {
		if in := &body.Inputs[i]; in.Name == name {
			in.Type, in.Default = v.Type, nil
		}
	}
	for i, inner := range body.DAG.Tasks {
		body.DAG.Tasks[i] = inner.Map(func(of program.Value) program.Value {
			if of.Kind == program.Input && of.Name == name {
				of.Field = slices.Concat(selected, of.Field)
			}
			return of
		})
	}
	return t
}
