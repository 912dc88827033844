package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read"
)

// load returns the pipeline that PIPELINE names. If that is a package, it is built,
// and the executable that runs the program's Go steps is returned too; for a file
// that is nil.
func load(ctx context.Context, pipeline string) (*program.Program, *discover.Program, error) {
	p, built, _, err := loadPicked(ctx, pipeline)
	return p, built, err
}

// loadPicked also returns the schedule that PIPELINE names, if it names one, for verbs
// to which that is more than its pipeline.
func loadPicked(ctx context.Context, pipeline string) (*program.Program, *discover.Program, *program.Schedule, error) {
	if isFile(pipeline) {
		p, err := loadFile(pipeline)
		return p, nil, nil, err
	}
	pattern, name, _ := strings.Cut(pipeline, "#")
	if isFile(pattern) {
		return nil, nil, nil, inFile(pipeline)
	}
	built, err := discover.Build(ctx, ".", pattern)
	if err != nil {
		return nil, nil, nil, err
	}
	p, picked, err := lowered(ctx, built, name)
	if p == nil {
		return nil, nil, nil, err
	}
	return p, built, picked, err
}

// lowered returns the pipeline that a variable of a built package holds, and the
// schedule if that is what it holds.
func lowered(ctx context.Context, built *discover.Program, name string) (*program.Program, *program.Schedule, error) {
	g, err := built.Graph(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(g.Errors) > 0 {
		return nil, nil, g.Errors
	}
	c, err := pick(g, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", built.Package.ImportPath, err)
	}
	p, err := lower.Lower(g, c)
	if err != nil {
		return p, nil, err
	}
	return p, only(p, g, name), nil
}

// only leaves a program the schedule that a variable holds, and returns it, if it holds one.
func only(p *program.Program, g *graph.Graph, name string) *program.Schedule {
	for _, s := range g.Schedules {
		if name != "" && s.Var == name {
			p.Schedules = slices.DeleteFunc(p.Schedules, func(other *program.Schedule) bool { return other.Name != s.Name })
			return p.Schedules[0]
		}
	}
	return nil
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

// inFile says that a file has no names to pick by.
func inFile(pipeline string) error {
	_, name, _ := strings.Cut(pipeline, "#")
	return fmt.Errorf("%s: a file has one pipeline; leave #%s out", pipeline, name)
}

// needFile refuses what isn't a file, for verbs that don't read packages: reads is what
// they do read.
func needFile(pipeline, reads string) error {
	pattern, _, _ := strings.Cut(pipeline, "#")
	switch {
	case isFile(pipeline):
		return nil
	case isFile(pattern):
		return inFile(pipeline)
	}
	if _, err := os.Stat(pattern); pattern == pipeline && err != nil && !strings.HasSuffix(pattern, "...") {
		return fmt.Errorf("there is no file %s; %s", pipeline, reads)
	}
	return fmt.Errorf("%s names Go code, not a compiled file; %s", pipeline, reads)
}

// loadFile reads a compiled pipeline.
func loadFile(file string) (*program.Program, error) {
	p, notes, err := (*program.Program)(nil), []string(nil), error(nil)
	if file == "-" {
		p, notes, err = read.From("standard input", os.Stdin)
	} else {
		p, notes, err = read.File(file)
	}
	for _, n := range notes {
		say(stderr, "%s", n)
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
