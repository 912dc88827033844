package lower

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// typeOf returns the type of a value.
func (p *pipelineLowering) typeOf(id graph.ValueID) graph.Type {
	v := p.g.Value(id)
	plain := graph.Type{Name: v.Type}
	switch v.Kind {
	case graph.Input:
		if in := p.root(id).comp.Input(v.Name); in != nil {
			return in.Type
		}
	case graph.Output:
		for _, f := range p.g.Component(p.g.Task(v.Task).Component).Outputs {
			if f.Name == v.Name {
				return f.Type
			}
		}
	case graph.Item:
		items := p.climb(v.Scope, graph.For).Items
		list := p.typeOf(items)
		if list.Artifact {
			list.List = false
			return list
		}
		if list.Elem != nil {
			if list.Elem.Name == kfptype.Integer && v.Type == kfptype.Double {
				return plain // a list of doubles whose first is written as an integer
			}
			return *list.Elem
		}
		if plain.Name == "" { // of a list of anything: what KFP's SDK takes it for
			plain.Name = itemType(p.g.Value(items).Const)
		}
	case graph.OneOf:
		return p.typeOf(v.Of[0])
	case graph.Collected:
		return listOf(p.typeOf(v.Of[0]))
	case graph.Member:
		of := p.typeOf(v.Of[0])
		for _, f := range of.Fields {
			if f.Name == v.Name {
				return f.Type
			}
		}
		if of.Elem != nil && of.Name == kfptype.Struct {
			return *of.Elem
		}
		if plain.Name == "" { // of any type: what KFP's SDK takes it for
			plain.Name = kfptype.String
		}
	case graph.Const, graph.Format:
		if v.Type == kfptype.List {
			plain.Elem = &graph.Type{Name: itemType(p.sample(v))}
		}
	}
	return plain
}

// sample returns JSON of the form that a constant or format has.
func (p *pipelineLowering) sample(v *graph.Value) json.RawMessage {
	if v.Kind != graph.Format {
		return v.Const
	}
	f := program.Value{Kind: program.Format, Text: v.Text}
	for _, of := range v.Of {
		f.Of = append(f.Of, program.Value{Type: p.typeOf(of)})
	}
	return f.Sample()
}

// listOf returns the type of a list of t.
func listOf(t graph.Type) graph.Type {
	if t.Artifact {
		t.List = true
		return t
	}
	return graph.Type{Name: kfptype.List, Elem: &t}
}
