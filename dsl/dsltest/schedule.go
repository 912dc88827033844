package dsltest

import (
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

// RunSchedule runs a pipeline as its schedule s does for a time, and ends the test
// unless it succeeds: steps get what [dsl.FireTime] and [dsl.FireDate] stand for on every
// engine, in the zone of the schedule.
//
//	at := time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC) // half past midnight in Zurich
//	r := dsltest.RunSchedule(t, Nightly, Pipeline, at)
//	if r.Out.Day.Get() != "2027-03-28" { ... }
func RunSchedule[In, Out any](t testing.TB, s *dsl.Schedule, p *dsl.Component[In, Out], at time.Time, fakes ...local.StandIn) *Result[Out] {
	t.Helper()
	r, err := local.RunSchedule(t.Context(), s, p, at, options(t, fakes))
	of := result(t, p, r)
	if err != nil {
		t.Fatalf("%v%s", err, failures(of))
	}
	return of
}
