package kfpspec

import "encoding/json"

// TaskSpec is one call of a component.
type TaskSpec struct {
	TaskInfo          TaskInfo           `json:"taskInfo"`
	Inputs            *TaskInputs        `json:"inputs,omitempty"`
	DependentTasks    []string           `json:"dependentTasks,omitempty"`
	CachingOptions    *CachingOptions    `json:"cachingOptions,omitempty"`
	ComponentRef      ComponentRef       `json:"componentRef"`
	TriggerPolicy     *TriggerPolicy     `json:"triggerPolicy,omitempty"`
	ParameterIterator *ParameterIterator `json:"parameterIterator,omitempty"`
	ArtifactIterator  *ArtifactIterator  `json:"artifactIterator,omitempty"`
	RetryPolicy       *RetryPolicy       `json:"retryPolicy,omitempty"`
	IteratorPolicy    *IteratorPolicy    `json:"iteratorPolicy,omitempty"`
}

// TaskInfo is what the UI shows.
type TaskInfo struct {
	Name string `json:"name"`
}

// ComponentRef names a component.
type ComponentRef struct {
	Name string `json:"name"`
}

// CachingOptions: the empty value turns caching off.
type CachingOptions struct {
	EnableCache bool   `json:"enableCache,omitempty"`
	CacheKey    string `json:"cacheKey,omitempty"`
}

// TriggerPolicy says when a task runs.
type TriggerPolicy struct {
	Condition string `json:"condition,omitempty"` // CEL
	Strategy  string `json:"strategy,omitempty"`
}

// AllUpstreamTasksCompleted runs a task however those before it ended.
const AllUpstreamTasksCompleted = "ALL_UPSTREAM_TASKS_COMPLETED"

// ParameterIterator repeats a task for the items of a list parameter.
type ParameterIterator struct {
	Items     ParameterItems `json:"items"`
	ItemInput string         `json:"itemInput"`
}

// ParameterItems is a list in JSON, or an input that holds one.
type ParameterItems struct {
	Raw            string `json:"raw,omitempty"`
	InputParameter string `json:"inputParameter,omitempty"`
}

// ArtifactIterator repeats a task for the artifacts of a list.
type ArtifactIterator struct {
	Items     ArtifactItems `json:"items"`
	ItemInput string        `json:"itemInput"`
}

// ArtifactItems names the input that is a list of artifacts.
type ArtifactItems struct {
	InputArtifact string `json:"inputArtifact"`
}

// IteratorPolicy limits how many iterations run at once.
type IteratorPolicy struct {
	ParallelismLimit int `json:"parallelismLimit,omitempty"`
}

// RetryPolicy runs a failed task again. Durations are seconds, as "60s".
type RetryPolicy struct {
	MaxRetryCount      int     `json:"maxRetryCount,omitempty"`
	BackoffDuration    string  `json:"backoffDuration,omitempty"`
	BackoffFactor      float64 `json:"backoffFactor,omitempty"`
	BackoffMaxDuration string  `json:"backoffMaxDuration,omitempty"`
}

// TaskInputs says where the inputs of a task come from.
type TaskInputs struct {
	Parameters map[string]*InputParameter `json:"parameters,omitempty"`
	Artifacts  map[string]*InputArtifact  `json:"artifacts,omitempty"`
}

// InputParameter has one source; the selector is CEL over string_value.
type InputParameter struct {
	TaskOutputParameter         *TaskOutputParameter `json:"taskOutputParameter,omitempty"`
	RuntimeValue                *ValueOrParameter    `json:"runtimeValue,omitempty"`
	ComponentInputParameter     string               `json:"componentInputParameter,omitempty"`
	TaskFinalStatus             *TaskFinalStatus     `json:"taskFinalStatus,omitempty"`
	ParameterExpressionSelector string               `json:"parameterExpressionSelector,omitempty"`
}

// InputArtifact has one source.
type InputArtifact struct {
	TaskOutputArtifact     *TaskOutputArtifact `json:"taskOutputArtifact,omitempty"`
	ComponentInputArtifact string              `json:"componentInputArtifact,omitempty"`
}

// TaskOutputParameter is an output of a task of the same DAG.
type TaskOutputParameter struct {
	ProducerTask       string `json:"producerTask"`
	OutputParameterKey string `json:"outputParameterKey"`
}

// TaskOutputArtifact is an output of a task of the same DAG.
type TaskOutputArtifact struct {
	ProducerTask      string `json:"producerTask"`
	OutputArtifactKey string `json:"outputArtifactKey"`
}

// TaskFinalStatus is how a task of the same DAG ended.
type TaskFinalStatus struct {
	ProducerTask string `json:"producerTask"`
}

// ValueOrParameter is a constant or the name of an input.
type ValueOrParameter struct {
	Constant         json.RawMessage `json:"constant,omitempty"`
	RuntimeParameter string          `json:"runtimeParameter,omitempty"`
}
