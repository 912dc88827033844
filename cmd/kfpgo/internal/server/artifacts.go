package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/local/runlineage"
)

// artifactFlags say whose artifacts are meant.
type artifactFlags struct {
	flags.Server
	home string
}

// open returns the store that --on names.
func (f *artifactFlags) open(cmd *cobra.Command) (lineage.Store, error) {
	if f.On == "local" {
		home, err := flags.Home(f.home)
		return runlineage.Store{Home: home}, err
	}
	if f.home != "" {
		return nil, cli.Usagef(cmd, "--home is for --on local")
	}
	c, err := f.Connect(cmd)
	if err != nil {
		return nil, err
	}
	s, ok := c.(lineage.Store)
	if !ok {
		return nil, fmt.Errorf("kfpgo can't read the artifacts of %s", c.Engine())
	}
	return s, nil
}

// runs returns the client that has the runs.
func (f *artifactFlags) runs(cmd *cobra.Command) (client.Client, error) {
	of := runFlags{Server: f.Server, home: f.home}
	return of.open(cmd)
}

func newArtifacts() *cobra.Command {
	f := &artifactFlags{}
	cmd := noun(&f.Server, "artifacts", "List, download and trace the artifacts of runs",
		`Artifacts lists the artifacts of runs on this machine, on KFP or on Argo. ARTIFACT is an
ID or its prefix, a URI, or RUN/TASK/OUTPUT. A URI is one artifact, whichever runs
produced, imported or read it.`,
		newArtifactsList(f), newArtifactsGet(f), newArtifactsLineage(f))
	fs := cmd.PersistentFlags()
	flags.Engine(cmd, fs, &f.On, "has the runs")
	f.AddStore(fs)
	fs.StringVar(&f.home, "home", "", "local: `DIR` of the runs, in place of KFPGO_HOME")
	return cmd
}

