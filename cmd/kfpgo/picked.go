package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// fired gives a run the arguments of the schedule that was picked, as if it fired now,
// and returns that time in its zone. Arguments of the command line win over them.
func fired(picked *program.Schedule, now time.Time, given *params.Options) (at time.Time, err error) {
	if picked == nil {
		return at, nil
	}
	if at, err = schedule.In(picked, now.Truncate(time.Second)); err != nil {
		return at, err
	}
	given.Base, err = schedule.Args(picked, at)
	return at, err
}

// noSchedule refuses to write a schedule that was picked to a target that has none.
func noSchedule(pipeline, target string, picked *program.Schedule) error {
	if picked == nil || target == emit.ArgoCron {
		return nil
	}
	pkg, name, _ := strings.Cut(pipeline, "#")
	return fmt.Errorf("%s is schedule %s, and what is written for %s has no schedule; write it with kfpgo compile '%s' --target argo-cron, store it on a server or here with kfpgo schedule apply '%s', or name the variable of its pipeline in place of %s",
		pipeline, picked.Name, target, pkg+"#"+name, pkg+"#"+name, name)
}

// tellSchedules says which schedules of a pipeline are left out of what is written.
func tellSchedules(w io.Writer, pipeline, target string, p *program.Program) {
	if target == emit.ArgoCron || len(p.Schedules) == 0 {
		return
	}
	names := make([]string, len(p.Schedules))
	for i, s := range p.Schedules {
		names[i] = s.Name
	}
	fmt.Fprintf(w, "note: schedule %s isn't in it; kfpgo schedule apply %s stores it, and --target argo-cron writes it\n", strings.Join(names, ", "), pipeline)
}
