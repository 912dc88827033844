package kfpgo_test

import (
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	recorded "github.com/kfpgo/kfpgo/internal/model/run"
)

// TestStates: a run on this machine, a run of a server and a fire of a schedule spell
// a state the same way in JSON, and read it in the older spelling too.
func TestStates(t *testing.T) {
	for _, tt := range []struct {
		given, want, word string
		done              bool
	}{
		{"PENDING", "PENDING", "pending", false},
		{"RUNNING", "RUNNING", "running", false},
		{"PAUSED", "PAUSED", "paused", false},
		{"CANCELING", "CANCELING", "cancelling", false},
		{"SUCCEEDED", "SUCCEEDED", "succeeded", true},
		{"FAILED", "FAILED", "failed", true},
		{"SKIPPED", "SKIPPED", "skipped", true},
		{"CACHED", "CACHED", "cached", true},
		{"CANCELED", "CANCELED", "cancelled", true},
		{"CANCELLED", "CANCELED", "cancelled", true}, // in run.json of older versions
		{"QUEUED", "QUEUED", "queued", false},
		{"NEW_IN_KFP_9", "NEW_IN_KFP_9", "new_in_kfp_9", false},
	} {
		text := []byte(`{"state":"` + tt.given + `"}`)
		for _, into := range []any{&recorded.Run{}, &recorded.Task{}, &client.Run{}, &client.Task{}, &scheduler.Fire{}} {
			if err := json.Unmarshal(text, into); err != nil {
				t.Fatalf("%T: %v", into, err)
			}
			again, err := json.Marshal(into)
			var got struct{ State kfptype.State }
			var spelt struct{ State string }
			if err != nil || json.Unmarshal(again, &got) != nil || json.Unmarshal(again, &spelt) != nil {
				t.Fatalf("%T: %v %s", into, err, again)
			}
			if spelt.State != tt.want || got.State.Done() != tt.done || kfptype.Word(got.State) != tt.word {
				t.Errorf("%T, %s: got %s, %q, done: %v; want %s, %q, done: %v", into, tt.given, spelt.State, kfptype.Word(got.State), got.State.Done(), tt.want, tt.word, tt.done)
			}
		}
	}
}

// TestFinalStates: what exit handlers get has the words of the language, which are
// those of KFP's PipelineTaskFinalStatus.
func TestFinalStates(t *testing.T) {
	for got, want := range map[string]string{dsl.Succeeded: string(kfptype.Succeeded), dsl.Failed: string(kfptype.Failed), dsl.Cancelled: kfptype.FinalCancelled} {
		if got != want {
			t.Errorf("the language has %s, want %s", got, want)
		}
	}
}
