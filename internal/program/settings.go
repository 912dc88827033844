package program

import "encoding/json"

// Settings are the options of a task. A Value in them is in terms of the DAG that
// holds the task, like an argument. Nil and empty: not set.
type Settings struct {
	Image         *Value        `json:"image,omitempty"`
	CPULimit      *Value        `json:"cpuLimit,omitempty"` // Kubernetes quantities
	CPURequest    *Value        `json:"cpuRequest,omitempty"`
	MemoryLimit   *Value        `json:"memoryLimit,omitempty"`
	MemoryRequest *Value        `json:"memoryRequest,omitempty"`
	Accelerators  []Accelerator `json:"accelerators,omitempty"`
	Env           []Env         `json:"env,omitempty"` // in the order of writing; later ones may use earlier ones
	TimeoutSecs   int64         `json:"timeoutSeconds,omitempty"`
	Retry         *Retry        `json:"retry,omitempty"`
	NoCache       bool          `json:"noCache,omitempty"`
	CacheKey      string        `json:"cacheKey,omitempty"`

	Kubernetes
}

// An Accelerator is a number of devices of a resource type.
type Accelerator struct {
	Resource string `json:"resource,omitempty"` // nvidia.com/gpu
	Type     *Value `json:"type,omitempty"`     // in place of Resource, where it is known at run time
	Count    Value  `json:"count"`
}

// Env is an environment variable.
type Env struct {
	Name  string `json:"name"`
	Value Value  `json:"value"`
}

// EnvInput starts the name of an input that a Go or Python step gets for a
// variable, on an engine that has no references in variables. The step's runtime
// (package dsl, package pyrun) sets the variable from it.
const EnvInput = "kfpgo-env--"

// A KeyValue is a label, an annotation or a term of a node selector.
type KeyValue struct {
	Key   string `json:"key"`
	Value Value  `json:"value"`
}

// A Retry runs a failed task again.
type Retry struct {
	Max        Value   `json:"max"`               // times
	Initial    string  `json:"initial,omitempty"` // wait before the first, a Go duration; empty: none
	Factor     float64 `json:"factor,omitempty"`  // 0: 2
	MaxBackoff string  `json:"maxBackoff,omitempty"`
}

// Constant returns a constant's text: a JSON string as it is, others as JSON.
func (v *Value) Constant() (text string, ok bool) {
	if v == nil || v.Kind != Const {
		return "", false
	}
	if json.Unmarshal(v.Const, &text) == nil {
		return text, true
	}
	return string(v.Const), true
}

// JSON reports whether a Format is the JSON of a list or struct, not a text.
func (v *Value) JSON() bool {
	return v.Kind == Format && (v.Type.Name == "LIST" || v.Type.Name == "STRUCT")
}
