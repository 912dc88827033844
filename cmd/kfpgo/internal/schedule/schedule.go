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
	cmd := cli.Noun("schedule", "Run pipelines on a schedule: on this machine, KFP or Argo",
		`Schedule manages schedules, which start runs of a pipeline, on any engine. On KFP a
schedule is a recurring run, and on Argo a CronWorkflow.

Declare a schedule in Go with dsl.NewSchedule, next to its pipeline. A cron has five
fields, minutes first, in the time zone of the schedule. When daylight saving time begins
or ends, a time that the clocks skip doesn't fire, and a time that they show twice fires
twice.`,
		newApply(),
		newList(),
		newGet(),
		newNext(),
		each("pause NAME...", "Pause schedules until they are resumed", "", "paused", engine.PauseSchedule),
		each("resume NAME...", "Resume schedules",
			"Resume resumes schedules. It doesn't run the fire times that were missed; backfill does.", "resumed", engine.ResumeSchedule),
		newTrigger(),
		newBackfill(),
		flags.Deletes(each("delete NAME...", "Delete schedules; their runs are kept", "", "deleted", engine.DeleteSchedule), "", ", "),
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
