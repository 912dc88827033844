package kfp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// KFP's servers take some values only from the output of a step. So a step of the
// program's own, which returns its input, is put between: for the list of a loop with
// references in it, and in IR that goes to a server also for one in a struct and for the
// outcome of branches in a loop, both of which KFP's SDK writes in a way that fails, and
// for a list of artifacts that a loop is over, which no server has (see artifacts.go).

// withHandOns returns the program with those steps.
func withHandOns(p *program.Program, exact bool) *program.Program {
	h := &handOns{old: p, comps: map[[2]string]*program.Component{}, seen: map[output]bool{}, asked: map[[3]string]bool{}}
	for c, t := range p.Tasks() {
		if e := t.Each; e != nil && !e.Artifact && (e.Items.Kind == program.Format || exact && e.List != "" && e.Items.Partial()) {
			h.lists = append(h.lists, taskOf{c.Name, t.Name})
		}
		if t.Each != nil && t.Each.Artifact && exact {
			h.artifacts = append(h.artifacts, taskOf{c.Name, t.Name})
		}
		if body := p.Component(t.Component); exact && t.Each != nil && body != nil && body.DAG != nil {
			for _, out := range body.Outputs {
				if h.taken(c, t.Name, out.Name) {
					h.collected(body, out.Name)
				}
			}
		}
	}
	if len(h.lists)+len(h.choices)+len(h.artifacts) == 0 {
		return p
	}
	h.p = p.Clone()
	for _, at := range h.lists {
		h.list(h.p.Component(at.component).DAG, at.task)
	}
	for _, at := range h.choices {
		h.choice(h.p.Component(at.in), at)
	}
	for _, at := range h.artifacts {
		h.loop(h.p.Component(at.component).DAG, at.task)
	}
	return h.p.With(h.p.Components)
}

type taskOf struct{ component, task string }

// A choice is an output of a component that a loop collects, and that one of several
// branches in the component makes, or a loop in it: KFP's servers make one list of what both
// loops make.
type choice struct {
	in, output string
	from       program.From
}

type handOns struct {
	old, p    *program.Program
	lists     []taskOf
	choices   []choice
	artifacts []taskOf
	seen      map[output]bool
	asked     map[[3]string]bool
	comps     map[[2]string]*program.Component // by the types of input and output
}

// taken reports whether a task takes an output of a task of a DAG, there or where the DAG
// hands it on to. What only the run returns is read by nobody.
func (h *handOns) taken(c *program.Component, task, output string) bool {
	key := [3]string{c.Name, task, output}
	is, ok := h.asked[key]
	if !ok {
		is = h.takes(c, task, output, false)
		h.asked[key] = is
	}
	return is
}

// takes is taken; direct: not out of a loop around it.
func (h *handOns) takes(c *program.Component, task, output string, direct bool) bool {
	for _, t := range c.DAG.Tasks {
		for _, v := range t.Values() {
			if v.Kind == program.Output && v.Task == task && v.Name == output {
				return true
			}
		}
	}
	for name, out := range c.DAG.Outputs {
		if !slices.Contains(out.From, program.From{Task: task, Output: output}) {
			continue
		}
		for _, by := range h.old.Callers(c.Name) {
			switch {
			case direct && by.Task.Each != nil:
			case direct && h.takes(by.In, by.Task.Name, name, true), !direct && h.taken(by.In, by.Task.Name, name):
				return true
			}
		}
	}
	return false
}

// collected finds the choices, and the loops behind an output of a DAG.
func (h *handOns) collected(c *program.Component, name string) {
	out := output{c.Name, name}
	if h.seen[out] {
		return
	}
	h.seen[out] = true
	for _, m := range h.old.Makers(c, name) {
		sub := m.Component
		if sub == nil || sub.DAG == nil {
			continue
		}
		port := sub.Output(m.Output)
		if (len(sub.DAG.Outputs[m.Output].From) > 1 || m.Task.Each != nil) && port != nil && !port.Type.Artifact && len(c.DAG.Outputs[name].From) == 1 {
			h.choices = append(h.choices, choice{c.Name, name, program.From{Task: m.Task.Name, Output: m.Output}})
			continue
		}
		h.collected(sub, m.Output)
	}
}

