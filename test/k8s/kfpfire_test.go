package k8s

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	api "github.com/kfpgo/kfpgo/client"
)

// TestKFPFireTime: the runs of a schedule get the time at which it fires, and one that is
// started for a time gets that. KFP before 2.5 leaves the placeholder, and the step says so.
func TestKFPFireTime(t *testing.T) {
	k := withKFP(t)
	k.ends(0, "schedule", "apply", "./suite#Often", "--on", "kfp", "--image", "registry.local/suite:1")
	t.Cleanup(func() { k.try("schedule", "delete", "often", "--on", "kfp", "--yes") })
	text := func(r api.Run) string {
		t.Helper()
		var done api.Run
		out, _ := k.ends(map[bool]int{true: 1}[version == "2.0.5" && !r.Scheduled.IsZero()], "runs", "wait", r.ID, "--format", "json")
		no(t, json.Unmarshal([]byte(out), &done))
		rec, err := recordOf(t.Context(), r.ID)
		no(t, err)
		if done.State != api.Succeeded {
			return lastWords(t, r.ID)
		}
		for _, x := range rec {
			if x.name == "echo" {
				var text string
				no(t, json.Unmarshal(x.outputs["text"], &text))
				return text
			}
		}
		return "no text"
	}
	wants := func(r api.Run, at time.Time) {
		t.Helper()
		want := at.UTC().Format(time.RFC3339)
		if got := text(r); got != want+" of "+want {
			t.Errorf("it gets %q, and was to fire at %s", got, want)
		}
	}
	var fired []api.Run
	for end := time.Now().Add(patience); len(fired) == 0; time.Sleep(2 * time.Second) {
		if time.Now().After(end) {
			t.Fatal("it doesn't fire")
		}
		out, _ := k.ends(0, "runs", "list", "--schedule", "often", "--format", "json")
		no(t, json.Unmarshal([]byte(out), &fired))
	}
	k.ends(0, "schedule", "pause", "often", "--on", "kfp")
	if first := fired[len(fired)-1]; version == "2.0.5" {
		if got := text(first); !strings.Contains(got, "{{$.pipeline_job_schedule_time_utc}}") {
			t.Errorf("it gets %s", got)
		}
	} else {
		wants(first, first.Scheduled)
	}
	day := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	out, _ := k.ends(0, "schedule", "trigger", "often", "--on", "kfp", "--at", day.Format(time.RFC3339))
	wants(api.Run{ID: strings.TrimSpace(out)}, day)
}
