package program

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// A Quantity is one of Kubernetes' that a task's settings have as a constant, or Of a
// value that a run knows.
type Quantity struct {
	What  string // it is to people: the memory limit
	Text  string
	Of    *Value
	Bytes bool // it is a number of bytes

	check func(text string) error
}

// Check says why Kubernetes refuses a string in its place.
func (q Quantity) Check(text string) error {
	if err := q.check(text); err != nil {
		return fmt.Errorf("%s: %w", q.What, err)
	}
	return nil
}

// Quantities returns all that are set.
func (s *Settings) Quantities() (all []Quantity) {
	resource := func(name string) func(string) error {
		return func(text string) error { return quantity.Resource(name, text) }
	}
	value := func(what, name string, v *Value) {
		if v == nil {
			return
		}
		q := Quantity{What: what, Bytes: name == "memory", check: resource(name)}
		if text, ok := v.Constant(); ok && len(v.Field) == 0 {
			q.Text = text
		} else {
			q.Of = v
		}
		all = append(all, q)
	}
	size := func(what, text string, check func(string) error) {
		all = append(all, Quantity{What: what, Text: text, Bytes: true, check: check})
	}
	list := func(c, kind string, of map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			all = append(all, Quantity{What: "the " + name + " " + kind + " of container " + c, Text: of[name], Bytes: name == "memory", check: resource(name)})
		}
	}
	value("the CPU limit", "cpu", s.CPULimit)
	value("the CPU request", "cpu", s.CPURequest)
	value("the memory limit", "memory", s.MemoryLimit)
	value("the memory request", "memory", s.MemoryRequest)
	for i := range s.Accelerators {
		if a := &s.Accelerators[i]; a.Count.Kind == Const {
			value("the number of "+a.Resource, a.Resource, &a.Count)
		}
	}
	for _, v := range s.EphemeralVolumes {
		size("the size of volume "+v.Name, v.Size, quantity.Size)
	}
	for _, v := range s.EmptyDirs {
		if v.SizeLimit != "" {
			size("the size limit of volume "+v.Name, v.SizeLimit, quantity.Limit)
		}
	}
	if m := s.SharedMemory; m != nil && m.Size != "" {
		size("the size of the shared memory", m.Size, quantity.Limit)
	}
	for _, c := range s.InitContainers {
		list(c.Name, "request", c.Requests)
		list(c.Name, "limit", c.Limits)
	}
	return all
}

// CheckQuantities reports the quantities in a program that Kubernetes refuses. Those of
// package dsl are reported there; files may have any.
func (p *Program) CheckQuantities() error {
	var errs []error
	bad := func(pos graph.Pos, where string, err error) {
		if err != nil {
			errs = append(errs, graph.At(pos, fmt.Errorf("pipeline %s: %s%w", p.Name, where, err)))
		}
	}
	if c := p.Config; c != nil && c.Workspace != nil {
		var pos graph.Pos
		if main := p.Component(p.Main); main != nil {
			pos = main.Pos
		}
		bad(pos, "the size of its workspace: ", quantity.Size(c.Workspace.Size))
	}
	for _, t := range p.Tasks() {
		for _, q := range t.Settings.Quantities() {
			if q.Of == nil && !strings.Contains(q.Text, "{{") {
				bad(t.Pos, "task "+t.Name+": ", q.Check(q.Text))
			}
		}
		if of := p.Component(t.Component); of != nil && of.Exec != nil && of.Exec.Resource != nil && of.Exec.Resource.Builtin == CreatePVC {
			size := t.Args["size"]
			if size, ok := size.Constant(); ok {
				bad(t.Pos, "task "+t.Name+": input size: ", quantity.Size(size))
			}
		}
	}
	return errors.Join(errs...)
}
