package program

import "encoding/json"

// An Executor is what a leaf component runs: exactly one of its fields is set.
// Texts hold KFP's placeholders, {{$.inputs.parameters['x']}} and so on, which
// package placeholder reads.
type Executor struct {
	Go        *GoStep    `json:"go,omitempty"`
	Container *Container `json:"container,omitempty"`
	Python    *Python    `json:"python,omitempty"`
	Resource  *Resource  `json:"resource,omitempty"`
	Importer  *Importer  `json:"importer,omitempty"`

	// OnLocal: the program has a Go stand-in for runs on this machine, started
	// like a Go step with the component's title.
	OnLocal bool `json:"onLocal,omitempty"`
}

// A GoStep is a Go function of the program, run as "/app kfpgo:exec NAME {{$}}".
type GoStep struct {
	Name string `json:"name"`
}

// A Container is a command in an image. An element of Command or Args that is
// the JSON of KFP's IfPresent or Concat expands as KFP's does.
type Container struct {
	Image   string   `json:"image"`
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
}

// A Python step is a function in a module that is sent along as source.
type Python struct {
	Source   string   `json:"source"`
	Function string   `json:"function"`
	Image    string   `json:"image"`
	Packages []string `json:"packages,omitempty"`
}

// A Resource is an operation on a Kubernetes object. The operations that KFP
// knows by itself have a Builtin name, and their inputs say the rest.
type Resource struct {
	Builtin  string `json:"builtin,omitempty"` // create-pvc or delete-pvc
	Action   string `json:"action"`            // create, apply, patch or delete
	Manifest string `json:"manifest,omitempty"`
	Success  string `json:"success,omitempty"`
	Failure  string `json:"failure,omitempty"`
}

// The operations that have a name of their own. Their inputs are those of
// kfp.kubernetes: pvc_name, pvc_name_suffix, access_modes, size,
// storage_class_name, volume_name, annotations, data_source.
const (
	CreatePVC = "create-pvc"
	DeletePVC = "delete-pvc"
)

// An Importer takes an artifact that exists already. Its input is uri and its
// output artifact.
type Importer struct {
	Reimport bool              `json:"reimport,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

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

	NodeSelector []KeyValue   `json:"nodeSelector,omitempty"`
	Tolerations  []Toleration `json:"tolerations,omitempty"`
	PVCMounts    []PVCMount   `json:"pvcMounts,omitempty"`
	SecretEnv    []SecretEnv  `json:"secretEnv,omitempty"`
	Labels       []KeyValue   `json:"labels,omitempty"`      // of the pod
	Annotations  []KeyValue   `json:"annotations,omitempty"` // of the pod
}

// An Accelerator is a number of devices of a resource type.
type Accelerator struct {
	Resource string `json:"resource"` // nvidia.com/gpu
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

// A Toleration is Kubernetes' own.
type Toleration struct {
	Key      string `json:"key,omitempty"`
	Operator string `json:"operator,omitempty"`
	Value    string `json:"value,omitempty"`
	Effect   string `json:"effect,omitempty"`
	Seconds  *int64 `json:"seconds,omitempty"`
}

// A PVCMount mounts a claim in the pod.
type PVCMount struct {
	Claim   Value  `json:"claim"`
	Path    string `json:"path"`
	SubPath string `json:"subPath,omitempty"`
}

// SecretEnv sets an environment variable from a key of a secret.
type SecretEnv struct {
	Name   string `json:"name"`
	Secret Value  `json:"secret"`
	Key    string `json:"key"`
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
