package gocode

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

func newGenSteps() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "steps [PACKAGE...]",
		Short: "Generate steps for plain Go functions",
		Long: `Steps generates a step for each function that has the line //kfpgo:step in its comment.
It writes ` + stepfunc.File + ` next to them, which belongs in version control: structs for
the inputs and outputs, and a variable with the component, Score for score and
ScoreStep for Score. PACKAGE is a folder or a Go package pattern; default: .

  //kfpgo:step [NAME]
  //kfpgo:input PARAMETER [name=NAME] [default=VALUE] [optional] ["DESCRIPTION"]
  //kfpgo:output RESULT [name=NAME] [optional] ["DESCRIPTION"]

A parameter is an input, and a named result is an output; the first parameter can be a
context and the last result an error. An artifact is an input, and a pointer to an artifact
is an output that the function writes. A pointer to a value is an optional input or output.

The package doesn't have to compile. If a function has changed since, kfpgo vet, compile
and run report an error; --check finds it in CI.`,
		Example: `  kfpgo gen steps ./...
  kfpgo gen steps --check ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			list, err := readSteps(cmd.Context(), args)
			if err != nil {
				return err
			}
			var errs []error
			for _, f := range list {
				if check {
					errs = append(errs, f.compare())
				} else if err := f.write(); err != nil {
					errs = append(errs, err)
				} else if f.made != nil {
					cli.Say(cmd.ErrOrStderr(), "%s: package %s with %d %s", f.shown, f.pkg, f.steps, map[bool]string{true: "step", false: "steps"}[f.steps == 1])
				} else if f.old != nil {
					cli.Say(cmd.ErrOrStderr(), "%s: removed, since the package has no step functions", f.shown)
				}
			}
			return errors.Join(errs...)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; fail if a file is out of date")
	return cmd
}

// A stepFile is the file of steps of a package.
type stepFile struct {
	path, shown string
	pkg         string
	steps       int
	made, old   []byte // nil: none
	command     string // that writes it
}

// readSteps returns the files for all packages, or the mistakes in all of them.
func readSteps(ctx context.Context, patterns []string) (files []*stepFile, err error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var errs []error
	seen := map[string]bool{}
	for _, pattern := range patterns {
		list, err := discover.List(ctx, ".", pattern)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if seen[p.Dir] {
				continue
			}
			seen[p.Dir] = true
			f, err := stepsOf(ctx, p, wd)
			if err != nil {
				errs = append(errs, err)
			}
			files = append(files, f)
		}
	}
	return files, errors.Join(errs...)
}

func stepsOf(ctx context.Context, p *discover.Package, wd string) (*stepFile, error) {
	src := p.Source(wd)
	read, err := stepfunc.Read(src, func(path string) (stepfunc.Source, error) {
		list, err := discover.List(ctx, p.Dir, path)
		if err != nil {
			return stepfunc.Source{}, err
		}
		return list[0].Source(wd), nil
	})
	if err != nil {
		return nil, err
	}
	f := &stepFile{path: filepath.Join(src.Dir, stepfunc.File), pkg: read.Name, steps: read.Steps, command: src.Command()}
	f.shown = f.path
	if rel, err := filepath.Rel(wd, f.path); err == nil && len(rel) < len(f.path) {
		f.shown = rel
	}
	if f.made, err = read.Bytes(); err != nil {
		return nil, err
	}
	switch f.old, err = os.ReadFile(f.path); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	case !bytes.HasPrefix(f.old, []byte(stepfunc.Header)):
		return nil, fmt.Errorf("%s: the file is there, and kfpgo gen steps has not written it; rename it", f.shown)
	}
	return f, nil
}

// compare returns an error if the file isn't what would be written.
func (f *stepFile) compare() error {
	if bytes.Equal(f.old, f.made) {
		return nil
	}
	return fmt.Errorf("%s is out of date; run: %s", f.shown, f.command)
}

// write writes the file, or removes the file of functions that aren't steps any more.
func (f *stepFile) write() error {
	switch {
	case bytes.Equal(f.old, f.made):
		return nil
	case f.made == nil:
		return os.Remove(f.path)
	}
	if err := atomicfile.Write(f.path, 0o644, f.made); err != nil {
		return fmt.Errorf("%s: %w", f.shown, cmp.Or(cli.Cause(err), err))
	}
	return nil
}
