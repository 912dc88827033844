package vet

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A mount is a task that mounts a claim which the pipeline makes, and where it is in
// the DAGs from the pipeline down.
type mount struct {
	path  string
	task  *program.Task
	trail []place
}

type place struct {
	dag   *program.DAG
	index int
	many  bool // a loop runs several of it at once
}

// claims finds claims that one node at a time can mount, and tasks that mount them
// at the same time.
func (v *vetter) claims(main *program.Component) {
	once := map[string]string{} // by origin: the access mode
	mounts := map[string][]mount{}
	var origins []string
	v.steps(main, func(t *program.Task, c *program.Component, w way) {
		if c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Builtin == program.CreatePVC {
			if mode := single(t); mode != "" {
				once[w.path+"/name"] = mode
			}
		}
		for _, m := range t.Settings.PVCMounts {
			key := trace(m.Claim, w.at, w.env).key
			if len(mounts[key]) == 0 {
				origins = append(origins, key)
			}
			mounts[key] = append(mounts[key], mount{w.path, t, w.trail})
		}
	})
	for _, key := range origins {
		if once[key] != "" {
			v.shared(once[key], mounts[key])
		}
	}
}

// shared reports the first two of the mounts that can be there at the same time.
func (v *vetter) shared(mode string, all []mount) {
	const mend = "pods on other nodes wait for the first to end; use ReadWriteMany where the storage has it, run one after the other, or keep them on one node with k8s.NodeSelector"
	for i, a := range all {
		for _, p := range a.trail {
			if p.many {
				v.find(Warning, "pvc", a.path, a.task.Pos, "the loop around it runs several at once, which mount one %s claim: %s", mode, mend)
				return
			}
		}
		for _, b := range all[:i] {
			if parallel(a, b) {
				v.find(Warning, "pvc", a.path, a.task.Pos, "it and task %s can run at once, and mount one %s claim: %s", b.path, mode, mend)
				return
			}
		}
	}
}

// parallel reports whether two tasks can run at the same time, by where their ways
// down part.
func parallel(a, b mount) bool {
	for i := range min(len(a.trail), len(b.trail)) {
		x, y := a.trail[i], b.trail[i]
		if x.dag != y.dag {
			return false
		}
		if x.index == y.index {
			continue
		}
		order := before(x.dag)
		return x.dag.Kind != program.Branches && !order[x.index][y.index] && !order[y.index][x.index]
	}
	return false
}

// single returns the access mode of a claim that one node can mount at a time, if it
// has no other.
func single(create *program.Task) string {
	modes, ok := create.Args["access_modes"]
	var list []string
	if !ok || modes.Kind != program.Const || json.Unmarshal(modes.Const, &list) != nil || len(list) != 1 {
		return ""
	}
	if list[0] == "ReadWriteOnce" || list[0] == "ReadWriteOncePod" {
		return list[0]
	}
	return ""
}
