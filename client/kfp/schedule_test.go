package kfp

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// TestSchedules: a schedule is one recurring run that is enabled, whatever was
// applied before.
func TestSchedules(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	ctx := t.Context()
	spec := strings.Replace(spec, "root: {", "root: {inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}, day: {parameterType: STRING}}}, ", 1)
	of := client.ScheduleSpec{Name: "nightly", When: dsl.When{Cron: "10 10 * * *"}, FireTime: []string{"day"}, Pipeline: client.Submission{
		Name: "a", Spec: []byte(spec), Args: map[string]json.RawMessage{"n": json.RawMessage("3")},
	}}
	apply := func(want client.Change) *client.Schedule {
		t.Helper()
		got, change, err := c.ApplySchedule(ctx, of)
		if err != nil || change != want {
			t.Fatalf("%v, %v; want %v", change, err, want)
		}
		return got
	}
	first := apply(client.Created)
	r, err := c.RecurringRun(ctx, first.ID)
	if err != nil || r.Cron != "0 10 10 * * *" || !r.Enabled || string(r.Args["day"]) != `"[[ScheduledTime.2006-01-02T15:04:05Z07:00]]"` {
		t.Errorf("%+v, %v", r, err)
	}
	if first.When != of.When || string(first.Args["n"]) != "3" || len(first.Args) != 1 || first.FireTime[0] != "day" {
		t.Errorf("%+v", first)
	}
	apply(client.Unchanged)
	wrong := of
	wrong.Pipeline.Args = map[string]json.RawMessage{"m": json.RawMessage("3")}
	if _, _, err := c.ApplySchedule(ctx, wrong); client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), "there is no parameter m") || strings.Contains(err.Error(), "apply the schedule again") {
		t.Errorf("an argument that the pipeline doesn't have: %v", err)
	}
	of.When.Cron = "20 10 * * *"
	second := apply(client.Updated)
	if second.ID == first.ID || s.Count("recurringruns") != 1 {
		t.Errorf("%d recurring runs", s.Count("recurringruns"))
	}
	if err := c.PauseSchedule(ctx, "nightly"); err != nil {
		t.Fatal(err)
	}
	if got := apply(client.Unchanged); !got.Paused {
		t.Errorf("%+v", got)
	}
	of.When.MaxConcurrency = 2
	if got := apply(client.Updated); !got.Paused {
		t.Errorf("an update has resumed it: %+v", got)
	}
	if err := c.ResumeSchedule(ctx, "nightly"); err != nil {
		t.Fatal(err)
	}
	all, err := c.Schedules(ctx)
	if err != nil || len(all) != 1 || all[0].Paused {
		t.Errorf("%+v, %v", all, err)
	}
	day := time.Date(2027, 3, 27, 2, 0, 0, 0, time.UTC)
	var id string
	for range 2 {
		run, err := c.TriggerSchedule(ctx, "nightly", day)
		if err != nil || id != "" && run.ID != id {
			t.Fatalf("%+v, %v", run, err)
		}
		id = run.ID
	}
	if run, err := c.Get(ctx, id); err != nil || string(run.Args["day"]) != `"2027-03-27T02:00:00Z"` {
		t.Errorf("%+v, %v", run, err)
	}
	for _, r := range s.Objects("recurringruns") { // somebody else has changed it
		r["runtime_config"].(map[string]any)["parameters"].(map[string]any)["m"] = 3
	}
	if _, err := c.TriggerSchedule(ctx, "nightly", day.Add(time.Hour)); client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), "there is no parameter m") {
		t.Errorf("triggered with an argument that the pipeline doesn't have: %v", err)
	}
	if err := c.DeleteSchedule(ctx, "nightly"); err != nil || s.Count("recurringruns") != 0 || s.Count("runs") != 1 {
		t.Errorf("%v, %d, %d", err, s.Count("recurringruns"), s.Count("runs"))
	}
	if _, err := c.Schedule(ctx, "nightly"); client.CodeOf(err) != client.NotFound {
		t.Error(err)
	}
	if _, err := c.CreateRecurringRun(ctx, RecurringRun{Name: "other", Cron: "0 0 3 * * *", Spec: map[string]any{"a": 1}}); err != nil {
		t.Fatal(err)
	}
	of.Name = "other"
	if _, _, err := c.ApplySchedule(ctx, of); client.CodeOf(err) != client.Exists {
		t.Error(err)
	}
}

// TestScheduleRefused: what would fire at other times is said before it is sent.
func TestScheduleRefused(t *testing.T) {
	s := fakekfp.New(t)
	c := to(t, Config{Endpoint: s.URL})
	for want, w := range map[string]dsl.When{
		"changes with the clocks": {Cron: "0 3 * * *", Zone: "Europe/Zurich"}, "never fires: day 30": {Cron: "0 3 30 2 *"},
		"from 1 to 10": {Cron: "0 3 * * *", MaxConcurrency: 11}, "at least 1s": {Every: time.Millisecond},
	} {
		_, _, err := c.ApplySchedule(t.Context(), client.ScheduleSpec{Name: "x", When: w, Pipeline: client.Submission{Spec: []byte(spec)}})
		if client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, _, err := c.ApplySchedule(t.Context(), client.ScheduleSpec{Name: "x", When: dsl.When{Cron: "0 3 * * *"}, FireDate: []string{"day"}, Pipeline: client.Submission{Spec: []byte(spec)}})
	if want := "schedule x: day gets dsl.FireDate, and KFP's servers pass the time"; client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if s.Count("recurringruns") != 0 {
		t.Error("something was stored")
	}
	zurich := to(t, Config{Endpoint: s.URL, Zone: "Europe/Zurich"})
	if _, _, err := zurich.ApplySchedule(t.Context(), client.ScheduleSpec{Name: "x", When: dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zurich"}, Pipeline: client.Submission{Spec: []byte(spec)}}); err != nil {
		t.Error(err)
	}
}
