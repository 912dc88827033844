package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/discover"
	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/program"
)

// load builds the package that PIPELINE names, and returns its pipeline as a
// program, and the executable that runs the program's Go steps.
func load(ctx context.Context, pipeline string) (*program.Program, *discover.Program, error) {
	pattern, name, _ := strings.Cut(pipeline, "#")
	built, err := discover.Build(ctx, ".", pattern)
	if err != nil {
		return nil, nil, err
	}
	g, err := built.Graph(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(g.Errors) > 0 {
		return nil, nil, lower.Errors(g.Errors)
	}
	c, err := pick(g, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", built.Package.ImportPath, err)
	}
	p, err := lower.Lower(g, c)
	return p, built, err
}

// pick returns the component that a variable holds; for a schedule's variable,
// that is its pipeline.
func pick(g *graph.Graph, name string) (*graph.Component, error) {
	for _, s := range g.Schedules {
		if name != "" && s.Var == name {
			return g.Component(s.Pipeline), nil
		}
	}
	return g.Pick(name)
}
