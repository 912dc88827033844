package kfp

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// loop lets a loop over artifacts be one over structs that say where these are: a step
// before it makes them, and the first step of each iteration makes an artifact of its own
// again. Nothing is copied, and no iteration downloads more than its own artifact.
func (h *handOns) loop(d *program.DAG, loop string) {
	i := slices.IndexFunc(d.Tasks, func(t *program.Task) bool { return t.Name == loop })
	t := d.Tasks[i]
	old, body := t.Each, h.p.Component(t.Component)
	item := body.Input(old.Item).Type
	list, one := graph.Type{Name: kfptype.List}, graph.Type{Name: kfptype.Struct}

	all := h.step(d, "list-of-"+loop, t.Pos, old.Items, list)
	e := &program.Each{
		Items:       program.Value{Kind: program.Output, Task: all.Name, Name: contract.Handed, Type: list},
		List:        h.input(t.Component, list),
		Parallelism: old.Parallelism,
	}
	e.Item = e.List + "-loop-item"
	body.Inputs = slices.DeleteFunc(slices.Clone(body.Inputs), func(p program.Port) bool { return p.Name == old.Item })
	body.Inputs = append(body.Inputs, program.Port{Name: e.Item, Type: one})
	t.Each = e
	t.After = slices.Sorted(slices.Values(append(slices.Clone(t.After), all.Name)))
	d.Tasks = slices.Insert(d.Tasks, i, all)

	its := h.step(body.DAG, "item-of-"+loop, t.Pos, program.Value{Kind: program.Input, Name: e.Item, Type: one}, item)
	for i, u := range body.DAG.Tasks {
		reads := false
		u = u.Map(func(v program.Value) program.Value {
			if v.Kind != program.Input || v.Name != old.Item {
				return v
			}
			reads = true
			return program.Value{Kind: program.Output, Task: its.Name, Name: contract.Handed, Type: item}
		})
		if reads {
			u.After = slices.Sorted(slices.Values(append(u.After, its.Name)))
		}
		body.DAG.Tasks[i] = u
	}
	body.DAG.Tasks = slices.Insert(body.DAG.Tasks, 0, its)
}
