package vet

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/feature"
	"github.com/kfpgo/kfpgo/internal/program"
)

// unheeded are features that the IR holds and KFP's servers do nothing about.
var unheeded = map[string]string{
	"pod-affinity":  "run the tasks where they should, with k8s.NodeAffinity or k8s.NodeSelector",
	"shared-memory": `mount k8s.EmptyDir("shm", "/dev/shm", k8s.InMemory()) instead`,
}

// Server returns what a pipeline asks of KFP that released servers ignore. For a
// server that was chosen by its version, what it doesn't know is refused already.
func Server(p *program.Program, chosen bool) []Finding {
	young := map[string]bool{}
	for _, r := range feature.Table {
		young[r.ID] = !chosen && r.Support[feature.KFP].Since > feature.Newest
	}
	v := &vetter{p: p, seen: map[string]bool{}}
	wanted := func(id string) bool { return young[id] || unheeded[id] != "" }
	for _, u := range feature.UsesOf(p, wanted) {
		switch instead, ignored := unheeded[u.ID]; {
		case ignored:
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d do nothing about %s; %s", feature.Newest, write(u.ID), instead)
		case young[u.ID]:
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d do nothing about %s; it needs a newer one", feature.Newest, write(u.ID))
		}
	}
	return v.all
}

func write(id string) string {
	for _, r := range feature.Table {
		if r.ID == id {
			return r.Write
		}
	}
	return fmt.Sprintf("the feature %s", id)
}
