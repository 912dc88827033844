package feature

import (
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Wrong is a fault of KFP's servers.
type Wrong struct {
	Since   int // the first server that has it, as the N of 2.N; 0: all of them
	Does    string
	Instead string // what the author can do
}

// wrong is what KFP's servers get wrong from 2.since on.
func wrong(since int, does, instead string) Support {
	from := ""
	if since > 0 {
		from = fmt.Sprintf(" since 2.%d", since)
	}
	return Support{OK: true, Note: fmt.Sprintf("its servers%s %s: %s", from, does, instead), Wrong: &Wrong{since, does, instead}}
}

// hooks is the first server, as the N of 2.N, that starts a task which ignores failures
// as a hook of each task that it waits for (kubeflow/pipelines 11470), and together what
// makes of these tasks one that always runs.
const (
	hooks    = 4
	together = "call what it waits for in a pipeline, and let it wait for the call of that"
)

// always adds what a task that ignores failures has to do with those around it.
func (u *user) always(d *program.DAG, t *program.Task) {
	if t.Always && !t.Exit {
		u.add("always")
		if len(t.After) > 1 {
			u.add("always.several")
		}
	}
	for _, name := range t.After {
		of := d.Task(name)
		if of == nil {
			continue
		}
		if of.Always && !of.Exit {
			u.add("always.before")
		}
		if !t.Always || t.Exit {
			continue
		}
		if of.Each != nil {
			u.add("always.loop")
		}
		if c := u.p.Component(of.Component); c != nil && c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Builtin != "" {
			u.add("always.claim")
		}
		if u.p.Skippable(d, of) {
			u.add("always.skipped")
		}
		if slices.ContainsFunc(d.Tasks, func(o *program.Task) bool { return o != t && o.Always && slices.Contains(o.After, name) }) {
			u.add("always.shared")
		}
	}
}

// chosen reports whether an output of a task is collected from a loop in which one of
// several branches makes it.
func (u *user) chosen(t *program.Task, output string, looped bool) bool {
	if t == nil {
		return false
	}
	c := u.p.Component(t.Component)
	if c == nil || c.DAG == nil {
		return false
	}
	if looped && len(c.DAG.Outputs[output].From) > 1 {
		return true
	}
	return slices.ContainsFunc(u.p.Makers(c, output), func(m program.Maker) bool { return u.chosen(m.Task, m.Output, looped || t.Each != nil) })
}
