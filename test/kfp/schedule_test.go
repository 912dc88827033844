package kfp

import (
	"slices"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/dsl"
)

// TestSchedules applies, changes, pauses, triggers and deletes a schedule, whose runs go
// on.
func TestSchedules(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	spec := client.ScheduleSpec{Name: name, When: dsl.When{Every: 2 * time.Second, MaxConcurrency: 3}, FireTime: []string{"name"},
		Pipeline: client.Submission{Spec: compile(t, hello), Experiment: name}}
	s, change, err := c.ApplySchedule(ctx, spec)
	no(t, err)
	if change != client.Created || s.Paused || s.When.Every != 2*time.Second || !slices.Equal(s.FireTime, []string{"name"}) || s.Pipeline != "idle" {
		t.Errorf("%s %+v", change, s)
	}
	if again, change, err := c.ApplySchedule(ctx, spec); err != nil || change != client.Unchanged || again.ID != s.ID {
		t.Errorf("%s %+v %v", change, again, err)
	}
	var fired []*client.Run
	for end := time.Now().Add(patience); len(fired) < 2; time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatal("it doesn't fire")
		}
		p, err := c.List(ctx, client.ListOptions{Schedule: s.ID})
		no(t, err)
		fired = p.Runs
	}
	if s, err = c.Schedule(ctx, name); err != nil || s.Problem != "" || len(s.Active) < 2 || s.Last.IsZero() {
		t.Errorf("%+v %v", s, err)
	}

	// An update: exactly one is enabled, and the runs of the old one go on.
	spec.When = dsl.When{Cron: "0 3 * * *"}
	s2, change, err := c.ApplySchedule(ctx, spec)
	no(t, err)
	if change != client.Updated || s2.ID == s.ID || s2.When.Cron != "0 3 * * *" {
		t.Errorf("%s %+v", change, s2)
	}
	enabled := 0
	for r, err := range c.RecurringRuns(ctx, "", kfp.ListOptions{Name: name}) {
		no(t, err)
		if r.Enabled {
			enabled++
			if r.ID != s2.ID || r.Cron != "0 0 3 * * *" {
				t.Errorf("%+v", r)
			}
		}
	}
	if enabled != 1 {
		t.Errorf("%d are enabled", enabled)
	}
	if r, err := c.Get(ctx, fired[0].ID); err != nil || r.State.Done() {
		t.Errorf("the run of the old one: %+v %v", r, err)
	}

	no(t, c.PauseSchedule(ctx, name))
	got, err := c.Schedule(ctx, name)
	no(t, err)
	if !got.Paused {
		t.Errorf("%+v", got)
	}
	spec.When.Cron = "0 4 * * *"
	if got, change, err = c.ApplySchedule(ctx, spec); err != nil || change != client.Updated || !got.Paused {
		t.Errorf("a paused one is changed: %s %+v %v", change, got, err)
	}
	no(t, c.ResumeSchedule(ctx, name))
	all, err := c.Schedules(ctx)
	no(t, err)
	n := 0
	for _, s := range all {
		if s.Name == name {
			if n++; s.Paused || s.When.Cron != "0 4 * * *" {
				t.Errorf("%+v", s)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d in the list", n)
	}
	at := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	a, err := c.TriggerSchedule(ctx, name, at)
	no(t, err)
	b, err := c.TriggerSchedule(ctx, name, at)
	no(t, err)
	if a.ID != b.ID || string(a.Args["name"]) != `"2026-03-01T03:00:00Z"` {
		t.Errorf("triggered %s and %s with %s", a.ID, b.ID, a.Args["name"])
	}
	no(t, c.Terminate(ctx, a.ID))

	code(t, c.DeleteSchedule(ctx, name), client.Precondition) // runs of the first one go on
	for _, f := range fired {
		r, err := c.Get(ctx, f.ID)
		no(t, err)
		if r.State.Done() {
			t.Errorf("run %s was ended: %s", f.ID, r.State)
		}
	}
	for r, err := range client.Runs(ctx, c, client.ListOptions{Experiment: name}) {
		no(t, err)
		if !r.State.Done() {
			no(t, c.Terminate(ctx, r.ID))
			_, err := client.Wait(ctx, c, r.ID, client.WaitOptions{Interval: time.Second / 2})
			no(t, err)
		}
	}
	no(t, c.DeleteSchedule(ctx, name))
	_, err = c.Schedule(ctx, name)
	code(t, err, client.NotFound)

	for _, bad := range []dsl.When{{Cron: "0 3 30 2 *"}, {Cron: "0 3 * * *", Zone: "Mars/Base"}, {Every: time.Hour, MaxConcurrency: 11}, {Cron: "30 2 * * *", Zone: "Europe/Zurich"}} {
		spec.When = bad
		_, _, err := c.ApplySchedule(ctx, spec)
		code(t, err, client.Invalid)
	}
}
