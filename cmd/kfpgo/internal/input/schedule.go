package input

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// Fire gives a run the arguments of the schedule that was picked, as if it fired now,
// and returns that time in its zone. Arguments of the command line win over them.
func (p *Pipeline) Fire(now time.Time, given *params.Options) (at time.Time, err error) {
	if p.Schedule == nil {
		return at, nil
	}
	if at, err = schedule.In(p.Schedule, now.Truncate(time.Second)); err != nil {
		return at, err
	}
	given.Base, err = schedule.Args(p.Schedule, at)
	return at, err
}

// NoSchedule refuses to write a schedule that was picked to a target that has none.
func (p *Pipeline) NoSchedule(target string) error {
	if p.Schedule == nil || target == emit.ArgoCron {
		return nil
	}
	_, variable, _ := strings.Cut(p.Name, "#")
	return fmt.Errorf("%s is schedule %s, and target %s has no schedules; write it with kfpgo compile '%[1]s' --target argo-cron, store it on a server or here with kfpgo schedule apply '%[1]s', or name the variable of its pipeline in place of %[4]s",
		p.Name, p.Schedule.Name, target, variable)
}

// TellSchedules reports the schedules that are left out of the output.
func (p *Pipeline) TellSchedules(w io.Writer, target string) {
	if target == emit.ArgoCron || len(p.Program.Schedules) == 0 {
		return
	}
	names := make([]string, len(p.Program.Schedules))
	for i, s := range p.Program.Schedules {
		names[i] = s.Name
	}
	fmt.Fprintf(w, "note: schedule %s isn't in it; kfpgo schedule apply %s stores it, and --target argo-cron writes it\n", strings.Join(names, ", "), p.Name)
}
