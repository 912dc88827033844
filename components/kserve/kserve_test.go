package kserve_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/golden"
	"github.com/kfpgo/kfpgo/internal/graph"
)

type pipelineIn struct{ URI dsl.Param[string] }

type pipelineOut struct{ URL dsl.Param[string] }

var pipeline = dsl.Pipeline("serve-a-model", func(s *dsl.Scope, in pipelineIn) pipelineOut {
	model := dsl.Import[dsl.Model](s, in.URI)
	served := kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: model, Format: dsl.Const("sklearn")})
	return pipelineOut{URL: served.Out.URL}
})

// TestDefinition: the component has no mistakes, and a pipeline that uses it is
// recorded as the golden file says.
func TestDefinition(t *testing.T) {
	for _, d := range []dsl.Definition{kserve.Serve, pipeline} {
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", d.Name(), err)
		}
	}
	var got bytes.Buffer
	g := dsl.Graph(pipeline)
	graph.Fprint(&got, g, g.Component(1))
	golden.Check(t, "testdata/pipeline.golden", got.Bytes())
}

// TestManifest: the inputs fill in the object's fields, quoted.
func TestManifest(t *testing.T) {
	got := dsl.Graph(kserve.Serve).Component(1).Resource
	want := `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: "{{$.inputs.parameters['name']}}"
spec:
  predictor:
    model:
      modelFormat: {name: "{{$.inputs.parameters['format']}}"}
      storageUri: "{{$.inputs.artifacts['model'].uri}}"
`
	if diff := cmp.Diff(want, got.Manifest); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	if got.Action != "apply" || got.Success != "status.url" {
		t.Errorf("got %s until %s", got.Action, got.Success)
	}
}
