// Package run is the record of a run on this machine, run.json: what each task
// got, made and said. The local engine writes it; reports and tests read it.
//
// A run's folder, named <pipeline>-<UTC time>-<4 hex>, holds
//
//	run.json                        this record
//	program.json                    the program that ran
//	lock                            held as long as the run goes on
//	report.html                     the record as a page
//	tasks/<path>/input.json         what the task's step was given (KFP's ExecutorInput)
//	tasks/<path>/output.json        what it returned (KFP's ExecutorOutput)
//	tasks/<path>/log.<attempt>      its standard output and error
//	artifacts/<path>/<output>       files and folders it made
//	volumes/<claim>/                PVCs
package run

import (
	"encoding/json"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/usage"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Schema is the version of run.json.
const Schema = 1

// A State says how far a run or task has got.
type State = kfptype.State

// The states that runs on this machine have.
const (
	Pending   = kfptype.Pending
	Running   = kfptype.Running
	Succeeded = kfptype.Succeeded
	Failed    = kfptype.Failed
	Skipped   = kfptype.Skipped
	Cached    = kfptype.Cached
	Cancelled = kfptype.Cancelled
)

// A Run is one execution of a pipeline.
type Run struct {
	Schema    int                        `json:"schema"`
	ID        string                     `json:"id"` // the folder's name
	Dir       string                     `json:"-"`  // the folder
	Pipeline  string                     `json:"pipeline"`
	Title     string                     `json:"title,omitempty"`
	State     State                      `json:"state"`
	Error     string                     `json:"error,omitempty"`
	Source    *Source                    `json:"source,omitempty"`   // what the user named; nil where a program started it
	Schedule  string                     `json:"schedule,omitempty"` // that started it
	Scheduled time.Time                  `json:"scheduled,omitzero"` // for which it did
	Started   time.Time                  `json:"started"`
	Ended     time.Time                  `json:"ended,omitzero"`
	Params    map[string]json.RawMessage `json:"params,omitempty"`  // defaults included
	Outputs   map[string]json.RawMessage `json:"outputs,omitempty"` // parameters of the pipeline
	Made      map[string][]Artifact      `json:"made,omitempty"`    // artifacts of the pipeline
	Tasks     []*Task                    `json:"tasks"`             // groups and leaves; a group before what it holds
}

// A Source is what a run was started of, in the user's words.
type Source struct {
	Pipeline string `json:"pipeline"` // a package or a file, as seen from Dir
	Dir      string `json:"dir"`
}

// A Task is one execution of a task: of a leaf, or of a group or nested pipeline
// whose own tasks have paths below its path.
type Task struct {
	// Path names the task: those of its groups and its own, by slashes; an
	// iteration of a loop is a number. exit-handler-1/for-loop-3/0/train-go
	Path      string `json:"path"`
	Name      string `json:"name"`
	Title     string `json:"title,omitempty"`
	Component string `json:"component"`
	Kind      string `json:"kind"`                // go, python, container, resource, importer or a program.DAGKind
	StandIn   bool   `json:"standIn,omitempty"`   // the step was the author's OnLocal function
	Iteration *int   `json:"iteration,omitempty"` // set on each iteration of a loop
	State     State  `json:"state"`
	Reason    string `json:"reason,omitempty"` // why it was skipped, or is waiting
	Error     string `json:"error,omitempty"`
	Attempts  int    `json:"attempts,omitempty"`
	ExitCode  string `json:"exitCode,omitempty"` // of the process or container of the last attempt, where it was not 0

	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`

	Usage *usage.Samples `json:"usage,omitempty"` // of the last attempt, if that was asked for

	After   []string                   `json:"after,omitempty"`   // names of siblings
	Inputs  map[string]json.RawMessage `json:"inputs,omitempty"`  // parameters
	Outputs map[string]json.RawMessage `json:"outputs,omitempty"` // parameters
	Reads   map[string][]Artifact      `json:"reads,omitempty"`   // artifacts, one or a list
	Writes  map[string][]Artifact      `json:"writes,omitempty"`
	Logs    []string                   `json:"logs,omitempty"` // files in the run's folder, one an attempt
}

// An Artifact is a file or folder with its metadata.
type Artifact struct {
	Name     string         `json:"name,omitempty"`
	Type     string         `json:"type"` // system.Model
	URI      string         `json:"uri"`  // file://... in the run's folder
	Metadata map[string]any `json:"metadata,omitempty"`
	NoFile   bool           `json:"noFile,omitempty"` // its step wrote metadata alone, or nothing
}
