package feature

import "github.com/kfpgo/kfpgo/internal/model/program"

// value adds what a value of the task uses.
func (u *user) value(v program.Value) { u.valueOf(v, false) }

// valueOf adds what a value uses, of the task or of the list that it is looped over.
func (u *user) valueOf(v program.Value, looped bool) {
	switch v.Kind {
	case program.Format:
		if v.JSON() {
			u.add("format.json")
			if v.Bare() != nil {
				u.add("format.json.value")
				if c := u.p.Component(u.task.Component); !looped && (c == nil || !c.Composes()) {
					u.add("format.json.value.passed")
				}
			}
		} else {
			u.add("format")
		}
		for _, of := range v.Of {
			u.value(of)
		}
	case program.Run:
		u.addOf(run(v.Name))
	case program.Output:
		if u.groups[v.Task] == inside {
			u.add("group.output")
		}
		// As an output of the pipeline alone, any server has it.
		if of := u.in.DAG.Task(v.Task); of != nil && of.Each != nil {
			u.add(kindOf(v.Type.Artifact, "collected"))
		}
		if u.chosen(u.in.DAG.Task(v.Task), v.Name, false) {
			if v.Type.Artifact {
				u.add("collected.one-of.artifact")
			} else {
				u.add("collected.one-of")
			}
		}
	case program.Status:
		if of := u.in.DAG.Task(v.Task); of != nil {
			if c := u.p.Component(of.Component); c != nil && c.DAG == nil {
				u.add("status.task")
			}
		}
		u.add("status")
		if len(v.Field) > 0 {
			u.add("status.field")
			return
		}
	}
	if len(v.Field) > 0 {
		u.add("field")
	}
	if v.Selector != "" {
		u.add("selector")
	}
}
