package dsl

import (
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// Pipeline returns a component made of tasks. The function is called once, to
// record them; the values it returns are the pipeline's outputs. A pipeline can
// be called in another one. Its KFP counterpart is @dsl.pipeline.
func Pipeline[In, Out any](name string, body func(*Scope, In) Out, opts ...PipelineOption) *Component[In, Out] {
	c := newComponent[In, Out](graph.Pipeline, name, nil)
	configs := 0
	for _, o := range opts {
		switch o := o.(type) {
		case nil:
			continue
		case Option:
			c.options = append(c.options, o)
		case Config:
			if configs++; configs == 2 {
				c.c.Errorf(c.c.Pos, "pipeline %s has two Configs", name)
			}
		}
		o.ConfigurePipeline(c.c)
	}
	var once sync.Once
	c.define = func(via *Scope) { once.Do(func() { c.record(via, body) }) }
	return c
}

// record runs the body of a pipeline. The scope is that of the task that wants
// it first, if one does.
func (c *Component[In, Out]) record(via *Scope, body func(*Scope, In) Out) {
	s := newScope(nil, graph.Body, c.c)
	s.g.Pos = c.c.Pos
	s.via = via
	c.c.Body = s.g
	var in In
	for _, f := range c.c.Inputs {
		c.input(&in, f).bind(&record.Value{Kind: graph.Input, Name: f.Name, Owner: c.c, Scope: s.g, Optional: f.Optional})
	}
	out, ok := c.body(s, in, body)
	s.close()
	if !ok {
		return
	}
	c.c.Results = map[string]*record.Value{}
	for _, f := range c.c.Outputs {
		v := c.output(&out, f).value()
		if v == nil && f.Optional {
			continue
		}
		if s.result(v, c.c.Pos, "output "+f.Name+" of pipeline "+c.c.Name) {
			c.c.Results[f.Name] = v
		}
	}
}

// body calls the function. Where it panics the definition ends, with an error.
func (c *Component[In, Out]) body(s *Scope, in In, body func(*Scope, In) Out) (out Out, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			c.c.Errorf(source.Caller(), "panic: %v", r)
		}
	}()
	return body(s, in), true
}

// OnExit sets what runs when the tasks of the scope have ended, however they
// ended, as defer does for a function. It comes before the first task. Its KFP
// counterpart is dsl.ExitHandler.
//
//	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
//		Report.Call(s, ReportIn{Status: status})
//		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: in.Volume})
//	})
//
// The tasks of the handler all run, whatever the others do, and in each run: their
// results aren't taken from a cache, unless they have [Cache] or [CacheKey]. The status may be
// passed to a Go or Python component; not every target can take it apart in the
// pipeline. For a part of a pipeline use [Group].
func OnExit(s *Scope, handler func(*Scope, Param[FinalStatus])) {
	pos := source.Caller()
	switch {
	case handler == nil:
		if s != nil {
			s.errorf(pos, "OnExit has no function")
		}
		return
	case s == nil:
	case s.within(graph.Exit):
		s.errorf(pos, "OnExit inside an exit handler")
	case len(s.g.Nodes) == 1 && isScope(s.g.Nodes[0], graph.Exit):
		s.errorf(pos, "a second OnExit; add to the one at line %d", s.g.Nodes[0].(*record.Scope).Pos.Line)
	case len(s.g.Nodes) > 0:
		s.errorf(pos, "OnExit after a task; call it first, so that it guards every task of the %s", s.g.Kind)
	}
	n := s.nest(graph.Exit, func(n *Scope) {
		status := Param[FinalStatus]{}
		status.bind(&record.Value{Kind: graph.Status, Owner: n.g.Owner, Scope: n.g})
		handler(n, status)
	}, nil)
	if len(n.g.Nodes) == 0 {
		n.errorf(pos, "OnExit adds no task")
	}
}

func isScope(node any, kind graph.ScopeKind) bool {
	s, ok := node.(*record.Scope)
	return ok && s.Kind == kind
}

// within reports whether s is in a scope of a kind.
func (s *Scope) within(kind graph.ScopeKind) bool {
	for g := s.g; g != nil; g = g.Parent {
		if g.Kind == kind {
			return true
		}
	}
	return false
}

// defines reports whether c is being recorded around s.
func (s *Scope) defines(c *record.Component) bool {
	for ; s != nil; s = s.via {
		if s = s.root; s.g.Owner == c {
			return true
		}
	}
	return false
}
