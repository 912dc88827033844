package dsl_test

import (
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

func TestScheduleMisuse(t *testing.T) {
	args, day := numIn{dsl.Const(1)}, time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
	misused(t, "misuse_schedule_test.go",
		dsl.NewSchedule("a", everything, dsl.When{Cron: "0 3 31 2 *"}, ok),                        // want "never fires: day 31 is in none of its months"
		dsl.NewSchedule("b", everything, dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zuerich"}, ok), // want "unknown time zone Europe/Zuerich"
		dsl.NewSchedule("c", everything, dsl.When{Cron: "0 3 * * *", Start: day, End: day}, ok),   // want "the end, .*, is not after the start"
		dsl.NewSchedule("d", everything, dsl.When{Cron: "0 3 * * *"}, allIn{N: dsl.Const(1)}),     // want "schedule d: input list of pipeline everything is required"
		dsl.NewSchedule("e", everything, dsl.When{Cron: "0 0 3 * * *"}, ok),                       // want "has six fields; .* set Seconds"
		dsl.NewSchedule("f", everything, dsl.When{Cron: "0 3 * * *", Seconds: true}, ok),          // want "has 5 fields, not 6, from the second"
		dsl.NewSchedule("g", everything, dsl.When{Cron: "0 24 * * *"}, ok),                        // want "hour .24.: not from 0 to 23"
		dsl.NewSchedule("h", everything, dsl.When{}, ok),                                          // want "no time; set Cron or Every"
		dsl.NewSchedule("i", everything, dsl.When{Cron: "0 3 * * *", Every: time.Hour}, ok),       // want "both Cron and Every"
		dsl.NewSchedule("j", everything, dsl.When{Every: time.Millisecond}, ok),                   // want "every 1ms: must be a number of seconds"
		dsl.NewSchedule("p", everything, dsl.When{Cron: "0 3 * * *", Zone: "Local"}, ok),          // want "zone Local is another one on each machine"
		dsl.NewSchedule("q", everything, dsl.When{Every: time.Hour, Zone: "UTC"}, ok),             // want "Zone is of Cron; an interval has none"
		dsl.NewSchedule("k", double, dsl.When{Every: time.Hour}, args),                            // want "double is a func; schedule a pipeline"
		dsl.NewSchedule[numIn, numOut]("l", nil, dsl.When{Every: time.Hour}, args),                // want "the pipeline is nil"
		dsl.NewSchedule("m", everything, dsl.When{Cron: "0 3 * 2,XYZ *"}, ok),                     // want "month .XYZ.: not from 1 to 12"
		dsl.NewSchedule("n", everything, dsl.When{Cron: "*/0 3 * * *"}, ok),                       // want "bad step"
		dsl.NewSchedule("o", everything, dsl.When{Cron: "0 5-3 * * *", MaxConcurrency: -1}, ok),   // want "runs backwards" // want "MaxConcurrency -1"
	)
}

var ok = allIn{N: dsl.Const(1), List: dsl.Const([]int{1})}
