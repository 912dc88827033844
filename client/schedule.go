package client

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// A Scheduler is a connection to an engine that starts runs on a schedule: KFP with its recurring
// runs, Argo with CronWorkflows, or this machine. Schedules go by name.
type Scheduler interface {
	// ApplySchedule creates a schedule, updates it, or leaves it as it is if nothing
	// has changed. Afterwards exactly one schedule has the name. Runs that it
	// has started continue.
	ApplySchedule(ctx context.Context, s ScheduleSpec) (*Schedule, Change, error)
	// Schedules returns all of them, by name.
	Schedules(ctx context.Context) ([]*Schedule, error)
	// Schedule returns one.
	Schedule(ctx context.Context, name string) (*Schedule, error)
	// PauseSchedule stops a schedule from firing; ResumeSchedule lets it fire again.
	PauseSchedule(ctx context.Context, name string) error
	ResumeSchedule(ctx context.Context, name string) error
	// TriggerSchedule starts a run as if the schedule had fired at a time.
	TriggerSchedule(ctx context.Context, name string, at time.Time) (*Run, error)
	// DeleteSchedule forgets a schedule. Runs that it has started stay.
	DeleteSchedule(ctx context.Context, name string) error
}

// A ScheduleSpec is a schedule as it is applied.
type ScheduleSpec struct {
	Name     string
	When     dsl.When
	Pipeline Submission // its Name, Token, FireTime and FireDate arguments are the schedule's business
	FireTime []string   // inputs of the pipeline that get the time at which the schedule fires, in its zone
	FireDate []string   // inputs that get the day of that time, as 2006-01-02; not on KFP
}

// A Schedule is one that is stored.
type Schedule struct {
	ID       string                     `json:"id"` // KFP: recurring run id; Argo: its name
	Name     string                     `json:"name"`
	Pipeline string                     `json:"pipeline,omitempty"` // its name
	When     dsl.When                   `json:"when"`
	Args     map[string]json.RawMessage `json:"args,omitempty"`     // of each run, by the names of the pipeline's inputs
	FireTime []string                   `json:"fireTime,omitempty"` // inputs that get the time at which it fires
	FireDate []string                   `json:"fireDate,omitempty"` // inputs that get the day of that
	Paused   bool                       `json:"paused"`
	Problem  string                     `json:"problem,omitempty"` // why it doesn't fire, if the server says so
	Created  time.Time                  `json:"created,omitzero"`
	Last     time.Time                  `json:"last,omitzero"`    // when it fired last; zero: never
	Active   []string                   `json:"active,omitempty"` // ids of runs that haven't ended
}

// A Change says what an idempotent call did.
type Change string

// The changes.
const (
	Created   Change = "created"
	Updated   Change = "updated"
	Unchanged Change = "unchanged"
)
