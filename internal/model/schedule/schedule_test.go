package schedule

import (
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestChanges: a time that the clock jumps over doesn't come, and one that it shows
// twice comes twice, in zones of the north, of the south, and of half an hour.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		cron, zone, from string
		want             []string
	}{
		{"30 2 * * *", "Europe/Zurich", "2027-03-26T12:00:00Z", []string{
			"2027-03-27T02:30:00+01:00", "skipped 2027-03-28 02:30", "2027-03-29T02:30:00+02:00"}},
		{"30 2 * * *", "Europe/Zurich", "2027-10-30T12:00:00Z", []string{
			"first 2027-10-31T02:30:00+02:00", "second 2027-10-31T02:30:00+01:00", "2027-11-01T02:30:00+01:00"}},
		{"0 3 * * *", "Europe/Zurich", "2027-03-27T12:00:00Z", []string{"2027-03-28T03:00:00+02:00", "2027-03-29T03:00:00+02:00"}},
		{"30 * * * *", "America/New_York", "2027-11-07T04:00:00Z", []string{
			"2027-11-07T00:30:00-04:00", "first 2027-11-07T01:30:00-04:00", "second 2027-11-07T01:30:00-05:00", "2027-11-07T02:30:00-05:00"}},
		{"0 2 * * *", "Australia/Lord_Howe", "2027-10-02T00:00:00Z", []string{"skipped 2027-10-03 02:00", "2027-10-04T02:00:00+11:00"}},
		{"45 1 * * *", "Australia/Lord_Howe", "2027-04-03T00:00:00Z", []string{
			"first 2027-04-04T01:45:00+11:00", "second 2027-04-04T01:45:00+10:30", "2027-04-05T01:45:00+10:30"}},
		{"0 0 * * *", "Africa/Cairo", "2027-04-28T22:00:00Z", []string{"skipped 2027-04-30 00:00", "2027-05-01T00:00:00+03:00"}},
		{"15 1 30 4 *", "Africa/Cairo", "2027-04-01T00:00:00Z", []string{"2027-04-30T01:15:00+03:00"}},
		{"0 3 29 2 *", "UTC", "2027-01-01T00:00:00Z", []string{"2028-02-29T03:00:00Z", "2032-02-29T03:00:00Z"}},
	} {
		times, err := New(&program.Schedule{Cron: c.cron, Zone: c.zone}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range times.Events(t.Context(), at(t, c.from)) {
			text := string(e.Change) + " " + e.At.Format(time.RFC3339)
			if e.Change == Skipped {
				text = "skipped " + e.Wall.Format("2006-01-02 15:04")
			}
			if got = append(got, strings.TrimSpace(text)); len(got) == len(c.want) {
				break
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s in %s:\n%s\nwant\n%s", c.cron, c.zone, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestRobfig compares ten years in many zones with the library that Argo goes by.
// It has faults of its own where midnight is jumped over, and where clocks are
// changed by half an hour: see TestForArgo.
func TestRobfig(t *testing.T) {
	for _, zone := range []string{"Europe/Zurich", "America/New_York", "Australia/Sydney", "America/Denver", "Asia/Kolkata", "UTC", "Asia/Tokyo"} {
		for _, expr := range []string{"30 2 * * *", "0 0 * * *", "*/20 1-3 * * 0", "45 1 * 3,4,10,11 *", "0 5 1,15 * *", "30 * * * SUN"} {
			loc, err := Zone(zone)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := cron.ParseStandard(expr)
			if err != nil {
				t.Fatal(err)
			}
			times, err := New(&program.Schedule{Cron: expr, Zone: zone}, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			n, b := 0, from.In(loc)
			for e := range times.Events(t.Context(), from) {
				if e.Change == Skipped {
					continue
				}
				if b = theirs.Next(b); !b.Equal(e.At) {
					t.Fatalf("%s in %s: %v, robfig says %v", expr, zone, e.At, b)
				}
				if n++; b.Year() > 2035 {
					break
				}
			}
			if n < 100 {
				t.Errorf("%s in %s: only %d", expr, zone, n)
			}
		}
	}
}

func TestIntervals(t *testing.T) {
	start, end := at(t, "2027-01-01T00:05:00Z"), at(t, "2027-01-01T04:35:00Z")
	s := &program.Schedule{Name: "s", Every: 90 * time.Minute, Start: &start, End: &end}
	times, err := New(s, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for e := range times.Events(t.Context(), at(t, "2026-12-01T00:00:00Z")) {
		got = append(got, e.At.Format("15:04"))
	}
	if text := strings.Join(got, " "); text != "00:05 01:35 03:05" {
		t.Error(text)
	}
	if next, _ := times.Next(t.Context(), at(t, "2027-01-01T01:35:00Z")); next.Format("15:04") != "03:05" {
		t.Error(next)
	}
	since := at(t, "2027-01-01T10:00:00Z")
	times, err = New(&program.Schedule{Every: time.Hour}, since)
	if next, _ := times.Next(t.Context(), since); err != nil || !next.Equal(since.Add(time.Hour)) {
		t.Error(next, err)
	}
}

func TestCheck(t *testing.T) {
	now := at(t, "2027-01-01T00:00:00Z")
	past, soon := now.AddDate(-1, 0, 0), now.Add(time.Hour)
	for _, c := range []struct {
		s    program.Schedule
		want string
	}{
		{program.Schedule{Cron: "0 3 * * *", Zone: "Europe/Zurich", Limit: 10}, ""},
		{program.Schedule{Cron: "0 3 30 2 *"}, "never fires: day 30 is in none of its months"},
		{program.Schedule{Cron: "0 3 * * *", Zone: "Mars/Base"}, "unknown time zone Mars/Base"},
		{program.Schedule{Cron: "0 3 * * *", Zone: "Local"}, "another one on each machine"},
		{program.Schedule{Cron: "0 3 * * *", Start: &soon, End: &now}, "is not after the start"},
		{program.Schedule{Cron: "0 3 * * *", End: &past}, "its end, 2026-01-01T00:00:00Z, has passed"},
		{program.Schedule{Cron: "0 3 * * *", End: &soon}, "never fires before its end"},
		{program.Schedule{Cron: "0 3 * * *", Limit: 11}, "11 runs at once: it must be from 1 to 10"},
		{program.Schedule{Cron: "0 3 * * *", Limit: -1}, "from 1 to 10"},
		{program.Schedule{Every: time.Millisecond}, "at least 1s"},
		{program.Schedule{Every: time.Hour, Zone: "UTC"}, "an interval has none"},
		{program.Schedule{}, "no time"},
		{program.Schedule{Every: time.Hour, Cron: "0 3 * * *"}, "use one"},
	} {
		c.s.Name = "s"
		err := Check(&c.s, now)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

// TestMissingArgument: an argument that is missing is refused before anything is stored.
func TestMissingArgument(t *testing.T) {
	p := &program.Program{Name: "p", Main: "p", Components: []*program.Component{{Name: "p", DAG: &program.DAG{}, Inputs: []program.Port{
		{Name: "day", Type: graph.Type{Name: "STRING"}}, {Name: "n", Type: graph.Type{Name: "NUMBER_INTEGER"}, Default: []byte("3")},
	}}}}
	fire := program.Value{Kind: program.FireTime}
	if err := CheckArgs(p, &program.Schedule{Name: "s"}); err == nil || !strings.Contains(err.Error(), "schedule s: input day of pipeline p is required") {
		t.Error(err)
	}
	err := CheckArgs(p, &program.Schedule{Name: "s", Args: map[string]program.Value{"day": fire, "n": fire, "m": fire}})
	for _, want := range []string{"no input m; it has day, n", "input n is NUMBER_INTEGER, and the fire time is a string"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := CheckArgs(p, &program.Schedule{Name: "s", Args: map[string]program.Value{"day": fire}}); err != nil {
		t.Error(err)
	}
}

func TestWarnings(t *testing.T) {
	now := at(t, "2027-01-01T00:00:00Z")
	for _, c := range []struct {
		cron, zone string
		want       int
	}{
		{"30 2 * * *", "Europe/Zurich", 2}, {"0 3 * * *", "Europe/Zurich", 0}, {"30 2 * * *", "UTC", 0},
		{"30 * * * *", "Europe/Zurich", 0}, {"0 2 * * MON", "Europe/Zurich", 0},
	} {
		if got := Warnings(&program.Schedule{Name: "s", Cron: c.cron, Zone: c.zone}, now); len(got) != c.want {
			t.Errorf("%s %s: %q", c.cron, c.zone, got)
		}
	}
}
