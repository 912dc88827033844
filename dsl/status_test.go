package dsl

import (
	"encoding/json"
	"testing"
)

// TestFinalStatus reads the status in the forms that the targets pass it in.
func TestFinalStatus(t *testing.T) {
	failures := `[{"displayName":"loop(0)","message":"","templateName":"loop","phase":"Failed"},` +
		`{"displayName":"mnist","message":"child 'mnist-1' failed","templateName":"main","phase":"Failed"},` +
		`{"displayName":"train","message":"Error (exit code 1)","templateName":"train","phase":"Failed"}]`
	once, _ := json.Marshal(failures)
	twice, _ := json.Marshal(string(once))
	const failed = `{"state":"FAILED","pipelineJobResourceName":"","pipelineTaskName":"train","error":{"code":1,"message":"Error (exit code 1)"}}`
	for _, tt := range []struct{ in, want string }{
		{`{"state":"SUCCEEDED","pipelineJobResourceName":"job","pipelineTaskName":"exit-handler-1"}`,
			`{"state":"SUCCEEDED","pipelineJobResourceName":"job","pipelineTaskName":"exit-handler-1","error":{"code":0,"message":""}}`},
		{`{"state":"FAILED","pipeline_job_resource_name":"job","pipeline_task_name":"t","error":{"code":9,"message":"no"}}`,
			`{"state":"FAILED","pipelineJobResourceName":"job","pipelineTaskName":"t","error":{"code":9,"message":"no"}}`},
		{`{"state":"CANCELED"}`, `{"state":"CANCELLED","pipelineJobResourceName":"","pipelineTaskName":"","error":{"code":0,"message":""}}`},
		{`{"state":"CANCELLED"}`, `{"state":"CANCELLED","pipelineJobResourceName":"","pipelineTaskName":"","error":{"code":0,"message":""}}`},
		{`{"state":"Succeeded","failures":"null"}`, `{"state":"SUCCEEDED","pipelineJobResourceName":"","pipelineTaskName":"","error":{"code":0,"message":""}}`},
		{`{"state":"COMPLETE"}`, `{"state":"SUCCEEDED","pipelineJobResourceName":"","pipelineTaskName":"","error":{"code":0,"message":""}}`},
		{`{"state":"Error","failures":null}`, `{"state":"FAILED","pipelineJobResourceName":"","pipelineTaskName":"","error":{"code":0,"message":""}}`},
		{`{"state":"Failed","failures":` + failures + `}`, failed},
		{`{"state":"Failed","failures":` + string(once) + `}`, failed},
		{`{"state":"Failed","failures":` + string(twice) + `}`, failed},
		{`"not a status"`, `"not a status"`},
	} {
		if got := string(finalStatus(json.RawMessage(tt.in))); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}
