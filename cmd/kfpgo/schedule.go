package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
)

func newSchedule() *cobra.Command {
	return noun("schedule", "Run pipelines at times: on this machine, KFP or Argo",
		`Schedule manages what starts runs of a pipeline at times, on any engine. On KFP a
schedule is a recurring run, and on Argo a CronWorkflow.

A schedule is declared in Go with dsl.NewSchedule, beside its pipeline. A cron has
five fields, the minute first, and goes by the clock of its zone: where clocks are
changed, a time that they jump over doesn't come, and one that they show twice comes
twice.`, nil,
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
}

// oneSchedule does something with a schedule that must be there.
func oneSchedule(cmd *cobra.Command, e *engineFlags, name string, do func(on scheduleEngine, s *client.Schedule) error) error {
	on, err := e.open(cmd)
	if err != nil {
		return err
	}
	defer on.close()
	s, err := on.Schedule(cmd.Context(), name)
	if err != nil {
		return err
	}
	return do(on, s)
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
