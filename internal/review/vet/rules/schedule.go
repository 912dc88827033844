package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("schedule", ScheduleFound, ScheduleMended, Fridays, Nightly) }

// Found:

var ScheduleFound = dsl.Pipeline("schedule", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in)
	return dsl.None{}
})

// On the 13th and on every Friday.
var Fridays = dsl.NewSchedule("friday-13", ScheduleFound, dsl.When{Cron: "0 4 13 * FRI"}, RunIn{Day: dsl.Const("13")})

// Mended:

var ScheduleMended = dsl.Pipeline("schedule-mended", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in)
	return dsl.None{}
})

var Nightly = dsl.NewSchedule("nightly", ScheduleMended, dsl.When{Cron: "0 4 * * *", Zone: "Europe/Zurich"}, RunIn{Day: dsl.Const("yesterday")})
