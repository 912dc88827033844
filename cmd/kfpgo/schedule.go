package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newSchedule() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schedule VERB",
		Short: "Run pipelines at times: on this machine, KFP or Argo",
		Long: `Schedule manages what starts runs of a pipeline at times, on any engine. On KFP a
schedule is a recurring run, and on Argo a CronWorkflow.

A schedule is declared in Go with dsl.NewSchedule, beside its pipeline. A cron has
five fields, the minute first, and goes by the clock of its zone: where clocks are
changed, a time that they jump over doesn't come, and one that they show twice comes
twice.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef(cmd, "there is no verb %q%s", args[0], suggest(cmd, args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			cmd.Help()
			return usagef(cmd, "no verb was given")
		},
	}
	cmd.AddCommand(
		newScheduleApply(),
		newScheduleList(),
		newScheduleGet(),
		newScheduleNext(),
		newSchedulePause(),
		newScheduleResume(),
		newScheduleTrigger(),
		newScheduleBackfill(),
		newScheduleDelete(),
		newScheduleServe(),
	)
	return cmd
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
