package program

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

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

// RunsOurs reports whether a component runs in a runtime of ours: dsl's or pyrun's.
func (c *Component) RunsOurs() bool {
	return c.Exec != nil && (c.Exec.Go != nil || c.Exec.Python != nil && c.Exec.Python.SDK == nil)
}

// Composes reports whether a component puts the values into its strings, lists and
// structs itself on KFP, since it runs in a runtime of ours or in the program.
func (c *Component) Composes() bool {
	return c.RunsOurs() || c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Builtin == ""
}

// Pod reports whether there are settings that need a pod, on a task that may have
// none. An operation on an object ends by its timeout without one.
func (s *Settings) Pod(x *Executor) bool {
	rest := *s
	rest.NoCache, rest.CacheKey, rest.Retry = false, "", nil
	if x != nil && x.Resource != nil {
		rest.TimeoutSecs = 0
	}
	b, err := json.Marshal(rest)
	return err != nil || string(b) != "{}"
}

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

// JSON reports whether a Format is the JSON of a list or struct, not a string.
func (v *Value) JSON() bool {
	return v.Kind == Format && (v.Type.Name == kfptype.List || v.Type.Name == kfptype.Struct)
}
