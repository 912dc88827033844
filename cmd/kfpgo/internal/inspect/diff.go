package inspect

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/review/progdiff"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

func newDiff() *cobra.Command {
	var format, image string
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show the differences between two pipelines",
		Long: `Diff describes the changes from pipeline A to pipeline B: tasks that were added, removed,
moved or renamed, their connections, the code that they run, conditions, loops, settings,
defaults and descriptions. Each line names the task, with the path of those in groups and
nested pipelines.

A and B are packages or compiled files. If one is a package and the other a file, diff
compares the image of Go steps only if --image is given.

The exit code is 0 if they are equal, 1 if they differ, and 2 for wrong usage or a
pipeline that can't be read.`,
		Example: `  kfpgo diff pipeline-v1.yaml pipeline-v2.yaml
  kfpgo diff pipeline.yaml ./examples/mnist
  kfpgo diff ./examples/calc#Pipeline ./examples/calc#PythonPipeline -o json`,
		Args: cli.Exactly(2, "pair A B of PIPELINEs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return cli.Usagef(cmd, "there is no format %q; the formats are table and json", format)
			}
			var sides [2]*program.Program
			for i, arg := range args {
				p, err := input.Load(cmd.Context(), arg)
				if err != nil {
					return cli.Trouble(err)
				}
				if p.Schedule != nil {
					cli.Say(cmd.ErrOrStderr(), "note: pipelines are compared; schedule %s of %s, its times and its arguments, isn't", p.Schedule.Name, arg)
				}
				sides[i] = p.Program
			}
			a, b := input.IsFile(args[0]), input.IsFile(args[1])
			changes, err := Changes(sides, [2]bool{b && !a, a && !b}, image)
			if err != nil {
				return cli.Trouble(fmt.Errorf("%s can't be compared with %s: %w", args[0], args[1], err))
			}
			if err := printChanges(cmd, changes, format); err != nil {
				return cli.Trouble(err)
			}
			if len(changes) > 0 {
				return cli.ErrFailed
			}
			return nil
		},
		ValidArgsFunction: input.CompleteAll,
	}
	cmd.Flags().StringVar(&image, "image", "", "container image `REF` of the package's program, to compare with that in a file")
	flags.FormatOf(cmd, &format, "table", "json")
	return cmd
}

// Changes returns what changed from one program to another. Of a package that is
// compared with a file, what it compiles to is compared, in the form with fewer changes.
func Changes(sides [2]*program.Program, compile [2]bool, image string) ([]progdiff.Change, error) {
	exact := sides
	for i := range sides {
		if !compile[i] {
			continue
		}
		o := kfp.Options{Image: cmp.Or(image, imageOf(sides[1-i])), Version: emit.Version()}
		p, err := compiled(sides[i], o)
		if err != nil {
			return nil, err
		}
		o.Exact = true // as it was sent to a server, or compiled for a version
		if exact[i], err = compiled(sides[i], o); err != nil {
			exact[i] = p
		}
		sides[i] = p
	}
	changes := progdiff.Diff(sides[0], sides[1])
	if len(changes) > 0 {
		if other := progdiff.Diff(exact[0], exact[1]); len(other) < len(changes) {
			changes = other
		}
	}
	return changes, nil
}

// compiled returns a program as it is when it has been written as IR, which a file
// was. IR has no Go types, say, and other words for some steps.
func compiled(p *program.Program, o kfp.Options) (*program.Program, error) {
	b, err := kfp.Write(p, o)
	if err != nil {
		return nil, err
	}
	return kfpread.Read(p.Name, b)
}

// imageOf returns the image of the Go steps of a file. That of a package isn't
// known unless it is given, and is then no difference.
func imageOf(p *program.Program) string {
	for _, c := range p.Components {
		if c.Exec != nil && c.Exec.Go != nil && c.Exec.Go.Image != "" {
			return c.Exec.Go.Image
		}
	}
	return "example.com/program:1"
}

func printChanges(cmd *cobra.Command, changes []progdiff.Change, format string) error {
	w := cmd.OutOrStdout()
	if format == "table" {
		for _, c := range changes {
			if err := cli.Say(w, "%s", c); err != nil {
				return err
			}
		}
		return nil
	}
	type item struct {
		progdiff.Change
		Words string `json:"words"`
	}
	items := make([]item, len(changes))
	for i, c := range changes {
		items[i] = item{c, c.String()}
	}
	return cli.WriteJSON(w, map[string]any{"equal": len(changes) == 0, "changes": items})
}
