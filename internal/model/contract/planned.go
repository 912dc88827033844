package contract

import "encoding/json"

// A Step is a component of the program with its executor input.
type Step struct {
	Component string          `json:"component"`
	Input     json.RawMessage `json:"input"`
}

// A Planned is what a step would do with objects of the cluster, in order.
type Planned struct {
	Operations []Operation `json:"operations,omitempty"`
	Error      string      `json:"error,omitempty"` // why that isn't known
}

// An Operation is something that is done with an object of the cluster.
type Operation struct {
	Action string          `json:"action"` // create, apply, patch, delete, or get, which wants it to be there
	Object json.RawMessage `json:"object"`
}

// Plans is the answer of a program that was started with Objects.
type Plans struct {
	Schema int       `json:"schema"` // that of graphs: text printed before it isn't kfpgo's
	Steps  []Planned `json:"steps"`
}
