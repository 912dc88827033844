package kfp

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// KFP's servers fail a task that takes what a loop collects where the loop had no items:
// they look for a task of an iteration. They do collect nothing out of a loop in a loop,
// and make one list of what both loops make. So in IR that goes to a server, a loop that
// may have no items is in a loop of one iteration where a task takes what it collects.

// The name of the item of that loop, which nobody reads, and its list.
const (
	onceItem = contract.Channel + "once"
	onceList = "[0]"
)

// withOnces returns the program with loops in a loop: those that need it, and those that
// a file had so.
func withOnces(p *program.Program, exact bool) *program.Program {
	h := &handOns{old: p}
	type loop struct{ in, task string }
	var all []loop
	for c, t := range p.Tasks() {
		if e := t.Each; e != nil && (e.Once || exact && p.IR == nil && !e.Artifact && mayBeEmpty(c.DAG, e) && h.direct(c, t)) {
			all = append(all, loop{c.Name, t.Name})
		}
	}
	if len(all) == 0 {
		return p
	}
	q := p.Clone()
	for _, at := range all {
		d := q.Component(at.in).DAG
		i := slices.IndexFunc(d.Tasks, func(t *program.Task) bool { return t.Name == at.task })
		d.Tasks[i] = boxed(q, d.Tasks[i])
	}
	return q.With(q.Components)
}

// mayBeEmpty reports whether a loop may have no items.
func mayBeEmpty(d *program.DAG, e *program.Each) bool {
	switch e.Items.Kind {
	case program.Const: // dsl.ParallelFor takes no empty one
		return false
	case program.Output:
		by := d.Task(e.Items.Task)
		return by == nil || by.Args[contract.Handed].Kind != program.Format // of a step that passes on constants
	}
	return true
}

// direct reports whether a task takes what a loop collects, other than out of another loop.
func (h *handOns) direct(c *program.Component, t *program.Task) bool {
	body := h.old.Component(t.Component)
	return body != nil && slices.ContainsFunc(body.Outputs, func(o program.Port) bool { return h.takes(c, t.Name, o.Name, true) })
}

// boxed returns a task that runs a loop in a loop of one iteration.
func boxed(p *program.Program, t *program.Task) *program.Task {
	inner, outer := *t, *t
	inner.Each = &program.Each{}
	*inner.Each = *t.Each
	inner.Each.Once = false
	inner.After, inner.When, inner.WhenText, inner.Always, inner.Exit = nil, nil, "", false, false
	inner.Args = map[string]program.Value{}
	outer.Settings = program.Settings{}

	body := p.Component(t.Component)
	box := &program.Component{Name: t.Component + "-once", Pos: t.Pos, DAG: &program.DAG{Kind: program.Loop, Outputs: map[string]program.Export{}}}
	box.Name = freename.Of(box.Name, func(s string) bool { return p.Component(s) != nil })
	outer.Args = map[string]program.Value{}
	pass := func(name string, v program.Value) {
		port := *body.Input(name)
		box.Inputs = append(box.Inputs, port)
		outer.Args[name] = v
		inner.Args[name] = program.Value{Kind: program.Input, Name: name, Type: port.Type}
	}
	for i := range body.Inputs { // in their order
		name := body.Inputs[i].Name
		if v, ok := t.Args[name]; ok {
			pass(name, v)
		} else if name == t.Each.List {
			pass(name, t.Each.Items)
		}
	}
	if list := inner.Each.List; list != "" {
		inner.Each.Items = inner.Args[list]
		if _, ok := t.Args[list]; !ok {
			delete(inner.Args, list)
		}
	}
	for _, o := range body.Outputs {
		box.Outputs = append(box.Outputs, program.Port{Name: o.Name, Type: o.Type, Doc: o.Doc})
		box.DAG.Outputs[o.Name] = program.Export{From: []program.From{{Task: t.Name, Output: o.Name}}}
	}
	integer := graph.Type{Name: kfptype.Integer}
	box.Inputs = append(box.Inputs, program.Port{Name: onceItem, Type: integer})
	box.DAG.Tasks = []*program.Task{&inner}
	outer.Component = box.Name
	outer.Each = &program.Each{Item: onceItem, Items: program.Value{Kind: program.Const, Const: json.RawMessage(onceList), Type: graph.Type{Name: kfptype.List, Elem: &integer}}}
	i := slices.IndexFunc(p.Components, func(c *program.Component) bool { return c.Name == t.Component })
	p.Components = slices.Insert(p.Components, i, box) // callers come before what they call
	return &outer
}

// Unbox takes loops out of the loops of one iteration that withOnces put them into.
func Unbox(p *program.Program) {
	for _, t := range p.Tasks() {
		e := t.Each
		if e == nil || e.Item != onceItem || e.Items.Kind != program.Const || string(bytes.TrimSpace(e.Items.Const)) != onceList {
			continue
		}
		box := p.Component(t.Component)
		if box == nil || box.DAG == nil || len(box.DAG.Tasks) != 1 || box.DAG.Tasks[0].Each == nil || box.DAG.Tasks[0].Name != t.Name {
			continue
		}
		inner := box.DAG.Tasks[0]
		loop := *inner.Each
		loop.Once = true
		if v := loop.Items; v.Kind == program.Input && len(v.Field) == 0 {
			loop.Items = t.Args[v.Name]
		}
		args := map[string]program.Value{}
		for name := range inner.Args {
			args[name] = t.Args[name]
		}
		t.Component, t.Args, t.Each, t.Settings = inner.Component, args, &loop, inner.Settings
		p.Components = slices.DeleteFunc(slices.Clone(p.Components), func(c *program.Component) bool { return c == box })
	}
}
