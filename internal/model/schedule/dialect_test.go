package schedule

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestFiveFields: five fields have the minute first, wherever they are sent.
func TestFiveFields(t *testing.T) {
	now := at(t, "2027-01-01T00:00:00Z")
	s := &program.Schedule{Name: "s", Cron: "10 10 * * *"}
	k, err := ForKFP(s, "", now)
	if err != nil || k.Cron != "0 10 10 * * *" {
		t.Error(k, err)
	}
	a, err := ForArgo(s, now)
	if err != nil || a.Schedules[0] != "10 10 * * *" {
		t.Error(a, err)
	}
}

// TestForKFP: a cron is moved to the cluster's zone if that says the same, and
// refused if it doesn't.
func TestForKFP(t *testing.T) {
	now, spring := at(t, "2027-01-01T00:00:00Z"), at(t, "2027-03-01T00:00:00Z")
	for _, c := range []struct {
		cron, zone, cluster string
		end                 *time.Time
		want                string
	}{
		{"0 3 * * *", "Europe/Zurich", "Europe/Zurich", nil, "0 0 3 * * *"},
		{"0 3 * * *", "Europe/Zurich", "", nil, "its difference to Europe/Zurich changes with the clocks"},
		{"0 3 * * *", "Europe/Zurich", "", &spring, "0 0 2 * * *"},
		{"*/15 * * * *", "Europe/Zurich", "", nil, "0 */15 * * * *"},
		{"0 3 * * MON", "Asia/Tokyo", "", nil, "0 0 18 * * 0"},
		{"30 3 * * *", "Asia/Kolkata", "UTC", nil, "0 0 22 * * *"},
		{"0 9-11 * * *", "Asia/Kolkata", "", nil, "0 30 3-5 * * *"},
		{"0,30 4 * * *", "Asia/Kolkata", "", nil, "can't be said in one cron"},
		{"0 3 1 * *", "Asia/Tokyo", "", nil, "on another day of the month"},
		{"0 12 1 * *", "Asia/Tokyo", "", nil, "0 0 3 1 * *"},
		{"0 3 */2 * MON", "", "", nil, "0 0 3 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * 1"},
		{"0 3 * * 7", "", "", nil, "0 0 3 * * 0"},
		{"0 3 * * *", "", "Mars/Base", nil, "the cluster's zone: unknown time zone Mars/Base"},
		{"15 1 30 4 *", "Africa/Cairo", "Africa/Cairo", nil, "0 15 1 30 4 *"},
	} {
		k, err := ForKFP(&program.Schedule{Name: "s", Cron: c.cron, Zone: c.zone, End: c.end}, c.cluster, now)
		if k.Cron != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s in %s on %q: %q, %v; want %q", c.cron, c.zone, c.cluster, k.Cron, err, c.want)
		}
	}
	start, end := at(t, "2027-01-01T00:05:00Z"), at(t, "2027-02-01T00:00:00Z")
	k, err := ForKFP(&program.Schedule{Name: "s", Every: time.Hour, Start: &start, End: &end, CatchUp: true, Limit: 3}, "", now)
	if text := fmt.Sprintln(k.Interval, k.Start.Format(time.RFC3339), k.End.Format(time.RFC3339), k.Limit, k.NoCatchUp, err); text !=
		"3600 2026-12-31T23:05:00Z 2027-01-31T23:59:59Z 3 false <nil>\n" {
		t.Error(text)
	}
}

func TestForArgo(t *testing.T) {
	now, start := at(t, "2027-01-01T00:00:00Z"), at(t, "2027-01-01T00:05:00Z")
	odd := start.Add(time.Second)
	for _, c := range []struct {
		s    program.Schedule
		want string
	}{
		{program.Schedule{Cron: "0 3 * * MON-FRI", Zone: "Europe/Zurich"}, "0 3 * * MON-FRI"},
		{program.Schedule{Cron: "30 2 * * *", Zone: "Europe/Zurich"}, "30 2 * * *"},
		{program.Schedule{Cron: "0 3 * * 5-7"}, "0 3 * * 0,5,6"},
		{program.Schedule{Cron: "0 0 3 * * *", Seconds: true}, "0 3 * * *"},
		{program.Schedule{Cron: "30 0 3 * * *", Seconds: true}, "fires at other seconds than 0"},
		{program.Schedule{Cron: "15 1 30 4 *", Zone: "Africa/Cairo"}, "instead of"},
		{program.Schedule{Cron: "45 1 * 10 *", Zone: "Australia/Lord_Howe"}, "instead of"},
		{program.Schedule{Every: 7 * time.Hour}, "can't count intervals of 7h0m0s"},
		{program.Schedule{Every: 90 * time.Second}, "can't count intervals of 1m30s"},
		{program.Schedule{Every: 6 * time.Hour}, "0 */6 * * *"},
		{program.Schedule{Every: 7 * time.Hour, Start: &start}, "can't count intervals of 7h0m0s"},
		{program.Schedule{Every: time.Hour, Start: &odd}, "from a full minute, not 2027-01-01T00:05:01Z"},
		{program.Schedule{Every: 15 * time.Minute, Start: &start}, "5,20,35,50 * * * *"},
		{program.Schedule{Every: 90 * time.Minute, Start: &start}, "5 */3 * * *|35 1,4,7,10,13,16,19,22 * * *"},
	} {
		c.s.Name = "s"
		a, err := ForArgo(&c.s, now)
		if got := strings.Join(a.Schedules, "|"); (got != c.want || err != nil) && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %q, %v; want %q", c.s, got, err, c.want)
		}
	}
}
