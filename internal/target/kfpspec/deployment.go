package kfpspec

import "encoding/json"

// DeploymentSpec holds the executors, by label.
type DeploymentSpec struct {
	Executors map[string]*Executor `json:"executors,omitempty"`
}

// Executor is what a component without a DAG runs.
type Executor struct {
	Container *Container `json:"container,omitempty"`
	Importer  *Importer  `json:"importer,omitempty"`
}

// Container runs a command in an image.
type Container struct {
	Image     string     `json:"image"`
	Command   []string   `json:"command,omitempty"`
	Args      []string   `json:"args,omitempty"`
	Env       []EnvVar   `json:"env,omitempty"`
	Resources *Resources `json:"resources,omitempty"`
}

// EnvVar is an environment variable.
type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// Resources of a container. The numbers are for servers older than 2.4, which
// don't know the strings; memory is in GB.
type Resources struct {
	CPULimit              float64      `json:"cpuLimit,omitempty"`
	MemoryLimit           float64      `json:"memoryLimit,omitempty"`
	CPURequest            float64      `json:"cpuRequest,omitempty"`
	MemoryRequest         float64      `json:"memoryRequest,omitempty"`
	ResourceCPULimit      string       `json:"resourceCpuLimit,omitempty"`
	ResourceMemoryLimit   string       `json:"resourceMemoryLimit,omitempty"`
	ResourceCPURequest    string       `json:"resourceCpuRequest,omitempty"`
	ResourceMemoryRequest string       `json:"resourceMemoryRequest,omitempty"`
	Accelerator           *Accelerator `json:"accelerator,omitempty"`
}

// Accelerator is a number of devices.
type Accelerator struct {
	Type          string `json:"type,omitempty"`
	Count         int64  `json:"count,omitempty,string"`
	ResourceType  string `json:"resourceType,omitempty"`
	ResourceCount string `json:"resourceCount,omitempty"`
}

// Importer takes an artifact that exists.
type Importer struct {
	ArtifactURI         ValueOrParameter           `json:"artifactUri"`
	TypeSchema          ArtifactType               `json:"typeSchema"`
	Metadata            map[string]json.RawMessage `json:"metadata,omitempty"`
	Reimport            bool                       `json:"reimport,omitempty"`
	DownloadToWorkspace bool                       `json:"downloadToWorkspace,omitempty"`
}
