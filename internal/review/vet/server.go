package vet

import (
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// unheeded are features that the IR holds and KFP's servers do nothing about.
var unheeded = map[string]string{
	"pod-affinity":   "run the tasks where they should, with k8s.NodeAffinity or k8s.NodeSelector",
	"retry.pipeline": "set it on the tasks inside",
	"retry.group":    "set it on the tasks inside",

	"each.placeholder": "the steps get it as a string; take it out of the items, and pass what the run knows as an input of the task",
	"run.unknown":      "the steps get it as a string; write one that they replace, such as pipeline_job_uuid for the ID of the run",
	"field.unknown":    "take it out of the file, which they may refuse for it",
	"shared-memory":    `mount k8s.EmptyDir("shm", "/dev/shm", k8s.InMemory()) instead`,
}

// server returns what a pipeline asks of KFP that released servers ignore or get wrong. For a
// server that was chosen by its version, what it doesn't know is refused already.
func server(p *program.Program, chosen bool) []Finding {
	v := &vetter{p: p, seen: map[string]bool{}}
	on := func(id string) feature.Support {
		if r := feature.RowOf(id); r != nil && !chosen {
			return r.Support[feature.KFP]
		}
		return feature.Support{}
	}
	young := func(s feature.Support) bool { return s.Since > feature.Newest }
	for _, u := range feature.UsesOf(p, func(id string) bool { return young(on(id)) || on(id).Wrong != nil || unheeded[id] != "" }) {
		switch s := on(u.ID); {
		case s.Wrong != nil:
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d take %s and %s; %s", feature.Newest, feature.Bare(write(u.ID)), s.Wrong.Does, s.Wrong.Instead)
		case unheeded[u.ID] != "":
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d do nothing about %s; %s", feature.Newest, u.Named(write(u.ID)), unheeded[u.ID])
		case young(s):
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d refuse a run with %s; it needs a newer one", feature.Newest, write(u.ID))
		}
	}
	return v.all
}

func write(id string) string {
	if r := feature.RowOf(id); r != nil {
		return r.Write
	}
	return "the feature " + id
}
