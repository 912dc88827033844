// Package vet finds what compiles but is likely to go wrong: images that change
// under their name, devices that are waited for and never asked for, requests
// above their limits, what is too large to be stored. It asks no cluster.
package vet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/program"
)

// A Level says how bad a finding is.
type Level string

// The levels. What is an error fails on a cluster.
const (
	Error   Level = "error"
	Warning Level = "warning"
)

// A Finding is one thing that was found.
type Finding struct {
	Level Level     `json:"level"`
	Check string    `json:"check"`          // the name of the check, such as image
	Task  string    `json:"task,omitempty"` // path of names; empty: the pipeline itself
	Pos   graph.Pos `json:"pos,omitzero"`
	Msg   string    `json:"message"`
}

// String returns the finding as a line.
func (f Finding) String() string {
	var b strings.Builder
	if f.Pos.File != "" {
		b.WriteString(f.Pos.String() + ": ")
	}
	b.WriteString(string(f.Level) + ": ")
	if f.Task != "" {
		b.WriteString("task " + f.Task + ": ")
	}
	return b.String() + f.Msg
}

// Program returns what is found in a program, in the order of its lines; what
// several tasks share is said once.
func Program(p *program.Program) []Finding {
	v := &vetter{p: p, seen: map[string]bool{}}
	v.schedules()
	if main := p.Component(p.Main); main != nil {
		v.inputs(main, "")
		v.walk(main, "")
	}
	slices.SortStableFunc(v.all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
	return v.all
}

type vetter struct {
	p    *program.Program
	all  []Finding
	seen map[string]bool // findings, and DAGs
}

func (v *vetter) find(l Level, check, task string, pos graph.Pos, format string, args ...any) {
	f := Finding{l, check, task, pos, fmt.Sprintf(format, args...)}
	key := fmt.Sprintf("%s %q %v", check, f.Msg, pos)
	if pos.File == "" {
		key += task
	}
	if !v.seen[key] {
		v.seen[key] = true
		v.all = append(v.all, f)
	}
}

// walk checks the tasks of a DAG, each component once.
func (v *vetter) walk(c *program.Component, at string) {
	if c.DAG == nil || v.seen["dag "+c.Name] {
		return
	}
	v.seen["dag "+c.Name] = true
	for _, t := range c.DAG.Tasks {
		path := strings.TrimPrefix(at+"/"+t.Name, "/")
		sub := v.p.Component(t.Component)
		if sub == nil {
			continue
		}
		if sub.DAG != nil {
			if sub.DAG.Kind == program.Pipeline {
				v.inputs(sub, path)
			}
			v.walk(sub, path)
			continue
		}
		v.images(t, sub, path)
		v.devices(t, path)
		v.quantities(t, path)
		v.secrets(t, path)
	}
}

// inputs finds the inputs of a pipeline that nothing reads.
func (v *vetter) inputs(c *program.Component, path string) {
	if c.DAG == nil || v.seen["inputs "+c.Name] {
		return
	}
	v.seen["inputs "+c.Name] = true
	read := map[string]bool{}
	for _, t := range c.DAG.Tasks {
		for _, value := range t.Values() {
			if value.Kind == program.Input {
				read[value.Name] = true
			}
		}
	}
	for _, in := range c.Inputs {
		if !read[in.Name] {
			v.find(Warning, "unused", path, c.Pos, "nothing reads input %s of pipeline %s", in.Name, c.Name)
		}
	}
}

func (v *vetter) schedules() {
	for _, s := range v.p.Schedules {
		if legacy(s.Zone) {
			v.find(Warning, "zone", "", graph.Pos{}, "schedule %s: %s is an old abbreviation, and some systems have no data for it; name a place, such as Europe/Zurich", s.Name, s.Zone)
		}
	}
}

// legacy reports whether a time zone is one of those that are kept for old
// systems only.
func legacy(zone string) bool {
	switch zone {
	case "", "UTC", "Local":
		return false
	}
	area, _, named := strings.Cut(zone, "/")
	return !named || area == "US" || area == "Canada" || area == "SystemV"
}
