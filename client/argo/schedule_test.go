package argo

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

func nightly(t *testing.T, c *Client, w dsl.When) client.ScheduleSpec {
	t.Helper()
	spec, err := compiler.Compile(hello, c.Target())
	if err != nil {
		t.Fatal(err)
	}
	return client.ScheduleSpec{Name: "nightly", When: w, FireTime: []string{"day"}, Pipeline: client.Submission{Spec: spec, Args: map[string]json.RawMessage{"name": json.RawMessage(`"Ada"`)}}}
}

func TestSchedules(t *testing.T) {
	f := newFake(t)
	c := connected(t, f.URL, time.Second)
	ctx := t.Context()
	apply := func(s client.ScheduleSpec, want client.Change) *client.Schedule {
		t.Helper()
		got, change, err := c.ApplySchedule(ctx, s)
		if err != nil || change != want {
			t.Fatalf("%v, %v; want %v", change, err, want)
		}
		return got
	}
	at3 := dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zurich"}
	s := apply(nightly(t, c, at3), client.Created)
	if s.When != at3 || s.Pipeline != "hello" || s.FireTime[0] != "day" || string(s.Args["name"]) != `"Ada"` {
		t.Errorf("%+v", s)
	}
	apply(nightly(t, c, at3), client.Unchanged)
	if err := c.PauseSchedule(ctx, "nightly"); err != nil {
		t.Fatal(err)
	}
	apply(nightly(t, c, at3), client.Unchanged)
	two := at3
	two.MaxConcurrency = 2
	if s := apply(nightly(t, c, two), client.Updated); !s.Paused || f.count("configmaps") != 1 {
		t.Errorf("%+v, %d ConfigMaps", s, f.count("configmaps"))
	}
	if err := c.ResumeSchedule(ctx, "nightly"); err != nil {
		t.Fatal(err)
	}
	if s, err := c.Schedule(ctx, "nightly"); err != nil || s.Paused || time.Since(s.Last) > time.Minute {
		t.Errorf("%+v, %v", s, err)
	}
	day := time.Date(2027, 3, 27, 2, 0, 0, 0, time.UTC)
	for range 2 {
		r, err := c.TriggerSchedule(ctx, "nightly", day)
		if err != nil || r.Schedule != "nightly" || !r.Scheduled.Equal(day) || r.ID != "nightly-1806112800" {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if f.count("workflows") != 1 {
		t.Errorf("%d Workflows", f.count("workflows"))
	}
	page, err := c.List(ctx, client.ListOptions{Schedule: "nightly"})
	if err != nil || len(page.Runs) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	all, err := c.Schedules(ctx)
	if err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	if err := c.DeleteSchedule(ctx, "nightly"); err != nil || f.count("cronworkflows") != 0 || f.count("configmaps") != 0 || f.count("workflows") != 1 {
		t.Errorf("%v, %d, %d, %d", err, f.count("cronworkflows"), f.count("configmaps"), f.count("workflows"))
	}
	if err := c.DeleteSchedule(ctx, "nightly"); client.CodeOf(err) != client.NotFound {
		t.Error(err)
	}
}

// TestRefused: what is wrong is said before anything is sent.
func TestRefused(t *testing.T) {
	f := newFake(t)
	c := connected(t, f.URL, time.Second)
	missing := nightly(t, c, dsl.When{Cron: "0 3 * * *"})
	missing.Pipeline.Args = nil
	past := time.Now().AddDate(-1, 0, 0)
	for want, s := range map[string]client.ScheduleSpec{
		"input name is required":        missing,
		"never fires: day 30":           nightly(t, c, dsl.When{Cron: "0 3 30 2 *"}),
		"unknown time zone Mars/Base":   nightly(t, c, dsl.When{Cron: "0 3 * * *", Zone: "Mars/Base"}),
		"must be from 1 to 10":          nightly(t, c, dsl.When{Cron: "0 3 * * *", MaxConcurrency: 11}),
		"has passed":                    nightly(t, c, dsl.When{Cron: "0 3 * * *", End: past}),
		"fires at other seconds than 0": nightly(t, c, dsl.When{Cron: "30 0 3 * * *", Seconds: true}),
		"at least 1s":                   nightly(t, c, dsl.When{Every: time.Millisecond}),
	} {
		_, _, err := c.ApplySchedule(t.Context(), s)
		if client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if len(f.calls) != 0 {
		t.Errorf("%q was sent", f.calls)
	}
}
