// Package lineage says where artifacts come from: which tasks made them, out of
// which others, and what has read them since, in one run and across runs. It is the
// same for runs on this machine, on KFP, whose ML Metadata knows it, and on Argo,
// whose Workflows do.
//
// A [Store] has artifacts; the clients of KFP and Argo are stores.
package lineage

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// A Store knows the artifacts of an engine's runs.
type Store interface {
	// Artifacts returns artifacts, the newest first, with what made and read them.
	Artifacts(ctx context.Context, q Query) (*Graph, error)
	// Lineage returns an artifact with all that it was made from and that was made
	// of it. Ref is an ID or the beginning of one that no other has, a URI, or
	// RUN/TASK/OUTPUT.
	Lineage(ctx context.Context, ref string) (*Trace, error)
	// Files returns the files of an artifact: one with an empty Path if it is a file,
	// else those of a folder. It ends after the first error.
	Files(ctx context.Context, a *Artifact) iter.Seq2[*File, error]
}

// A Query says which artifacts to return.
type Query struct {
	Run  string // id of a run: what it made, imported or took from the cache; empty: of all runs
	Type string // schema title, such as system.Model; empty: all
	Max  int    // at most so many artifacts; 0: all
}

// An Artifact is what lies at a URI. The same URI in two runs is the same artifact.
type Artifact struct {
	ID       string         `json:"id"`             // KFP: that of ML Metadata; else made of the URI
	Name     string         `json:"name,omitempty"` // of the output that it was first
	Type     string         `json:"type,omitempty"` // KFP's schema title: system.Model
	URI      string         `json:"uri"`
	Also     []string       `json:"also,omitempty"` // KFP: IDs of what else in ML Metadata has this URI
	Metadata map[string]any `json:"metadata,omitempty"`
	Run      string         `json:"run,omitempty"`  // that made it, or else imported it
	Task     string         `json:"task,omitempty"` // of that run: its path
	Created  time.Time      `json:"created,omitzero"`
}

// An Execution is a task that ran, or that took over what an equal one had made.
type Execution struct {
	ID       string                     `json:"id"` // RUN/TASK; KFP: that of ML Metadata
	Run      string                     `json:"run"`
	Pipeline string                     `json:"pipeline,omitempty"`
	Task     string                     `json:"task"`           // path, by slashes
	Kind     string                     `json:"kind,omitempty"` // importer, or what runs it: go, python, container
	State    string                     `json:"state,omitempty"`
	Started  time.Time                  `json:"started,omitzero"`
	Ended    time.Time                  `json:"ended,omitzero"`
	Inputs   map[string]json.RawMessage `json:"inputs,omitempty"`  // parameters
	Outputs  map[string]json.RawMessage `json:"outputs,omitempty"` // parameters
}

// An EventKind says what an execution did with an artifact.
type EventKind string

// The kinds of events.
const (
	Made     EventKind = "made"
	Imported EventKind = "imported" // by an importer: it was there before
	Reused   EventKind = "reused"   // an equal task had made it: a cache hit, or a run that was resumed
	Read     EventKind = "read"
)

// An Event ties an execution to an artifact.
type Event struct {
	Kind      EventKind `json:"kind"`
	Execution string    `json:"execution"`
	Artifact  string    `json:"artifact"`
	Name      string    `json:"name"`            // of the input or output
	Index     int       `json:"index,omitempty"` // in a list of artifacts
	Type      string    `json:"type,omitempty"`  // where it isn't the artifact's: an import may call it another
}

// A Graph is artifacts, executions and what ties them together.
type Graph struct {
	Artifacts  []*Artifact  `json:"artifacts"`
	Executions []*Execution `json:"executions"`
	Events     []*Event     `json:"events"`
	Missing    []string     `json:"missing,omitempty"` // what could not be read, and is left out
}