// choice lets a component return what branches in it have made by way of a step.
func (h *handOns) choice(c *program.Component, at choice) {
	d := c.DAG
	i := slices.IndexFunc(d.Tasks, func(t *program.Task) bool { return t.Name == at.from.Task })
	branches := d.Tasks[i]
	v := program.Value{Kind: program.Output, Task: branches.Name, Name: at.from.Output, Type: h.p.Component(branches.Component).Output(at.from.Output).Type}
	step := h.step(d, "value-of-"+branches.Name, branches.Pos, v, v.Type)
	d.Tasks = slices.Insert(d.Tasks, i+1, step)
	d.Outputs = maps.Clone(d.Outputs)
	d.Outputs[at.output] = program.Export{From: []program.From{{Task: step.Name, Output: contract.Handed}}}
}

// list lets a loop read its list from a step before it.
func (h *handOns) list(d *program.DAG, loop string) {
	i := slices.IndexFunc(d.Tasks, func(t *program.Task) bool { return t.Name == loop })
	t := d.Tasks[i]
	e := *t.Each
	step := h.step(d, "list-of-"+loop, t.Pos, e.Items, e.Items.Type)
	out := program.Value{Kind: program.Output, Task: step.Name, Name: contract.Handed, Type: e.Items.Type}
	if e.List == "" {
		e.List = h.input(t.Component, e.Items.Type)
	}
	if _, ok := t.Args[e.List]; ok {
		t.Args = maps.Clone(t.Args)
		t.Args[e.List] = out
	}
	e.Items, t.Each = out, &e
	t.After = slices.Sorted(slices.Values(append(slices.Clone(t.After), step.Name)))
	d.Tasks = slices.Insert(d.Tasks, i, step)
}

// step returns a task of a DAG that hands a value on. It waits for what the value is made of.
func (h *handOns) step(d *program.DAG, name string, pos graph.Pos, v program.Value, to graph.Type) *program.Task {
	name = freename.Of(name, func(s string) bool { return d.Task(s) != nil })
	t := &program.Task{Name: name, Component: h.component(v.Type, to, pos), Pos: pos, Args: map[string]program.Value{contract.Handed: v}}
	after := map[string]bool{}
	for _, v := range t.Values() {
		if v.Kind == program.Output {
			after[v.Task] = true
		}
	}
	t.After = slices.Sorted(maps.Keys(after))
	return t
}

// component returns the name of the component that makes one type of another.
func (h *handOns) component(from, to graph.Type, pos graph.Pos) string {
	plain := func(t graph.Type) graph.Type {
		return graph.Type{Name: t.Name, Artifact: t.Artifact, Version: t.Version, List: t.List}
	}
	from, to = plain(from), plain(to)
	key := [2]string{fmt.Sprint(from), fmt.Sprint(to)}
	if c := h.comps[key]; c != nil {
		return c.Name
	}
	base := "hand-on-" + strings.ReplaceAll(strings.ToLower(to.Name), "_", "-")
	switch {
	case from.Artifact:
		base = "hand-on-artifacts"
	case to.Artifact:
		base = "hand-on-artifact"
	}
	name := freename.Of(base, func(s string) bool { return h.p.Component(s) != nil })
	port := func(t graph.Type) []program.Port { return []program.Port{{Name: contract.Handed, Type: t}} }
	c := &program.Component{Name: name, Pos: pos, Inputs: port(from), Outputs: port(to), Exec: &program.Executor{Go: &program.GoStep{Name: contract.HandOn}}}
	h.comps[key] = c
	h.p.Components = append(h.p.Components, c)
	return name
}

// input adds an input for the list to the body of a loop, and returns its name.
func (h *handOns) input(component string, typ graph.Type) string {
	c := h.p.Component(component)
	name := freename.Of(contract.Channel+"list", func(s string) bool { return c.Input(s) != nil })
	c.Inputs = append(slices.Clone(c.Inputs), program.Port{Name: name, Type: typ})
	return name
}
