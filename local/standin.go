package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A StandIn runs in this process in place of a component: see [StandFor].
type StandIn struct{ of, by *record.Component }

// StandFor returns a stand-in for a component of any kind, nested pipelines too. In
// one run it takes the component's place wherever that is called, with no regard to
// the component's own image, requirements or tasks.
func StandFor[In, Out any](c *dsl.Component[In, Out], run func(context.Context, In, *Out) error) StandIn {
	return StandIn{of: record.Of(c), by: record.Of(dsl.Func(c.Name(), run))}
}

type inProcess = func(context.Context, string, json.RawMessage) (json.RawMessage, error)

// standIn changes a graph so that stand-ins run, and returns what runs the Go steps
// in this process: they, or else those of rest, which may be nil.
func standIn(g *graph.Graph, sts []StandIn, rest inProcess) (inProcess, error) {
	var errs []error
	by := map[string]*record.Component{}
	for _, st := range sts {
		called := false
		for _, c := range g.Components[1:] {
			switch {
			case c.Name != st.of.Name:
			case c.Pos != st.of.Pos:
				errs = append(errs, fmt.Errorf("the stand-in for %s at %s can't be distinguished from that for the component at %s, which has the same name", c.Name, st.of.Pos, c.Pos))
			default:
				called = true
				c.Kind, c.OnLocal, c.Body, c.Results, c.Passthroughs = graph.Func, false, 0, nil, nil
				c.Container, c.Python, c.Resource, c.Importer = nil, nil, nil, nil
				withoutObjects(g, c)
			}
		}
		for _, e := range st.by.Errors {
			errs = append(errs, &dsl.Error{File: e.File, Line: e.Line, Msg: e.Msg})
		}
		switch {
		case by[st.of.Name] != nil:
			errs = append(errs, fmt.Errorf("%s has two stand-ins", st.of.Name))
		case !called:
			errs = append(errs, fmt.Errorf("%s is not called by %s, which calls %s: a stand-in for it has no effect", st.of.Name, g.Components[0].Name, names(g)))
		}
		by[st.of.Name] = st.by
	}
	return func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
		if c := by[name]; c != nil {
			return c.Run(ctx, input)
		}
		if rest == nil {
			return nil, fmt.Errorf("this program has no Go component %q", name)
		}
		return rest(ctx, name, input)
	}, errors.Join(errs...)
}

// withoutObjects takes from the tasks of a component what its stand-in doesn't need:
// secrets and config maps, which this machine may not have.
func withoutObjects(g *graph.Graph, c *graph.Component) {
	for _, t := range g.Tasks {
		if g.Component(t.Component) != c {
			continue
		}
		t.Options = slices.DeleteFunc(slices.Clone(t.Options), func(o graph.Option) bool {
			return slices.Contains([]string{"secret-env", "config-map-env", "secret-volume", "config-map-volume"}, o.Name)
		})
	}
}

// names lists the components of a graph beside the first.
func names(g *graph.Graph) string {
	var ns []string
	for _, c := range g.Components[1:] {
		ns = append(ns, c.Name)
	}
	if ns == nil {
		return "nothing"
	}
	return strings.Join(ns, ", ")
}
