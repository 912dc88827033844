package argo

import (
	"encoding/json"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// read reads an answer as a Workflow, and all that the client says of one.
func read(b []byte) {
	var w wfv1.Workflow
	if json.Unmarshal(b, &w) != nil {
		return
	}
	runOf(&w, true)
	build := lineage.NewBuilder()
	addWorkflow(build, &w)
	build.Graph()
	again(&w)
}

func answers() []string {
	return []string{failed, `{"metadata": {"name": "w1", "labels": {"a": "b"}, "annotations": {"a": "b"}}, "spec": {"arguments": {"parameters": [{"name": "n", "value": "1"}]}, "suspend": true, "shutdown": "Stop"}, "status": {"phase": "Succeeded", "nodes": ` + strings.ReplaceAll(nodes, "HTTP", "http://x") + `}}`}
}

// TestMutants: a Workflow with null, or something else, in any place is refused, or read
// for what it still says.
func TestMutants(t *testing.T) {
	for _, a := range answers() {
		mutants.Each(t, []byte(a), read)
	}
	read([]byte(`{"metadata": {"name": "w"}, "status": {"nodes": {"a": {"id": "a", "boundaryID": "a", "type": "Pod"}, "b": {"id": "b", "boundaryID": "c"}, "c": {"id": "c", "boundaryID": "b"}}}}`)) // it ends
}

// FuzzAnswers reads any Workflow.
func FuzzAnswers(f *testing.F) {
	for _, a := range answers() {
		f.Add([]byte(a))
	}
	f.Fuzz(func(t *testing.T, b []byte) { read(b) })
}
