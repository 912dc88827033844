package main

import (
	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
)

func newExperiments() *cobra.Command {
	f := &serverFlags{}
	cmd := noun("experiments", "Make and show KFP's experiments",
		`Experiments shows and changes the experiments of a KFP server, which are named groups
of runs. They go by name or by id.`, f,
		newExperimentsCreate(f), newExperimentsList(f), newExperimentsGet(f),
		kfpVerb(f, "archive EXPERIMENT", "Archive an experiment with its runs", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.ArchiveExperiment(cmd.Context(), args[0])
		}),
		kfpVerb(f, "unarchive EXPERIMENT", "Take an archived experiment back", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.UnarchiveExperiment(cmd.Context(), args[0])
		}),
		deletes(kfpVerb(f, "delete EXPERIMENT", "Delete an experiment; its runs stay", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
			return c.DeleteExperiment(cmd.Context(), args[0])
		}), "experiment"),
	)
	cmd.Aliases = []string{"experiment"}
	return cmd
}

func newExperimentsCreate(f *serverFlags) *cobra.Command {
	var description string
	cmd := kfpVerb(f, "create NAME", "Make an experiment, unless it is there", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		e, change, err := c.CreateExperiment(cmd.Context(), args[0], description)
		if err != nil {
			return err
		}
		if change == client.Unchanged {
			say(cmd.ErrOrStderr(), "experiment %s is already there", e.Name)
		}
		return say(cmd.OutOrStdout(), "%s", e.ID)
	})
	cmd.Flags().StringVar(&description, "description", "", "`TEXT` about it")
	return cmd
}

func newExperimentsList(f *serverFlags) *cobra.Command {
	var l listFlags
	cmd := kfpVerb(f, "list", "Show experiments, the newest first", 0, func(cmd *cobra.Command, c *kfp.Client, _ []string) error {
		if err := l.check(cmd); err != nil {
			return err
		}
		list, next, err := collect(cmd.Context(), &l, c.ListExperiments)
		if err != nil {
			return err
		}
		more(cmd, next)
		return display(cmd, l.format, list, func(t *table) {
			t.row("ID", "NAME", "CREATED", "DESCRIPTION")
			for _, e := range list {
				t.row(e.ID, e.Name, date(e.Created), first(e.Description))
			}
		})
	})
	l.add(cmd, true)
	return cmd
}

func newExperimentsGet(f *serverFlags) *cobra.Command {
	var format string
	cmd := kfpVerb(f, "get EXPERIMENT", "Show an experiment", 1, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		e, err := c.Experiment(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return display(cmd, format, e, func(t *table) {
			t.row("name", e.Name)
			t.row("id", e.ID)
			t.row("created", date(e.Created))
			t.row("archived", e.Archived)
		})
	})
	formatFlag(cmd, &format)
	return cmd
}
