package client

import (
	"context"
	"encoding/json"
)

// A Step is one execution of a step, with what it was given: enough to run it again
// elsewhere. Its artifacts are in the client's lineage.
type Step struct {
	Task
	ExitCode string                                // of its main container; empty: not known
	Inputs   map[string]json.RawMessage            // parameters
	Group    map[string]json.RawMessage            // inputs of the group that it is in, as far as they are known
	Beside   map[string]map[string]json.RawMessage // output parameters of the tasks beside it, by name
}

// A StepReader is a client that can read the inputs of a step.
type StepReader interface {
	// Step returns a step of a run, by its path or by a name that no other one has.
	Step(ctx context.Context, run, task string) (*Step, error)
}
