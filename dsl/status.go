package dsl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// FinalStatus is how the tasks that an exit handler guards ended. KFP calls it
// PipelineTaskFinalStatus.
type FinalStatus struct {
	State       string `json:"state"` // SUCCEEDED, FAILED or CANCELLED
	PipelineJob string `json:"pipelineJobResourceName"`

	// PipelineTask is the task that failed, where the target knows it, or else
	// the group that the handler guards.
	PipelineTask string `json:"pipelineTaskName"`

	// Error is what went wrong, where the target knows it.
	Error struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// The states of a [FinalStatus].
const (
	Succeeded = "SUCCEEDED"
	Failed    = "FAILED"
	Cancelled = "CANCELLED"
)

// A rawStatus is the final status as targets pass it: in KFP's form, in the
// snake case that some versions of KFP have, or in Argo's.
type rawStatus struct {
	State             string          `json:"state"`
	PipelineJob       string          `json:"pipelineJobResourceName"`
	PipelineJobSnake  string          `json:"pipeline_job_resource_name"`
	PipelineTask      string          `json:"pipelineTaskName"`
	PipelineTaskSnake string          `json:"pipeline_task_name"`
	Error             json.RawMessage `json:"error"`
	Failures          json.RawMessage `json:"failures"`
}

// A failure is a node of an Argo Workflow that did not succeed.
type failure struct {
	DisplayName  string `json:"displayName"`
	Message      string `json:"message"`
	TemplateName string `json:"templateName"`
	Phase        string `json:"phase"`
}

// finalStatus returns the status in KFP's form. One that it can't read it
// returns as it is, for the error to say so.
func finalStatus(b json.RawMessage) json.RawMessage {
	var raw rawStatus
	if err := json.Unmarshal(unquote(b), &raw); err != nil {
		return b
	}
	s := FinalStatus{
		State:        state(raw.State),
		PipelineJob:  cmp.Or(raw.PipelineJob, raw.PipelineJobSnake),
		PipelineTask: cmp.Or(raw.PipelineTask, raw.PipelineTaskSnake),
	}
	if raw.Error != nil && json.Unmarshal(raw.Error, &s.Error) != nil {
		s.Error.Message = string(raw.Error)
	}
	if f, ok := failed(raw.Failures); ok && s.State != Succeeded {
		s.PipelineTask = cmp.Or(f.DisplayName, f.TemplateName, s.PipelineTask)
		s.Error.Message = cmp.Or(f.Message, s.Error.Message)
		s.Error.Code = cmp.Or(s.Error.Code, 1)
	}
	out, err := json.Marshal(s)
	if err != nil {
		return b
	}
	return out
}

// state returns KFP's name of a state, or of a phase of Argo's.
func state(name string) string {
	switch name {
	case "Succeeded", "COMPLETE", "CACHED": // KFP's names for the executions of tasks
		return Succeeded
	case "Failed", "Error":
		return Failed
	case "CANCELED", "Cancelled", "Terminated", "Stopped": // the first is that of KFP's API
		return Cancelled
	}
	return name
}

// failed returns the failure that others follow from: the first that has a
// message and isn't that of a group, which says only that a child failed.
func failed(list json.RawMessage) (failure, bool) {
	var all []failure
	if json.Unmarshal(unquote(list), &all) != nil {
		return failure{}, false
	}
	for _, f := range all {
		if f.Message != "" && !groupMessage(f.Message) {
			return f, true
		}
	}
	for _, f := range all {
		if !groupMessage(f.Message) {
			return f, true
		}
	}
	return failure{}, false
}

// groupMessage reports whether a message is what Argo says of a group.
func groupMessage(msg string) bool {
	return strings.HasPrefix(msg, "child '")
}

// unquote returns the JSON that is inside JSON strings, however often.
func unquote(b json.RawMessage) json.RawMessage {
	for range 3 {
		var s string
		if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '"' || json.Unmarshal(b, &s) != nil {
			break
		}
		b = json.RawMessage(s)
	}
	return b
}
