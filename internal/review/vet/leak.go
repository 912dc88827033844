package vet

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A made claim is one that a task of the pipeline creates.
type made struct {
	path, key string
	name      string // if it is a constant
	task      *program.Task
}

// leaks finds claims that stay when the run has ended, or have a fixed name.
func (v *vetter) leaks(main *program.Component) {
	var all []made
	deleted := map[string]bool{} // by origin or name: whatever else happens
	v.steps(main, func(t *program.Task, c *program.Component, w way) {
		if c.Exec == nil || c.Exec.Resource == nil {
			return
		}
		name := constantName(t.Args["pvc_name"], w.at, w.env)
		switch c.Exec.Resource.Builtin {
		case program.CreatePVC:
			all = append(all, made{w.path, w.path + "/name", name, t})
		case program.DeletePVC:
			for _, key := range []string{trace(t.Args["pvc_name"], w.at, w.env).key, "=" + name} {
				deleted[key] = deleted[key] || w.exit
			}
		}
	})
	for _, m := range all {
		always, ok := deleted[m.key]
		if !ok && m.name != "" {
			always, ok = deleted["="+m.name]
		}
		const mend = "k8s.RunVolume makes one and deletes it however the run ends"
		switch {
		case m.name != "" && m.task.Args["pvc_name"].Kind != "":
			v.find(Warning, "collide", m.path, m.task.Pos, "each run creates the claim %s: a run fails while another one has it, or has left it there; %s", m.name, mend)
		case !ok && m.task.Args["pvc_name_suffix"].Kind != "":
			v.find(Warning, "leak", m.path, m.task.Pos, "each run creates a claim, and nothing deletes it: claims and their disks stay; %s", mend)
		case ok && !always:
			v.find(Warning, "leak", m.path, m.task.Pos, "the claim is deleted only if all before that succeeds: a run that fails leaves it there; %s", mend)
		}
	}
}

// constantName returns the text of a value that is a constant, here or where it
// was passed in.
func constantName(a program.Value, at string, env map[string]origin) string {
	var name string
	if a.Kind == program.Const {
		_ = json.Unmarshal(a.Const, &name) // others aren't names
		return name
	}
	if o := trace(a, at, env); a.Kind == program.Input && len(o.known) == 1 {
		_ = json.Unmarshal(o.known[0], &name)
	}
	return name
}
