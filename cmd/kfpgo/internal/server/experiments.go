package server

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
)

func newExperiments() *cobra.Command {
	f := &flags.Server{}
	cmd := noun(f, "experiments", "Manage the experiments of a KFP server",
		`Experiments manages the experiments of a KFP server, which are named groups of runs.
EXPERIMENT is a name or an ID.`,
		newExperimentsCreate(f), newExperimentsList(f),
		show(f, "get EXPERIMENT", "Show an experiment", func(ctx context.Context, c *kfp.Client, args []string) (any, func(*cli.Table), error) {
			e, err := c.Experiment(ctx, args[0])
			return e, func(t *cli.Table) {
				t.Row("name", e.Name)
				t.Row("id", e.ID)
				t.Row("created", date(e.Created))
				t.Row("archived", e.Archived)
			}, err
		}),
		act(f, "archive EXPERIMENT", "Archive an experiment with its runs", (*kfp.Client).ArchiveExperiment),
		act(f, "unarchive EXPERIMENT", "Unarchive an experiment", (*kfp.Client).UnarchiveExperiment),
		flags.Deletes(act(f, "delete EXPERIMENT", "Delete an experiment; its runs stay", (*kfp.Client).DeleteExperiment), "experiment ", " "),
	)
	cmd.Aliases = []string{"experiment"}
	return cmd
}

func newExperimentsCreate(f *flags.Server) *cobra.Command {
	var description string
	cmd := onlyKFP(f, "create NAME", "Create an experiment, unless it exists", func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		e, change, err := c.CreateExperiment(cmd.Context(), args[0], description)
		if err != nil {
			return err
		}
		if change == client.Unchanged {
			cli.Say(cmd.ErrOrStderr(), "experiment %s is already there", e.Name)
		}
		return cli.Say(cmd.OutOrStdout(), "%s", e.ID)
	})
	cmd.Flags().StringVar(&description, "description", "", "`TEXT` about it")
	return cmd
}

func newExperimentsList(f *flags.Server) *cobra.Command {
	cmd, l := list(f, "list", "List experiments, newest first",
		func(_ context.Context, c *kfp.Client, _ []string) (pager[kfp.Experiment], error) {
			return c.ListExperiments, nil
		},
		[]any{"ID", "NAME", "CREATED", "DESCRIPTION"},
		func(e *kfp.Experiment) []any {
			return []any{e.ID, e.Name, date(e.Created), cli.FirstLine(e.Description)}
		})
	l.addArchived(cmd)
	return cmd
}
