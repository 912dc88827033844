// Package input reads what command lines name: packages and compiled files, as programs.
package input

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// A Pipeline is what PIPELINE names: a package, which is built, or a compiled file.
type Pipeline struct {
	Name     string // PIPELINE
	Program  *program.Program
	Built    *discover.Program // the executable that runs Go steps; nil: it is a file
	Schedule *program.Schedule // that PIPELINE names, if it names one
}

// Load returns the pipeline that PIPELINE names.
func Load(ctx context.Context, name string) (*Pipeline, error) {
	p := &Pipeline{Name: name}
	var err error
	pattern, variable, _ := strings.Cut(name, "#")
	switch {
	case IsFile(name):
		p.Program, err = File(name)
	case IsFile(pattern):
		err = inFile(name)
	default:
		stop := waiting(pattern)
		p.Built, err = discover.Build(ctx, ".", pattern)
		stop()
		if err == nil {
			p.Program, p.Schedule, err = Lower(ctx, p.Built, variable)
		}
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// waiting shows on a terminal the package that go builds, if that takes long, until stop is called.
func waiting(pattern string) (stop func()) {
	if cli.Terminal(cli.Notes) == nil {
		return func() {}
	}
	t := time.AfterFunc(4*time.Second, func() {
		cli.Say(cli.Notes, "go builds the program of %s; the first time, it also compiles Go's standard library", pattern)
	})
	return func() { t.Stop() }
}

// Inputs are those of the pipeline.
func (p *Pipeline) Inputs() []program.Port { return p.Program.Component(p.Program.Main).Inputs }

// Lower returns the pipeline that a variable of a built package holds. If it holds a
// schedule, that is returned too, and is the only one that the pipeline is left.
func Lower(ctx context.Context, built *discover.Program, name string) (*program.Program, *program.Schedule, error) {
	g, err := built.Graph(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(g.Errors) > 0 {
		return nil, nil, g.Errors
	}
	var c *graph.Component
	at := slices.IndexFunc(g.Schedules, func(s *graph.Schedule) bool { return name != "" && s.Var == name })
	if at >= 0 {
		c = g.Component(g.Schedules[at].Pipeline)
	} else if c, err = g.Pick(name); err != nil {
		seen := slices.ContainsFunc(g.Components, func(c *graph.Component) bool { return c.Var != "" && c.Kind == graph.Pipeline })
		if hidden := built.Unexported(); hidden != nil && !seen {
			return nil, nil, hidden
		}
		return nil, nil, fmt.Errorf("%s: %w", built.Package.ImportPath, err)
	}
	p, err := lower.Lower(g, c)
	if err != nil || at < 0 {
		return p, nil, err
	}
	p.Schedules = slices.DeleteFunc(p.Schedules, func(s *program.Schedule) bool { return s.Name != g.Schedules[at].Name })
	return p, p.Schedules[0], nil
}

// IsFile reports whether PIPELINE is a compiled pipeline: by its name, or because
// such a file is there. - is the standard input.
func IsFile(pipeline string) bool {
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

// NeedFile refuses an argument that isn't a file, for commands that don't read packages: reads is what
// they do read.
func NeedFile(pipeline, reads string) error {
	pattern, _, _ := strings.Cut(pipeline, "#")
	switch {
	case IsFile(pipeline):
		return nil
	case IsFile(pattern):
		return inFile(pipeline)
	}
	if _, err := os.Stat(pattern); pattern == pipeline && err != nil && !strings.HasSuffix(pattern, "...") {
		return fmt.Errorf("there is no file %s; %s", pipeline, reads)
	}
	return fmt.Errorf("%s names Go code, not a compiled file; %s", pipeline, reads)
}

// Bytes reads a file, but hardly more of it than a pipeline may have.
func Bytes(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, kfpread.MaxSize+1))
}

// File reads a compiled pipeline.
func File(file string) (*program.Program, error) {
	p, notes, err := (*program.Program)(nil), []string(nil), error(nil)
	if file == "-" {
		p, notes, err = read.From("standard input", os.Stdin)
	} else {
		p, notes, err = read.File(file)
	}
	for _, n := range notes {
		cli.Say(cli.Notes, "%s", n)
	}
	return p, err
}
