package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/argoread"
	"github.com/kfpgo/kfpgo/internal/discover"
	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/program"
)

// load returns the pipeline that PIPELINE names. If that is a package, it is built,
// and the executable that runs the program's Go steps is returned too; for a file
// that is nil.
func load(ctx context.Context, pipeline string) (*program.Program, *discover.Program, error) {
	if isFile(pipeline) {
		p, err := loadFile(pipeline)
		return p, nil, err
	}
	pattern, name, _ := strings.Cut(pipeline, "#")
	if isFile(pattern) {
		return nil, nil, fmt.Errorf("%s: a file has one pipeline; leave #%s out", pipeline, name)
	}
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
	if err == nil {
		only(p, g, name)
	}
	return p, built, err
}

// only leaves a program the schedule that a variable holds, if it holds one.
func only(p *program.Program, g *graph.Graph, name string) {
	for _, s := range g.Schedules {
		if name != "" && s.Var == name {
			p.Schedules = slices.DeleteFunc(p.Schedules, func(other *program.Schedule) bool { return other.Name != s.Name })
		}
	}
}

// isFile reports whether PIPELINE is a compiled pipeline: by its name, or because
// such a file is there. - is the standard input.
func isFile(pipeline string) bool {
	if pipeline == "-" {
		return true
	}
	switch strings.ToLower(filepath.Ext(pipeline)) {
	case ".yaml", ".yml", ".json":
		st, err := os.Stat(pipeline)
		return err != nil || !st.IsDir()
	case ".go":
		return false
	}
	st, err := os.Stat(pipeline)
	return err == nil && !st.IsDir()
}

// loadFile reads a compiled pipeline.
func loadFile(file string) (*program.Program, error) {
	p, notes, err := (*program.Program)(nil), []string(nil), error(nil)
	if file == "-" {
		p, notes, err = argoread.From("standard input", os.Stdin)
	} else {
		p, notes, err = argoread.File(file)
	}
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, n)
	}
	return p, err
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
