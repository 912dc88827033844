package kfpread

import (
	"github.com/kfpgo/kfpgo/internal/model/order"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// producers returns the tasks that a task reads from or must follow, each
// once, sorted. Those that don't exist are among them.
func producers(t *kfpspec.TaskSpec) []string {
	set := map[string]bool{}
	for _, d := range t.DependentTasks {
		set[d] = true
	}
	if t.Inputs != nil {
		for _, p := range t.Inputs.Parameters {
			switch {
			case p.TaskOutputParameter != nil:
				set[p.TaskOutputParameter.ProducerTask] = true
			case p.TaskFinalStatus != nil:
				set[p.TaskFinalStatus.ProducerTask] = true
			}
		}
		for _, a := range t.Inputs.Artifacts {
			if a.TaskOutputArtifact != nil {
				set[a.TaskOutputArtifact.ProducerTask] = true
			}
		}
	}
	return sorted(set)
}

// order returns the names of the tasks of a DAG so that each comes after those that
// it follows, and first by name. Tasks in a cycle are left out.
func (f *file) order(d *kfpspec.DAGSpec) []string {
	return order.Of(sorted(d.Tasks), func(name string) []string { return producers(d.Tasks[name]) })
}

// cycle returns the tasks of a DAG that wait for each other, in the order in
// which each follows the next, or nil.
func (f *file) cycle(d *kfpspec.DAGSpec) []string {
	free := map[string]bool{}
	for _, name := range f.order(d) {
		free[name] = true
	}
	for _, start := range sorted(d.Tasks) {
		if free[start] {
			continue
		}
		// From a task that waits forever, one gets to a cycle whichever way.
		at := map[string]int{}
		var way []string
		for name := start; ; {
			if i, seen := at[name]; seen {
				return way[i:]
			}
			at[name] = len(way)
			way = append(way, name)
			for _, p := range producers(d.Tasks[name]) {
				if d.Tasks[p] != nil && !free[p] {
					name = p
					break
				}
			}
		}
	}
	return nil
}
