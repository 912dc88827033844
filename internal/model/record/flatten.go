package record

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// A Root is a component or schedule that a graph is made for, and the Go
// variable that holds it, if that is known.
type Root struct {
	Component *Component
	Schedule  *Schedule
	Var       string
}

// Graph returns the graph of the roots and all that they use.
func Graph(roots []Root) *graph.Graph {
	f := &flattener{
		g: &graph.Graph{
			Schema:     graph.Schema,
			Components: []*graph.Component{}, Scopes: []*graph.Scope{}, Tasks: []*graph.Task{},
			Values: []*graph.Value{}, Schedules: []*graph.Schedule{}, Errors: []*graph.Error{},
		},
		components: map[*Component]graph.ComponentID{}, scopes: map[*Scope]graph.ScopeID{},
		tasks: map[*Task]graph.TaskID{}, values: map[*Value]graph.ValueID{}, names: map[string]*Component{},
	}
	for _, r := range roots {
		if r.Component != nil {
			f.g.Component(f.component(r.Component)).Var = r.Var
		}
	}
	for _, r := range roots {
		if r.Schedule != nil {
			f.schedule(r.Schedule, r.Var)
		}
	}
	f.g.Errors.Sort()
	return f.g
}

type flattener struct {
	g          *graph.Graph
	components map[*Component]graph.ComponentID
	scopes     map[*Scope]graph.ScopeID
	tasks      map[*Task]graph.TaskID
	values     map[*Value]graph.ValueID
	names      map[string]*Component
}

func (f *flattener) component(c *Component) graph.ComponentID {
	if id, ok := f.components[c]; ok {
		return id
	}
	flat := c.Component
	f.g.Components = append(f.g.Components, &flat)
	flat.ID = graph.ComponentID(len(f.g.Components))
	f.components[c] = flat.ID
	f.g.Errors = append(f.g.Errors, c.Errors...)
	if c.Kind != graph.Importer {
		// A pipeline may be called like its step: only steps are found by name.
		name := c.Name
		if c.Kind == graph.Pipeline {
			name = "pipeline " + name
		}
		if other := f.names[name]; other != nil {
			f.g.Errors = append(f.g.Errors, &graph.Error{Pos: c.Pos,
				Msg: "component " + c.Name + " is also defined at " + other.Pos.String() + "; give one of them another name"})
		}
		f.names[name] = c
	}
	for _, field := range slices.Concat(c.Inputs, c.Outputs) {
		if field.Enum != nil && (c.Suspend == nil || slices.ContainsFunc(c.Inputs, func(in graph.Field) bool { return in.Name == field.Name })) {
			f.g.Errors = append(f.g.Errors, &graph.Error{Pos: c.Pos,
				Msg: "component " + c.Name + ": " + field.Name + " has an enum tag, which only an output of argo.Suspend may have; check the value in a step"})
		}
	}
	if c.Body != nil {
		flat.Body = f.scope(c.Body)
		flat.Results = f.valueMap(c.Results)
	}
	return flat.ID
}

func (f *flattener) scope(s *Scope) graph.ScopeID {
	if s == nil {
		return 0
	}
	if id, ok := f.scopes[s]; ok {
		return id
	}
	flat := &graph.Scope{Kind: s.Kind, Pos: s.Pos, Limit: s.Limit, Title: s.Title}
	f.g.Scopes = append(f.g.Scopes, flat)
	flat.ID = graph.ScopeID(len(f.g.Scopes))
	f.scopes[s] = flat.ID
	flat.Owner, flat.Parent = f.component(s.Owner), f.scope(s.Parent)
	flat.Cond, flat.Items = f.cond(s.Cond), f.value(s.Items)
	for _, n := range s.Nodes {
		switch n := n.(type) {
		case *Task:
			flat.Nodes = append(flat.Nodes, graph.Node{Task: f.task(n)})
		case *Scope:
			flat.Nodes = append(flat.Nodes, graph.Node{Scope: f.scope(n)})
		}
	}
	return flat.ID
}

func (f *flattener) task(t *Task) graph.TaskID {
	if t == nil {
		return 0
	}
	if id, ok := f.tasks[t]; ok {
		return id
	}
	flat := &graph.Task{Name: t.Name, Pos: t.Pos}
	f.g.Tasks = append(f.g.Tasks, flat)
	flat.ID = graph.TaskID(len(f.g.Tasks))
	f.tasks[t] = flat.ID
	flat.Component, flat.Scope = f.component(t.Component), f.scope(t.Scope)
	flat.Args = f.valueMap(t.Args)
	for _, a := range t.After {
		flat.After = append(flat.After, f.task(a))
	}
	for _, a := range t.AfterScopes {
		flat.AfterScopes = append(flat.AfterScopes, f.scope(a))
	}
	for _, o := range t.Options {
		opt := graph.Option{Name: o.Name}
		for _, operand := range o.Operands {
			if v, ok := operand.(*Value); ok && v.Kind != graph.Const {
				opt.Args = append(opt.Args, graph.Operand{Value: f.value(v)})
			} else if ok {
				opt.Args = append(opt.Args, graph.Operand{Const: v.Const})
			} else {
				b, _ := json.Marshal(operand) // the one who set it has checked it
				opt.Args = append(opt.Args, graph.Operand{Const: b})
			}
		}
		flat.Options = append(flat.Options, opt)
	}
	return flat.ID
}

func (f *flattener) value(v *Value) graph.ValueID {
	if v == nil || v.Kind == Invalid {
		return 0
	}
	if id, ok := f.values[v]; ok {
		return id
	}
	flat := &graph.Value{Kind: v.Kind, Type: v.Type, List: v.List, Name: v.Name, Const: v.Const, Text: v.Text}
	f.g.Values = append(f.g.Values, flat)
	flat.ID = graph.ValueID(len(f.g.Values))
	f.values[v] = flat.ID
	flat.Scope, flat.Task = f.scope(v.Scope), f.task(v.Task)
	for _, of := range v.Of {
		if id := f.value(of); id != 0 {
			flat.Of = append(flat.Of, id)
		}
	}
	return flat.ID
}

func (f *flattener) valueMap(m map[string]*Value) map[string]graph.ValueID {
	if len(m) == 0 {
		return nil
	}
	ids := map[string]graph.ValueID{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if id := f.value(m[name]); id != 0 {
			ids[name] = id
		}
	}
	return ids
}

func (f *flattener) cond(c *Cond) *graph.Cond {
	if c == nil {
		return nil
	}
	flat := &graph.Cond{Op: c.Op}
	for _, v := range c.Values {
		if id := f.value(v); id != 0 {
			flat.Values = append(flat.Values, id)
		}
	}
	for _, sub := range c.Conds {
		flat.Conds = append(flat.Conds, f.cond(sub))
	}
	return flat
}

func (f *flattener) schedule(s *Schedule, name string) {
	for _, other := range f.g.Schedules {
		if other.Name == s.Name && other.Pos == s.Pos {
			return // two variables hold it
		}
		if other.Name == s.Name && s.Name != "" {
			f.g.Errors = append(f.g.Errors, &graph.Error{Pos: s.Pos,
				Msg: "schedule " + s.Name + " is also defined at " + other.Pos.String() + "; give one of them another name"})
		}
	}
	flat := s.Schedule
	flat.Var = name
	flat.Pipeline, flat.Args = f.component(s.Pipeline), f.valueMap(s.Args)
	f.g.Schedules = append(f.g.Schedules, &flat)
	f.g.Errors = append(f.g.Errors, s.Errors...)
}
