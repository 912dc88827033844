package kfp

import (
	"encoding/json"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// KFP's servers don't replace the placeholder for the folder of a run's artifacts. But they
// give each output artifact of a step a place there, in a folder named as its task. So a
// step with one finds the folder.

const rootPlaceholder = "pipeline_root"

// withRoots returns the program with such a step wherever a task reads the folder.
func withRoots(p *program.Program) *program.Program {
	isRoot := func(v program.Value) bool { return v.Kind == program.Run && v.Name == rootPlaceholder }
	// What always runs waits for what it guards only, and is refused.
	reads := func(t *program.Task) bool { return !t.Always && slices.ContainsFunc(t.Values(), isRoot) }
	if !slices.ContainsFunc(p.Components, func(c *program.Component) bool { return c.DAG != nil && slices.ContainsFunc(c.DAG.Tasks, reads) }) {
		return p
	}
	q := p.Clone()
	text := graph.Type{Name: kfptype.String}
	step := &program.Component{
		Name:   freename.Of("root-of-run", func(s string) bool { return p.Component(s) != nil }),
		Inputs: []program.Port{{Name: contract.Handed, Type: text}},
		Outputs: []program.Port{
			{Name: contract.Handed, Type: text},
			{Name: contract.Beside, Type: graph.Type{Name: "system.Artifact", Artifact: true, Version: "0.0.1"}},
		},
		Exec: &program.Executor{Go: &program.GoStep{Name: contract.HandOn}},
	}
	for _, c := range q.Components {
		if c.DAG == nil || !slices.ContainsFunc(c.DAG.Tasks, reads) {
			continue
		}
		name := freename.Of("root-of-run", func(s string) bool { return c.DAG.Task(s) != nil })
		var pos graph.Pos
		for i, t := range c.DAG.Tasks {
			if !reads(t) {
				continue
			}
			if pos.File == "" {
				pos = t.Pos
			}
			t = t.Map(func(v program.Value) program.Value {
				if !isRoot(v) {
					return v
				}
				return program.Value{Kind: program.Output, Task: name, Name: contract.Handed, Type: text}
			})
			t.After = slices.Sorted(slices.Values(append(t.After, name)))
			c.DAG.Tasks[i] = t
		}
		folder, _ := json.Marshal("/" + name + "/")
		c.DAG.Tasks = slices.Insert(c.DAG.Tasks, 0, &program.Task{
			Name: name, Component: step.Name, Pos: pos, Settings: program.Settings{NoCache: true},
			Args: map[string]program.Value{contract.Handed: {Kind: program.Const, Const: folder, Type: text}},
		})
	}
	q.Components = append(q.Components, step)
	return q.With(q.Components)
}
