package dsltest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/dsltest"
	"github.com/kfpgo/kfpgo/local"
)

type dayIn struct {
	At  dsl.Param[time.Time]
	Day dsl.Param[string]
	N   dsl.Param[int] `default:"1"`
}

type dayOut struct{ Text dsl.Param[string] }

var day = dsl.Func("day", func(_ context.Context, in dayIn, out *dayOut) error {
	at := in.At.Get()
	out.Text.Set(at.Format("Mon 2006-01-02T15:04Z07:00 ") + in.Day.Get())
	return nil
})

var days = dsl.Pipeline("days", func(s *dsl.Scope, in dayIn) dayOut { return day.Call(s, in).Out })

var other = dsl.Pipeline("other", func(s *dsl.Scope, in dayIn) dayOut { return day.Call(s, in).Out })

func daily(zone string) *dsl.Schedule {
	return dsl.NewSchedule("daily", days, dsl.When{Cron: "30 0 * * *", Zone: zone}, dayIn{At: dsl.FireTime(), Day: dsl.FireDate()})
}

// TestFireDay: a step that formats the fire time, or gets its day, sees the clock of
// the schedule's zone, on the days of its changes too.
func TestFireDay(t *testing.T) {
	at := time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		zone string
		at   time.Time
		want string
	}{
		{"Europe/Zurich", at, "Sun 2027-03-28T00:30+01:00 2027-03-28"},
		{"Europe/Zurich", at.Add(23 * time.Hour), "Mon 2027-03-29T00:30+02:00 2027-03-29"},
		{"Europe/Zurich", at.In(time.FixedZone("", -7*3600)), "Sun 2027-03-28T00:30+01:00 2027-03-28"},
		{"America/New_York", at, "Sat 2027-03-27T19:30-04:00 2027-03-27"},
		{"", at, "Sat 2027-03-27T23:30Z 2027-03-27"},
	} {
		r := dsltest.RunSchedule(t, daily(c.zone), days, c.at)
		if got := r.Out.Text.Get(); got != c.want || !r.Ran("day") || dsltest.Output(r, day).Text.Get() != got {
			t.Errorf("%v in %q: %s, want %s", c.at, c.zone, got, c.want)
		}
	}
}

func TestOtherPipeline(t *testing.T) {
	_, err := local.RunSchedule(t.Context(), daily(""), other, time.Now(), local.Options{Home: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "schedule daily is one of pipeline days, not of other") {
		t.Error(err)
	}
}
