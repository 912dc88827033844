package dsl

import (
	"time"
	_ "time/tzdata" // so that zones are known in any image

	"github.com/kfpgo/kfpgo/internal/model/cron"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// When is the times at which a schedule fires: Cron or Every. When clocks change, a
// skipped time does not fire, and a repeated time fires twice.
type When struct {
	Cron    string        // five fields, minute first: "0 3 * * MON-FRI"
	Seconds bool          // Cron has a sixth field in front, the second
	Every   time.Duration // an interval, in place of Cron
	Zone    string        // of Cron, such as Europe/Zurich; default UTC

	Start, End time.Time // fire from Start on and before End; zero: no limit

	MaxConcurrency int  // runs at once, from 1 to 10; default 1
	CatchUp        bool // also run fire times that were missed
	Paused         bool // don't fire until resumed
}

// A Schedule starts runs of a pipeline at its fire times. kfpgo schedule apply stores it.
type Schedule struct {
	s        *record.Schedule
	pipeline Definition
}

// NewSchedule returns a schedule of a pipeline, with the arguments of its runs.
// It takes the place of KFP's create_recurring_run, and of Argo's CronWorkflow.
//
//	var Nightly = dsl.NewSchedule("nightly", Pipeline, dsl.When{
//		Cron: "0 3 * * *",
//		Zone: "Europe/Zurich",
//	}, PipelineIn{Day: dsl.FireTime()})
//
// A time that never comes, an unknown zone, an end before the start and a
// missing argument are mistakes of the definition, like any other.
func NewSchedule[In, Out any](name string, p *Component[In, Out], when When, in In) *Schedule {
	s := &record.Schedule{Args: map[string]*record.Value{}, Pipeline: &record.Component{}}
	s.Schedule = graph.Schedule{
		Name: name, Pos: source.Caller(), Cron: when.Cron, Seconds: when.Seconds, Every: when.Every, Zone: when.Zone,
		Limit: when.MaxConcurrency, CatchUp: when.CatchUp, Paused: when.Paused,
	}
	if !when.Start.IsZero() {
		s.Start = &when.Start
	}
	if !when.End.IsZero() {
		s.End = &when.End
	}
	checkWhen(s, when)
	if p == nil {
		s.Errorf("the pipeline is nil")
		return &Schedule{s: s}
	}
	s.Pipeline = p.c
	if p.c.Kind != graph.Pipeline {
		s.Errorf("%s is a %s; schedule a pipeline", p.c.Name, p.c.Kind)
	}
	for _, f := range p.c.Inputs {
		v := p.input(&in, f).value()
		switch {
		case v == nil && f.Required():
			s.Errorf("input %s of pipeline %s is required", f.Name, p.c.Name)
		case v == nil:
		case v.Kind == record.Invalid:
			s.Errorf("input %s: %s", f.Name, v.Problem)
		case v.Kind != graph.Const && v.Kind != graph.FireTime && v.Kind != graph.FireDate:
			s.Errorf("input %s must be a constant, dsl.FireTime or dsl.FireDate, not %s", f.Name, v.Describe())
		default:
			s.Args[f.Name] = v
		}
	}
	return &Schedule{s, p}
}

// FireTime returns the time at which a schedule fires, as an argument of its runs. It
// has the offset of the schedule's zone at that time, as in 2027-03-28T00:30:00+01:00, so
// that its day is that of the schedule's clock; without a zone it is in UTC. A Go step
// gets it in a fixed zone of that offset: to count days from it, load the zone by its
// name, with [time.LoadLocation]. KFP's servers know it in UTC, from 2.17 on: a schedule of
// another zone with it is refused there.
func FireTime() Param[time.Time] {
	var p Param[time.Time]
	p.bind(&record.Value{Kind: graph.FireTime})
	return p
}

// FireDate returns the day of [FireTime] in the schedule's zone, as 2027-03-28. KFP's
// servers can't pass it, so a schedule with it is refused there.
func FireDate() Param[string] {
	var p Param[string]
	p.bind(&record.Value{Kind: graph.FireDate})
	return p
}

func checkWhen(s *record.Schedule, when When) {
	if s.Name == "" {
		s.Errorf("no name")
	}
	switch {
	case when.Cron == "" && when.Every == 0:
		s.Errorf("no time; set Cron or Every")
	case when.Cron != "" && when.Every != 0:
		s.Errorf("both Cron and Every are set; use one")
	case when.Cron != "":
		if _, err := cron.Parse(when.Cron, when.Seconds); err != nil {
			s.Errorf("%v", err)
		}
	case when.Every < time.Second || when.Every%time.Second != 0:
		s.Errorf("every %v: must be a number of seconds", when.Every)
	}
	if _, err := time.LoadLocation(when.Zone); err != nil {
		s.Errorf("%v; use a name such as Europe/Zurich", err)
	} else if when.Zone == "Local" {
		s.Errorf("zone Local is another one on each machine; use a name such as Europe/Zurich")
	}
	if when.Every != 0 && when.Zone != "" {
		s.Errorf("Zone is of Cron; an interval has none")
	}
	if !when.Start.IsZero() && !when.End.IsZero() && !when.End.After(when.Start) {
		s.Errorf("the end, %s, is not after the start, %s", when.End.Format(time.RFC3339), when.Start.Format(time.RFC3339))
	}
	if when.MaxConcurrency < 0 || when.MaxConcurrency > 10 {
		s.Errorf("MaxConcurrency %d: must be from 1 to 10", when.MaxConcurrency)
	}
}

// Name returns the schedule's name.
func (s *Schedule) Name() string { return s.s.Name }

// Check returns the mistakes in the schedule and in its pipeline, an [ErrorList].
func (s *Schedule) Check() error { return check(s) }

func (s *Schedule) root() record.Root {
	if s.pipeline != nil {
		s.pipeline.root() // records the pipeline
	}
	return record.Root{Schedule: s.s}
}
