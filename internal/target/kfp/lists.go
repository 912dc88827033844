package kfp

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// An output is one of a component, by names.
type output struct{ component, name string }

// lists returns the outputs of conditions in loops that a loop collects. KFP calls
// them lists already, though each is what one iteration made.
func lists(p *program.Program) map[output]bool {
	found := map[output]bool{}
	for _, loop := range p.Components {
		if loop.DAG == nil || loop.DAG.Kind != program.Loop {
			continue
		}
		var todo []output
		for name := range loop.DAG.Outputs {
			todo = append(todo, output{loop.Name, name})
		}
		for len(todo) > 0 {
			for _, m := range p.Makers(p.Component(todo[0].component), todo[0].name) {
				sub := m.Component
				if sub == nil || sub.DAG == nil || sub.DAG.Kind != program.Condition && sub.DAG.Kind != program.Branches || oneOf(m.Output) {
					continue
				}
				if out := (output{sub.Name, m.Output}); !found[out] {
					found[out] = true
					todo = append(todo, out)
				}
			}
			todo = todo[1:]
		}
	}
	return found
}

// oneOf reports whether an output joins those of branches, by its name.
func oneOf(name string) bool { return strings.Contains(name, "-oneof-") }
