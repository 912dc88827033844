package client

import (
	"context"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// A Server is a connection that runs pipelines, once or on a schedule.
type Server interface {
	Client
	Scheduler
}

// Apply compiles the pipeline of a schedule, checks both, and stores the schedule on
// a server: it creates or updates the schedule, unless that is up to date. Running runs
// continue. It takes the place of KFP's create_recurring_run.
//
//	s, change, err := client.Apply(ctx, c, mnist.Nightly)
func Apply(ctx context.Context, c Server, s *dsl.Schedule, opts ...Option) (*Schedule, Change, error) {
	g := recorded.Graph(s)
	if len(g.Errors) > 0 {
		return nil, "", s.Check()
	}
	of := g.Schedules[0]
	p, err := lower.Lower(g, g.Component(of.Pipeline))
	if err != nil {
		return nil, "", err
	}
	spec := ScheduleSpec{Name: of.Name}
	at := slices.IndexFunc(p.Schedules, func(s *program.Schedule) bool { return s.Name == of.Name })
	if spec.Pipeline, err = submission(ctx, c, s, p.Name, slices.Collect(maps.Keys(p.Schedules[at].Args)), opts); err != nil {
		return nil, "", err
	}
	spec.Pipeline.Name = p.Name // its runs are named by the server
	spec.When = when.When(p.Schedules[at])
	spec.Pipeline.Args, spec.FireTime, spec.FireDate = when.Args(p.Schedules[at])
	return c.ApplySchedule(ctx, spec)
}
