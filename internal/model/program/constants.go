package program

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Constants calls f with each constant that is the default or the argument of an input,
// or the list of a loop, and with what it is to people.
func (p *Program) Constants(f func(pos graph.Pos, what string, value json.RawMessage, typ graph.Type)) {
	for _, c := range p.Components {
		for _, in := range c.Inputs {
			if in.Default != nil && !in.Type.Artifact {
				f(c.Pos, "the default of input "+in.Name+" of "+c.Name, in.Default, in.Type)
			}
		}
		if c.DAG == nil {
			continue
		}
		for _, t := range c.DAG.Tasks {
			for _, name := range slices.Sorted(maps.Keys(t.Args)) {
				if v := t.Args[name]; v.Kind == Const {
					f(t.Pos, "task "+t.Name+": input "+name, v.Const, v.Type)
				}
			}
			if t.Each != nil && t.Each.Items.Kind == Const {
				f(t.Pos, "task "+t.Name+": the list of its loop", t.Each.Items.Const, graph.Type{Name: kfptype.List})
			}
		}
	}
}
