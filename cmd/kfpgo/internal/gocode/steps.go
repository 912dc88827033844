package gocode

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/build/pyfunc"
	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/read/raise"
)

func newGenSteps() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "steps [PACKAGE | FILE.py]...",
		Short: "Generate steps for plain Go functions, and for functions of a Python file",
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

For FILE.py it writes FILE` + pyfunc.Ending + ` next to it, with a dsl.Python for each function that has
@dsl.component, or # kfpgo:step [NAME] right above it; in a file without them, for each
function with types that has no decorator and no _ in front. Inputs, outputs, defaults
and descriptions come from the signature and the docstring, the image and the packages
from @dsl.component. Nothing of the file runs. For a PACKAGE that has such files, they
are generated again.

The package doesn't have to compile. If a function has changed since, kfpgo vet, compile
and run report an error; --check finds it in CI.`,
		Example: `  kfpgo gen steps ./...
  kfpgo gen steps features.py
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
			return []string{"py"}, cobra.ShellCompDirectiveFilterFileExt
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
	r := stepReader{wd: wd, seen: map[string]bool{}}
	for _, pattern := range patterns {
		if strings.HasSuffix(pattern, ".py") {
			abs, err := filepath.Abs(pattern)
			if err != nil {
				return nil, err
			}
			r.python(filepath.Dir(abs), filepath.Base(abs))
			continue
		}
		list, err := discover.List(ctx, ".", pattern)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			r.pkg(ctx, p)
		}
	}
	return r.files, errors.Join(r.errs...)
}

// A stepReader reads packages and Python files, each once.
type stepReader struct {
	wd    string
	seen  map[string]bool
	files []*stepFile
	errs  []error
}

func (r *stepReader) add(f *stepFile, err error) {
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	r.files = append(r.files, f)
}

// pkg reads a package, and the Python files that have a Go file in it.
func (r *stepReader) pkg(ctx context.Context, p *discover.Package) {
	src := p.Source(r.wd)
	if r.seen[src.Dir] {
		return
	}
	r.seen[src.Dir] = true
	r.add(stepsOf(ctx, p, r.wd))
	for _, name := range src.Files {
		if text, err := os.ReadFile(filepath.Join(src.Dir, name)); err == nil && pyfunc.From(text) != "" {
			r.python(src.Dir, pyfunc.From(text))
		}
	}
}

// python reads a Python file.
func (r *stepReader) python(dir, name string) {
	if path := filepath.Join(dir, name); !r.seen[path] {
		r.seen[path] = true
		r.add(pythonSteps(stepfunc.Source{Dir: dir, From: r.wd}, name))
	}
}

func pythonSteps(src stepfunc.Source, name string) (*stepFile, error) {
	path := filepath.Join(src.Dir, pyfunc.GoFile(name))
	taken, pkg, err := declared(path)
	if err != nil {
		return nil, err
	}
	read, err := pyfunc.Read(src, name, taken)
	if err != nil {
		return nil, err
	}
	f := &stepFile{path: path, shown: src.Rel(path), pkg: cmp.Or(pkg, raise.PackageName(filepath.Base(src.Dir))), steps: read.Steps, command: src.Command(name)}
	if f.made, err = read.Bytes(f.pkg, taken); err != nil {
		return nil, err
	}
	return f, f.readOld(pyfunc.Header(name))
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
	path := filepath.Join(src.Dir, stepfunc.File)
	f := &stepFile{path: path, shown: src.Rel(path), pkg: read.Name, steps: read.Steps, command: src.Command("")}
	if f.made, err = read.Bytes(); err != nil {
		return nil, err
	}
	return f, f.readOld(stepfunc.Header)
}

// readOld reads the file that there is, which must start with a header.
func (f *stepFile) readOld(header string) (err error) {
	switch f.old, err = os.ReadFile(f.path); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	case !bytes.HasPrefix(f.old, []byte(header)):
		return fmt.Errorf("%s: the file is there, and kfpgo gen steps has not written it; rename it", f.shown)
	}
	return nil
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
