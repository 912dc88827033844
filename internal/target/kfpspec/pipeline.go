// Package kfpspec is KFP's intermediate representation as Go types: PipelineSpec
// and PlatformSpec as of KFP 2.17, in their JSON form.
//
// The types are our own, since the published protos lack fields of 2.17 and
// bring in gRPC. Values keep the digits that they were written with.
package kfpspec

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// SchemaVersion is the version of the IR that KFP 2 reads.
const SchemaVersion = "2.1.0"

// PipelineSpec is the first document of a file.
type PipelineSpec struct {
	PipelineInfo        PipelineInfo              `json:"pipelineInfo"`
	DeploymentSpec      DeploymentSpec            `json:"deploymentSpec"`
	SchemaVersion       string                    `json:"schemaVersion"`
	SDKVersion          string                    `json:"sdkVersion"`
	Components          map[string]*ComponentSpec `json:"components,omitempty"`
	Root                *ComponentSpec            `json:"root"`
	DefaultPipelineRoot string                    `json:"defaultPipelineRoot,omitempty"`
}

// PipelineInfo names a pipeline.
type PipelineInfo struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName,omitempty"`
	Description string `json:"description,omitempty"`
}

// ComponentSpec is a DAG or names an executor.
type ComponentSpec struct {
	InputDefinitions       *InputDefinitions       `json:"inputDefinitions,omitempty"`
	OutputDefinitions      *OutputDefinitions      `json:"outputDefinitions,omitempty"`
	DAG                    *DAGSpec                `json:"dag,omitempty"`
	ExecutorLabel          string                  `json:"executorLabel,omitempty"`
	TaskConfigPassthroughs []TaskConfigPassthrough `json:"taskConfigPassthroughs,omitempty"`
}

// TaskConfigPassthrough hands a setting of the task to the component.
type TaskConfigPassthrough = program.Passthrough

// InputDefinitions are the inputs of a component.
type InputDefinitions struct {
	Parameters map[string]*ParameterSpec `json:"parameters,omitempty"`
	Artifacts  map[string]*ArtifactSpec  `json:"artifacts,omitempty"`
}

// OutputDefinitions are the outputs of a component.
type OutputDefinitions struct {
	Parameters map[string]*ParameterSpec `json:"parameters,omitempty"`
	Artifacts  map[string]*ArtifactSpec  `json:"artifacts,omitempty"`
}

// ParameterSpec is a parameter of a component.
type ParameterSpec struct {
	ParameterType string          `json:"parameterType"`
	DefaultValue  json.RawMessage `json:"defaultValue,omitempty"`
	IsOptional    bool            `json:"isOptional,omitempty"`
	Description   string          `json:"description,omitempty"`
}

// ArtifactSpec is an artifact, or a list of them, of a component.
type ArtifactSpec struct {
	ArtifactType   ArtifactType `json:"artifactType"`
	IsArtifactList bool         `json:"isArtifactList,omitempty"`
	IsOptional     bool         `json:"isOptional,omitempty"`
	Description    string       `json:"description,omitempty"`
}

// ArtifactType names a schema: one of its fields.
type ArtifactType struct {
	SchemaTitle    string `json:"schemaTitle,omitempty"`
	SchemaURI      string `json:"schemaUri,omitempty"`
	InstanceSchema string `json:"instanceSchema,omitempty"`
	SchemaVersion  string `json:"schemaVersion,omitempty"`
}

// DAGSpec is tasks and where the outputs of the component come from.
type DAGSpec struct {
	Tasks   map[string]*TaskSpec `json:"tasks"`
	Outputs *DAGOutputs          `json:"outputs,omitempty"`
}

// DAGOutputs says where the outputs of a DAG come from.
type DAGOutputs struct {
	Artifacts  map[string]*DAGOutputArtifact  `json:"artifacts,omitempty"`
	Parameters map[string]*DAGOutputParameter `json:"parameters,omitempty"`
}

// DAGOutputArtifact takes the first artifact that was made.
type DAGOutputArtifact struct {
	ArtifactSelectors []ArtifactSelector `json:"artifactSelectors"`
}

// ArtifactSelector names an artifact of a task.
type ArtifactSelector struct {
	ProducerSubtask   string `json:"producerSubtask"`
	OutputArtifactKey string `json:"outputArtifactKey"`
}

// DAGOutputParameter takes a parameter, or the first of several that was made.
type DAGOutputParameter struct {
	ValueFromParameter *ParameterSelector `json:"valueFromParameter,omitempty"`
	ValueFromOneof     *ParameterOneof    `json:"valueFromOneof,omitempty"`
}

// ParameterOneof lists the parameters of a one-of.
type ParameterOneof struct {
	ParameterSelectors []ParameterSelector `json:"parameterSelectors"`
}

// ParameterSelector names a parameter of a task.
type ParameterSelector struct {
	ProducerSubtask    string `json:"producerSubtask"`
	OutputParameterKey string `json:"outputParameterKey"`
}

// Put sets a key of a map that may not be there yet.
func Put[V any](m *map[string]V, k string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[k] = v
}
