package local

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// RunSchedule runs a pipeline as its schedule s does for a time: with the arguments of
// the schedule, and with the time that [dsl.FireTime] and [dsl.FireDate] stand for, in
// the schedule's zone. Whether the schedule fires at that time doesn't matter. Errors
// are those of [Run], and that s is a schedule of another pipeline.
//
//	r, err := local.RunSchedule(ctx, mnist.Nightly, mnist.Pipeline, time.Now(), local.Options{})
func RunSchedule[In, Out any](ctx context.Context, s *dsl.Schedule, p *dsl.Component[In, Out], at time.Time, o Options) (*Result[Out], error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	g := recorded.Graph[dsl.Definition](p, s)
	if of := g.Component(g.Schedules[0].Pipeline); of != g.Component(1) {
		return nil, fmt.Errorf("schedule %s is one of pipeline %s, not of %s", s.Name(), of.Name, p.Name())
	}
	return start(ctx, p, g, o, func(prog *program.Program, eo *engine.Options) (err error) {
		of := prog.Schedules[0]
		prog.Schedules = nil
		if eo.Scheduled, err = schedule.In(of, at); err != nil {
			return err
		}
		eo.Schedule = of.Name
		eo.Params, err = schedule.Args(of, at)
		return err
	})
}
