// Package schedule has kfpgo schedule: the schedules of this machine and of servers.
package schedule

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
)

// Command returns kfpgo schedule.
func Command() *cobra.Command {
	cmd := cli.Noun("schedule", "Run pipelines at times: on this machine, KFP or Argo",
		`Schedule manages what starts runs of a pipeline at times, on any engine. On KFP a
schedule is a recurring run, and on Argo a CronWorkflow.

A schedule is declared in Go with dsl.NewSchedule, beside its pipeline. A cron has
five fields, the minute first, and goes by the clock of its zone: where clocks are
changed, a time that they jump over doesn't come, and one that they show twice comes
twice.`,
		newApply(),
		newList(),
		newGet(),
		newNext(),
		each("pause NAME...", "Stop schedules from firing, until they are resumed", "", "paused", engine.PauseSchedule),
		each("resume NAME...", "Let schedules fire again",
			"Resume lets schedules fire again. What would have fired meanwhile is not run:\nbackfill does that.", "resumed", engine.ResumeSchedule),
		newTrigger(),
		newBackfill(),
		flags.Deletes(each("delete NAME...", "Forget schedules; their runs stay", "", "deleted", engine.DeleteSchedule), "", ", "),
		newServe(),
	)
	cmd.Aliases = []string{"schedules"}
	return cmd
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
