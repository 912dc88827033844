package client

import (
	"encoding/json"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// A State says how far a run or a task has got. The words are KFP's; Argo's phases
// are mapped to them. A state that this version of kfpgo doesn't know stays as the
// server spells it. Its method Done reports whether it is final.
type State = kfptype.State

// The states. A run is never Skipped or Cached.
const (
	Pending    = kfptype.Pending
	Running    = kfptype.Running
	Paused     = kfptype.Paused // suspended
	Cancelling = kfptype.Cancelling
	Succeeded  = kfptype.Succeeded
	Failed     = kfptype.Failed
	Skipped    = kfptype.Skipped // its condition didn't hold, or what it waits for didn't succeed
	Cached     = kfptype.Cached  // an equal task has succeeded before
	Cancelled  = kfptype.Cancelled
)

// A Run is one execution of a pipeline: KFP's run, Argo's Workflow.
type Run struct {
	ID         string                     `json:"id"` // KFP: run id; Argo: name of the Workflow
	Name       string                     `json:"name"`
	State      State                      `json:"state,omitempty"`
	Error      string                     `json:"error,omitempty"`      // why it failed
	Pipeline   string                     `json:"pipeline,omitempty"`   // its name
	Version    string                     `json:"version,omitempty"`    // KFP: id of the pipeline version
	Experiment string                     `json:"experiment,omitempty"` // KFP: id
	Namespace  string                     `json:"namespace,omitempty"`
	Schedule   string                     `json:"schedule,omitempty"` // that started it: KFP: id of the recurring run; Argo: name of the CronWorkflow
	Archived   bool                       `json:"archived,omitempty"` // KFP
	Created    time.Time                  `json:"created,omitzero"`
	Scheduled  time.Time                  `json:"scheduled,omitzero"` // the fire time of its schedule
	Started    time.Time                  `json:"started,omitzero"`
	Ended      time.Time                  `json:"ended,omitzero"`    // zero: it is running
	Args       map[string]json.RawMessage `json:"args,omitempty"`    // by the names of the pipeline's inputs
	Outputs    map[string]json.RawMessage `json:"outputs,omitempty"` // parameters of the pipeline, where the server knows them
	Tasks      []Task                     `json:"tasks,omitempty"`   // in the order in which they were reached
	URL        string                     `json:"url,omitempty"`     // of its page in the server's UI
}

// A Task is one execution of a task of a run.
type Task struct {
	ID       string    `json:"id"`
	Path     string    `json:"path"` // its name below those of its groups, as far as the server reports them
	State    State     `json:"state,omitempty"`
	Error    string    `json:"error,omitempty"`    // why it failed
	Attempts int       `json:"attempts,omitempty"` // 0: the server doesn't say
	Pod      string    `json:"pod,omitempty"`      // its name
	Started  time.Time `json:"started,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
}

// A Pod is what Kubernetes knows of a pod of a run.
type Pod struct {
	Name   string   `json:"name"`
	Task   string   `json:"task,omitempty"`   // "" for a pod that the engine runs for itself
	Phase  string   `json:"phase"`            // in Kubernetes' words, such as Pending
	Reason string   `json:"reason,omitempty"` // why it failed
	Waits  []string `json:"waits,omitempty"`  // why it doesn't run yet
	Node   string   `json:"node,omitempty"`
	Events []Event  `json:"events,omitempty"`
}

// An Event is what Kubernetes has recorded about a pod.
type Event struct {
	Type    string    `json:"type"` // Normal or Warning
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Count   int       `json:"count"`         // how often it came
	Last    time.Time `json:"last,omitzero"` // when it came last
}
