package engine

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

const executorOutput = `{"parameterValues": {"text": "x", "list": [1, {"a": 2}]}, "artifacts": {"model": {"artifacts": [{"name": "m", "type": {"schemaTitle": "system.Model"}, "uri": "file:///m", "metadata": {"a": 1}}]}}}`

// took reads an executor output.
func took(t testing.TB, b []byte) {
	s := &step{
		dir: t.TempDir(), arts: map[string][]run.Artifact{"model": {{Name: "m", URI: "file:///x"}}},
		c: &program.Component{Outputs: []program.Port{
			{Name: "text", Type: graph.Type{Name: "STRING"}}, {Name: "list", Type: graph.Type{Name: "LIST"}, Optional: true},
			{Name: "model", Type: graph.Type{Name: "system.Model", Artifact: true}},
		}},
	}
	out, err := s.output(b)
	if err == nil && (len(out.params["text"]) == 0 || len(out.arts["model"]) != 1) {
		t.Errorf("%s: %+v", b, out)
	}
}

// TestMutants: an executor output with null, or something else, in any place is an error of
// the step, or is all there.
func TestMutants(t *testing.T) {
	mutants.Each(t, []byte(executorOutput), func(bad []byte) { took(t, bad) })
}

// FuzzOutput reads any executor output.
func FuzzOutput(f *testing.F) {
	f.Add([]byte(executorOutput))
	f.Fuzz(func(t *testing.T, b []byte) { took(t, b) })
}
