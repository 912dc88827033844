// Package lower turns what an author wrote, a graph, into a program: scopes
// become DAGs with explicit inputs and outputs, and every value says where it
// comes from in terms of the DAG that it is used in.
//
// Groups and channels get the names that KFP's Python SDK gives them
// (condition-branches-1, pipelinechannel--train-model), so that the IR of a
// pipeline is the one that its Python twin compiles to.
package lower

import (
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// Lower returns the program of a component of g. One that isn't a pipeline
// becomes the only task of one. The error is a graph.Errors.
func Lower(g *graph.Graph, c *graph.Component) (*program.Program, error) {
	if len(g.Errors) > 0 {
		return nil, g.Errors
	}
	l := &lowering{
		g: g, names: map[string]bool{}, leaves: map[variant]string{},
		p: &program.Program{Schema: program.Schema, Name: clean(c.Name), Package: g.Program, Doc: c.Doc},
	}
	if l.p.Name != c.Name {
		l.p.Title = c.Name
	}
	l.config(c.Config)
	if c.Kind == graph.Pipeline {
		l.p.Main = l.pipeline(c, cached)
	} else {
		l.p.Main = l.wrap(c)
	}
	for _, s := range g.Schedules {
		if s.Pipeline == c.ID {
			l.schedule(s)
		}
	}
	if len(l.errs) > 0 {
		l.errs.Sort()
		return nil, l.errs
	}
	return l.p, nil
}

type lowering struct {
	g      *graph.Graph
	p      *program.Program
	names  map[string]bool // of components
	leaves map[variant]string
	errs   graph.Errors
}

// A variant is a component, with the caching setting of all tasks in it.
type variant struct {
	id graph.ComponentID
	caching
}

func (l *lowering) errorf(pos graph.Pos, format string, args ...any) {
	l.errs = append(l.errs, &graph.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// add adds a component under a name of its own.
func (l *lowering) add(name string, pos graph.Pos) *program.Component {
	c := &program.Component{Name: freename.Take(l.names, name), Pos: pos}
	l.p.Components = append(l.p.Components, c)
	return c
}

// component returns the name of the program's component for one of the graph's.
// Caching concerns only pipelines: steps have it on their tasks.
func (l *lowering) component(id graph.ComponentID, of caching) string {
	c := l.g.Component(id)
	if c.Kind != graph.Pipeline {
		of = cached
	}
	if name, ok := l.leaves[variant{id, of}]; ok {
		return name
	}
	if c.Kind == graph.Pipeline {
		return l.pipeline(c, of)
	}
	return l.leaf(c)
}

func (l *lowering) leaf(gc *graph.Component) string {
	c := l.add(clean(gc.Name), gc.Pos)
	l.leaves[variant{id: gc.ID}] = c.Name
	l.describe(c, gc)
	c.Exec = executor(gc)
	c.Passthroughs = gc.Passthroughs
	l.texts(gc)
	return c.Name
}

func (l *lowering) describe(c *program.Component, gc *graph.Component) {
	if c.Name != gc.Name {
		c.Title = gc.Name
	}
	c.Doc, c.Inputs, c.Outputs = gc.Doc, slices.Clone(gc.Inputs), slices.Clone(gc.Outputs)
}

// executor returns what a component runs: copies, since programs may be changed.
func executor(gc *graph.Component) *program.Executor {
	x := &program.Executor{
		OnLocal: gc.OnLocal, Container: copied(gc.Container), Python: copied(gc.Python), Resource: copied(gc.Resource), Importer: copied(gc.Importer), Suspend: copied(gc.Suspend),
	}
	switch {
	case x.Python != nil:
		x.Python.SDK = copied(x.Python.SDK)
	case gc.Kind == graph.Func:
		x.Go = &program.GoStep{Name: gc.Name, Rights: gc.Rights}
	case gc.Kind == graph.Importer && x.Importer == nil:
		x.Importer = &program.Importer{}
	}
	return x
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// wrap returns the pipeline whose only task is c, with the inputs and outputs of c.
func (l *lowering) wrap(gc *graph.Component) string {
	name := clean(gc.Name)
	main := &program.Component{Name: freename.Take(l.names, name+"-pipeline"), Pos: gc.Pos}
	l.p.Components = append(l.p.Components, main)
	l.describe(main, gc)
	main.Title = ""
	t := &program.Task{Name: name, Component: l.leaf(gc), Pos: gc.Pos, Args: map[string]program.Value{}}
	for i := range main.Inputs {
		in := &main.Inputs[i]
		t.Args[in.Name] = program.Value{Kind: program.Input, Name: in.Name, Type: in.Type}
	}
	main.DAG = &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{t}, Outputs: map[string]program.Export{}}
	for i := range main.Outputs {
		out := &main.Outputs[i]
		out.Path, out.JSONPath, out.Default, out.Enum = "", "", nil, nil
		main.DAG.Outputs[out.Name] = program.Export{From: []program.From{{Task: name, Output: out.Name}}}
	}
	return main.Name
}

func (l *lowering) schedule(s *graph.Schedule) {
	out := &program.Schedule{
		Name: s.Name, Cron: s.Cron, Seconds: s.Seconds, Every: s.Every, Zone: s.Zone,
		Start: s.Start, End: s.End, Limit: s.Limit, CatchUp: s.CatchUp, Paused: s.Paused,
	}
	for name, id := range s.Args {
		v := l.g.Value(id)
		arg := program.Value{Kind: program.Const, Const: v.Const, Type: graph.Type{Name: v.Type}}
		switch v.Kind {
		case graph.FireTime:
			arg = program.Value{Kind: program.FireTime, Type: graph.Type{Name: v.Type}}
		case graph.FireDate:
			arg = program.Value{Kind: program.FireDate, Type: graph.Type{Name: v.Type}}
		}
		if out.Args == nil {
			out.Args = map[string]program.Value{}
		}
		out.Args[name] = arg
	}
	l.p.Schedules = append(l.p.Schedules, out)
}