func newArtifactsList(f *artifactFlags) *cobra.Command {
	var q lineage.Query
	var format string
	cmd := &cobra.Command{
		Use: "list", Short: "List artifacts, newest first", Args: cobra.NoArgs,
		Long: `List shows the artifacts that runs have produced, imported or taken from the cache, newest
first. RUN and TASK are those that produced the artifact.`,
		Example: `  kfpgo artifacts list --run mnist-20260314T150926-5358
  kfpgo artifacts list --type system.Model --on kfp -o json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if q.Max < 1 {
				return cli.Usagef(cmd, "--max-size %d: it must be from 1 up", q.Max)
			}
			s, err := f.open(cmd)
			if err != nil {
				return err
			}
			if c, ok := s.(client.Client); ok {
				if q.Run, err = Latest(cmd.Context(), c, q.Run); err != nil {
					return err
				}
			}
			max := q.Max
			q.Max++ // to know if there are more
			g, err := s.Artifacts(cmd.Context(), q)
			if err != nil {
				return err
			}
			leftOut(cmd, g.Missing)
			list := g.Artifacts
			if len(list) > max {
				list = list[:max]
				fmt.Fprintf(cmd.ErrOrStderr(), "there are more: --max-size shows up to as many as it says\n")
			}
			return cli.Display(cmd, format, list, func(t *cli.Table) {
				t.Row("ID", "NAME", "TYPE", "RUN", "TASK", "CREATED", "URI")
				for _, a := range list {
					t.Row(a.ID, cmp.Or(a.Name, "-"), cmp.Or(a.Type, "-"), cmp.Or(a.Run, "-"), cmp.Or(a.Task, "-"), date(a.Created), a.URI)
				}
			})
		},
	}
	cmd.Flags().StringVar(&q.Run, "run", "", "only artifacts that `RUN` produced, imported or took from the cache")
	cmd.RegisterFlagCompletionFunc("run", CompleteRuns(f.runs))
	cmd.Flags().StringVar(&q.Type, "type", "", "only those of a `TYPE`, such as system.Model")
	cmd.Flags().IntVar(&q.Max, "max-size", 100, "at most `N`")
	flags.Format(cmd, &format)
	return cmd
}

func newArtifactsGet(f *artifactFlags) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "get ARTIFACT", Short: "Download an artifact", Args: cli.Exactly(1, "ARTIFACT"),
		Long: `Get downloads an artifact: a file to the standard output or to -o, and a folder to the
folder of -o, which must not exist. Get writes nothing outside of that folder, whatever
the names of files and the targets of links in the artifact are.
On a terminal, control characters are escaped; a pipe or file gets the unchanged
content.`,
		Example: `  kfpgo artifacts get mnist-20260314T150926-5358/train/model -o model.bin
  kfpgo artifacts get 3fa92c --on argo -o images`,
		RunE: with(f.open, func(cmd *cobra.Command, s lineage.Store, args []string) error {
			t, err := s.Lineage(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			files := s.Files(cmd.Context(), t.Artifact)
			if out == "" || out == "-" {
				err = lineage.Print(cmd.Context(), files, cli.Content(cmd.OutOrStdout()))
			} else {
				err = lineage.Save(cmd.Context(), files, out)
			}
			if err != nil {
				return fmt.Errorf("artifact %s at %s: %w", t.Artifact.Name, t.Artifact.URI, err)
			}
			return nil
		}),
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`FILE` or folder to write; default: the standard output")
	return cmd
}

func newArtifactsLineage(f *artifactFlags) *cobra.Command {
	var format string
	forms := []string{"table", "json", "yaml", "txt", "dot"}
	cmd := &cobra.Command{
		Use: "lineage ARTIFACT", Short: "Show the inputs that an artifact was produced from, and its consumers", Args: cli.Exactly(1, "ARTIFACT"),
		Long: `Lineage follows an artifact upstream and downstream, across runs: the tasks that
produced it, the artifacts that they read, and so on; and the tasks that read it, with
their outputs. The URI connects runs: an import of another run's artifact, a result
from the cache, a resumed run.`,
		Example: `  kfpgo artifacts lineage mnist-20260314T150926-5358/train/model -o txt
  kfpgo artifacts lineage 3fa92c --on argo -o dot | dot -Tsvg >model.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(forms, format) {
				return cli.Usagef(cmd, "--output is one of %s, not %q", strings.Join(forms, ", "), format)
			}
			s, err := f.open(cmd)
			if err != nil {
				return err
			}
			t, err := s.Lineage(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			leftOut(cmd, t.Missing)
			switch format {
			case "txt", "dot":
				text := t.Tree()
				if format == "dot" {
					text = t.DOT()
				}
				_, err := cmd.OutOrStdout().Write([]byte(text))
				return err
			}
			return cli.Display(cmd, format, t, func(w *cli.Table) { traceTable(w, t) })
		},
	}
	flags.FormatOf(cmd, &format, forms...)
	return cmd
}

// leftOut says what is not in a result, and why.
func leftOut(cmd *cobra.Command, missing []string) {
	for _, what := range missing {
		cli.Say(cmd.ErrOrStderr(), "left out: %s", what)
	}
}

// traceTable writes a trace as rows: one for each event.
func traceTable(w *cli.Table, t *lineage.Trace) {
	w.Row("WHERE", "EVENT", "NAME", "TYPE", "ARTIFACT", "RUN", "TASK", "STATE")
	for _, part := range []struct {
		where string
		g     *lineage.Graph
	}{{"upstream", t.Up}, {"downstream", t.Down}} {
		for _, ev := range part.g.Events {
			a, e := part.g.Artifact(ev.Artifact), part.g.Execution(ev.Execution)
			w.Row(part.where, ev.Kind, ev.Name, cmp.Or(ev.Type, a.Type, "-"), a.ID, e.Run, e.Task, cmp.Or(e.State, "-"))
		}
	}
	if len(t.Up.Events)+len(t.Down.Events) == 0 {
		w.Row("-", "-", t.Artifact.Name, t.Artifact.Type, t.Artifact.ID, "-", "-", "-")
	}
}
