// Package vet finds what compiles but is likely to go wrong: images that change
// under their name, devices that are waited for and never asked for, requests
// above their limits, conditions that never hold, what is too large to be stored.
// It asks no cluster. Each rule has a page, which also says how to silence it.
package vet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/objects"
)

// A Level says how bad a finding is.
type Level string

// The levels. What is an error fails on a cluster. A note is true, and may be as it should.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// A Finding is one thing that was found.
type Finding struct {
	Level Level     `json:"level"`
	Rule  string    `json:"rule"`           // its name, such as image
	Task  string    `json:"task,omitempty"` // path of names; empty: the pipeline itself
	Pos   graph.Pos `json:"pos,omitzero"`
	Msg   string    `json:"message"`

	// Silenced is the reason that the author gives for leaving it. Empty: it counts.
	Silenced string `json:"silenced,omitempty"`
}

// String returns the finding as a line.
func (f Finding) String() string {
	var b strings.Builder
	if f.Pos.File != "" {
		b.WriteString(f.Pos.String() + ": ")
	}
	b.WriteString(string(f.Level) + ": " + f.text())
	if f.Rule != "" {
		b.WriteString(" (" + f.Rule + ")")
	}
	return b.String()
}

// text is the finding, with the task.
func (f Finding) text() string {
	if f.Task != "" {
		return "task " + f.Task + ": " + f.Msg
	}
	return f.Msg
}

// Options say what counts.
type Options struct {
	Argo   bool    // the program is for Argo, which caches only memoized templates
	Quotas []Quota // what the pods of a run have together
	There  []There // objects that are in the cluster

	// Steps asks the program what Go steps would do with objects. Nil: it isn't at hand.
	Steps func([]contract.Step) ([]contract.Planned, error)
}

// Program returns the findings in a program, in the order of its lines; what
// several tasks share is said once. Where the program's source is at hand, it reads
// what Go steps do.
func Program(p *program.Program, o Options) []Finding {
	v := &vetter{p: p, o: o, seen: map[string]bool{}, cachedExits: p.CachedExits()}
	v.schedules()
	if main := p.Component(p.Main); main != nil {
		v.read(main)
		v.inputs(main, "")
		v.walk(main, "")
		v.branches(main, "", nil, nil)
		v.claims(main)
		v.leaks(main)
		v.objects(main)
		v.queues()
		for _, q := range o.Quotas {
			v.quota(main, q)
		}
	}
	sortFindings(v.all)
	return v.all
}

type vetter struct {
	p    *program.Program
	o    Options
	all  []Finding
	seen map[string]bool // findings, and DAGs

	files *source

	open  []objects.Task                   // with inputs of the pipeline that are anything
	usual []objects.Task                   // with defaults for those that have one
	items map[*program.Task][]objects.Task // of usual: for each item of a loop

	cachedExits map[*program.Task]bool
}

func (v *vetter) find(l Level, rule, task string, pos graph.Pos, format string, args ...any) {
	f := Finding{Level: l, Rule: rule, Task: task, Pos: pos, Msg: feature.Words(v.p, pos, readable(fmt.Sprintf(format, args...)))}
	key := fmt.Sprintf("%s %q %v", rule, f.Msg, pos)
	if pos.File == "" {
		key += task
	}
	if !v.seen[key] {
		v.seen[key] = true
		v.all = append(v.all, f)
	}
}

// readable names what a placeholder of KFP stands for, as its author would.
func readable(text string) string {
	if !strings.Contains(text, "{{$") {
		return text
	}
	var b strings.Builder
	for _, p := range placeholder.Parse(text) {
		switch p.Kind {
		case placeholder.Text:
			b.WriteString(p.Text)
		case placeholder.InputParam, placeholder.InputArtifact:
			b.WriteString("<input " + p.Name + ">")
		case placeholder.OutputParam, placeholder.OutputArtifact:
			b.WriteString("<output " + p.Name + ">")
		case placeholder.Run:
			b.WriteString("<" + strings.TrimPrefix(p.Name, "pipeline_") + ">")
		default:
			b.WriteString("<the step's input>")
		}
	}
	return b.String()
}

func sortFindings(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
}

// walk checks the tasks of a DAG, each component once.
func (v *vetter) walk(c *program.Component, at string) {
	if c.DAG == nil || v.seen["dag "+c.Name] {
		return
	}
	v.seen["dag "+c.Name] = true
	v.outputs(c, at)
	for _, t := range c.DAG.Tasks {
		path := join(at, t.Name)
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
		v.secrets(t, sub, path)
		v.retries(t, sub, path)
		v.caches(t, sub, path)
		v.arguments(sub)
	}
}

func join(at, name string) string { return strings.TrimPrefix(at+"/"+name, "/") }
