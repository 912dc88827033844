package gocode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/inspect"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/progdiff"
)

// An importCheck compiles a package that was made of a file, and compares the two.
type importCheck struct {
	read      *program.Program
	file, dir string
	changes   []progdiff.Change
	skipped   string // why it wasn't checked
}

// run checks the package while it is in another folder. The error says that it
// doesn't compile; a package that can't be checked is not an error.
func (c *importCheck) run(ctx context.Context, made string) error {
	names := strings.NewReplacer(made, c.dir, filepath.Base(filepath.Dir(made))+"/new", filepath.Base(c.dir))
	bad := func(err error) error {
		return fmt.Errorf("the package that was made of %s doesn't compile, so it wasn't written; --no-check writes it all the same:\n%s", c.file, names.Replace(err.Error()))
	}
	// A cache of its own: nobody will ask for the program of this folder again.
	built, err := discover.BuildIn(ctx, filepath.Join(filepath.Dir(made), "cache"), ".", made)
	var g *discover.GoError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &g) && (strings.HasPrefix(g.Output, "# ") || strings.Contains(g.Output, "\n# ")): // what the Go compiler says
		return bad(errors.New(g.Output))
	case err != nil:
		said := strings.Split(names.Replace(err.Error()), "\n")
		for len(said) > 1 && (strings.HasPrefix(said[0], "go: finding ") || strings.HasPrefix(said[0], "go: downloading ")) {
			said = said[1:]
		}
		c.skipped = strings.TrimSuffix(said[0], "; to add:")
		return nil
	}
	p, _, err := input.Lower(ctx, built, "")
	if ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return bad(err)
	}
	c.changes = c.compare(p)
	return nil
}

// compare returns where the package differs from the file: as they are, or as IR
// where that says less. Names of groups and of components are for nobody to see, and
// empty lines around a description go.
func (c *importCheck) compare(p *program.Program) (least []progdiff.Change) {
	for i, compile := range [][2]bool{{}, {false, true}, {true, true}} {
		changes, err := inspect.Changes([2]*program.Program{c.read, p}, compile, "")
		if err != nil {
			continue // KFP has no word for it, as for much of Argo's
		}
		changes = slices.DeleteFunc(changes, func(d progdiff.Change) bool {
			return d.Op == progdiff.Renumbered || d.Op == progdiff.Renamed && strings.HasPrefix(d.What, "component ") ||
				d.Op == progdiff.Changed && strings.TrimSpace(d.Old) == strings.TrimSpace(d.New)
		})
		if i == 0 || len(changes) < len(least) {
			least = changes
		}
	}
	return least
}

// report says where the package differs, or why that isn't known.
func (c *importCheck) report(w io.Writer) {
	const most = 5
	if c.skipped != "" {
		cli.Say(w, "%s wasn't compiled and compared with %s: %s", c.dir, c.file, c.skipped)
	}
	for i, d := range c.changes {
		if i == most && len(c.changes) > most+1 {
			cli.Say(w, "warning: and %d more; kfpgo diff %s %s lists them", len(c.changes)-most, cli.ShellWord(c.file), cli.ShellWord(c.dir))
			return
		}
		cli.Say(w, "warning: %s differs from %s: %s", c.dir, c.file, d)
	}
}
