package program

import "github.com/kfpgo/kfpgo/internal/model/graph"

// An Executor is what a leaf component runs: exactly one of its fields is set.
// Strings hold KFP's placeholders, {{$.inputs.parameters['x']}} and so on, which
// package placeholder reads.
type Executor struct {
	Go        *GoStep    `json:"go,omitempty" diff:"Go step"`
	Container *Container `json:"container,omitempty"`
	Python    *Python    `json:"python,omitempty"`
	Resource  *Resource  `json:"resource,omitempty"`
	Importer  *Importer  `json:"importer,omitempty"`
	Suspend   *Suspend   `json:"suspend,omitempty"`

	// OnLocal: the program has a Go stand-in for runs on this machine, started
	// like a Go step with the component's title.
	OnLocal bool `json:"onLocal,omitempty" diff:"stand-in for runs on this machine"`
}

// What a step runs is what the author wrote.
type (
	Container = graph.ContainerSpec
	Python    = graph.PythonSpec
	PythonSDK = graph.PythonSDK
	Resource  = graph.ResourceSpec
	Importer  = graph.ImporterSpec
	Suspend   = graph.SuspendSpec
)

// WorksOnObjects reports whether the step needs rights on objects of the cluster.
func (x *Executor) WorksOnObjects() bool {
	return x.Resource != nil || x.Go != nil && len(x.Go.Rights) > 0
}

// A GoStep is a Go function of the program, run as "/app kfpgo:exec NAME {{$}}".
type GoStep struct {
	Name  string `json:"name"`
	Image string `json:"image,omitempty"` // of a step that was read from a file, whose program isn't at hand

	Rights []graph.Right `json:"rights,omitempty"` // what it does with objects of the cluster
}

// The operations that have a name of their own. Their inputs are those of
// kfp.kubernetes: pvc_name, pvc_name_suffix, access_modes, size,
// storage_class_name, volume_name, annotations, data_source.
const (
	CreatePVC = "create-pvc"
	DeletePVC = "delete-pvc"
)
