package program

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Settings are the options of a task. A Value in them is in terms of the DAG that
// holds the task, like an argument. Nil and empty: not set. The tags are the names of
// the options that set the fields; see Option.
type Settings struct {
	Image         *Value        `json:"image,omitempty" option:"image" dsl:"dsl.Image" python:"set_container_image"`
	CPULimit      *Value        `json:"cpuLimit,omitempty" option:"cpu" dsl:"dsl.CPU" python:"set_cpu_limit" file:"resourceCpuLimit" diff:"CPU limit"` // Kubernetes quantities
	CPURequest    *Value        `json:"cpuRequest,omitempty" option:"cpu-request" row:"cpu" dsl:"dsl.CPURequest" python:"set_cpu_request" file:"resourceCpuRequest" diff:"CPU request"`
	MemoryLimit   *Value        `json:"memoryLimit,omitempty" option:"memory" dsl:"dsl.Memory" python:"set_memory_limit" file:"resourceMemoryLimit"`
	MemoryRequest *Value        `json:"memoryRequest,omitempty" option:"memory-request" row:"memory" dsl:"dsl.MemoryRequest" python:"set_memory_request" file:"resourceMemoryRequest"`
	Accelerators  []Accelerator `json:"accelerators,omitempty" option:"accelerator" dsl:"dsl.GPU,dsl.Accelerator" python:"set_accelerator_type,set_accelerator_limit,set_gpu_limit" file:"accelerator" diff:"devices"`
	Env           []Env         `json:"env,omitempty" option:"env" dsl:"dsl.Env" python:"set_env_variable" diff:"variable"` // in the order of writing; later ones may use earlier ones
	TimeoutSecs   int64         `json:"timeoutSeconds,omitempty" option:"timeout" dsl:"dsl.Timeout" python:"kubernetes.set_timeout" file:"activeDeadlineSeconds" diff:"timeout in seconds"`
	Retry         *Retry        `json:"retry,omitempty" option:"retry" dsl:"dsl.Retry" python:"set_retry" file:"retryPolicy"`
	NoCache       bool          `json:"noCache,omitempty" option:"no-cache" dsl:"dsl.NoCache" python:"set_caching_options" file:"cachingOptions" diff:"caching"`
	CacheKey      string        `json:"cacheKey,omitempty" option:"cache-key" dsl:"dsl.CacheKey" python:"set_caching_options(cache_key)" file:"cachingOptions.cacheKey"`

	Kubernetes
	Argo
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
	if x != nil && x.Importer != nil {
		rest.Store = nil
	}
	if x != nil && x.Resource != nil {
		rest.TimeoutSecs = 0
	}
	if x != nil && x.Suspend != nil {
		rest.Retry = s.Retry // it doesn't fail
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
	Max        Value   `json:"max" diff:"times"`  // times
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
