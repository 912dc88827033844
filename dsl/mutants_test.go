package dsl

import (
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: an executor input with null, or something else, in any place is an error of
// the step, or its output is JSON.
func TestMutants(t *testing.T) {
	t.Chdir(t.TempDir()) // where a path may be relative
	const good = `{"inputs": {"parameterValues": {"a": 1, "b": 2.5, "note": "x", "at": "2030-01-02T03:04:05Z"}, "artifacts": {"data": {"artifacts": [{"name": "d", "type": {"schemaTitle": "system.Dataset"}, "uri": "s3://b/d", "metadata": {"n": 1}}]}}},
		"outputs": {"parameters": {"text": {"outputFile": ""}}, "artifacts": {"model": {"artifacts": [{"name": "m", "uri": "s3://b/m", "metadata": {}}]}}}, "kfpgo": {"v": 1, "outputs": "local"}}`
	mutants.Each(t, []byte(good), func(bad []byte) {
		if out, err := exec.c.Run(t.Context(), bad); err == nil && !json.Valid(out) {
			t.Errorf("%s", out)
		}
	})
	mutants.Each(t, []byte(`{"state": "FAILED", "error": {"code": 1, "message": "x"}, "failures": "[{}]", "pipelineJobResourceName": "a", "pipelineTaskName": "b", "x": [{"y": 1}, 2, 3], "z": [1, 2, 3]}`), func(bad []byte) {
		if out := finalStatus(bad); !json.Valid(out) {
			t.Errorf("%s: %s", bad, out)
		}
	})
}
