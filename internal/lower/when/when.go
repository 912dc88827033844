// Package when converts between the schedules of programs and the language's
// dsl.When, which clients take.
package when

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Schedule returns a schedule of a program, without arguments.
func Schedule(name string, w dsl.When) *program.Schedule {
	s := &program.Schedule{
		Name: name, Cron: w.Cron, Seconds: w.Seconds, Every: w.Every, Zone: w.Zone,
		Limit: w.MaxConcurrency, CatchUp: w.CatchUp, Paused: w.Paused,
	}
	if !w.Start.IsZero() {
		s.Start = &w.Start
	}
	if !w.End.IsZero() {
		s.End = &w.End
	}
	return s
}

// When returns when a schedule of a program fires.
func When(s *program.Schedule) dsl.When {
	w := dsl.When{
		Cron: s.Cron, Seconds: s.Seconds, Every: s.Every, Zone: s.Zone,
		MaxConcurrency: s.Limit, CatchUp: s.CatchUp, Paused: s.Paused,
	}
	if s.Start != nil {
		w.Start = *s.Start
	}
	if s.End != nil {
		w.End = *s.End
	}
	return w
}

// Args returns the constant arguments of a schedule, and the inputs that get the
// fire time and its day.
func Args(s *program.Schedule) (constants map[string]json.RawMessage, fireTime, fireDate []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		switch v := s.Args[name]; v.Kind {
		case program.FireTime:
			fireTime = append(fireTime, name)
		case program.FireDate:
			fireDate = append(fireDate, name)
		default:
			if constants == nil {
				constants = map[string]json.RawMessage{}
			}
			constants[name] = v.Const
		}
	}
	return constants, fireTime, fireDate
}

// SetArgs sets the arguments of a schedule.
func SetArgs(s *program.Schedule, constants map[string]json.RawMessage, fireTime, fireDate []string) {
	s.Args = map[string]program.Value{}
	for name, v := range constants {
		s.Args[name] = program.Value{Kind: program.Const, Const: v}
	}
	for _, name := range fireTime {
		s.Args[name] = program.Value{Kind: program.FireTime, Type: graph.Type{Name: kfptype.String}}
	}
	for _, name := range fireDate {
		s.Args[name] = program.Value{Kind: program.FireDate, Type: graph.Type{Name: kfptype.String}}
	}
}
