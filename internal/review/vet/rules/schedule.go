package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("schedule", ScheduleFound, ScheduleFixed, Fridays, Nightly) }

// Found:

var ScheduleFound = dsl.Pipeline("schedule", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in)
	return dsl.None{}
})

// On the 13th and on every Friday.
var Fridays = dsl.NewSchedule("friday-13", ScheduleFound, dsl.When{Cron: "0 4 13 * FRI"}, RunIn{Day: dsl.Const("13")})

// Fixed:

var ScheduleFixed = dsl.Pipeline("schedule-fixed", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in)
	return dsl.None{}
})

var Nightly = dsl.NewSchedule("nightly", ScheduleFixed, dsl.When{Cron: "0 4 * * *", Zone: "Europe/Zurich"}, RunIn{Day: dsl.Const("yesterday")})
