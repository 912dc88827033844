package kserve_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/components/internal/tried"
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/golden"
	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/kubefake"
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

// TestServe: what is sent to the cluster, which test/systems decodes into KServe's
// own type, and what comes back.
func TestServe(t *testing.T) {
	const inputs = `{"name": "digits", "model": {"uri": "s3://models/digits"}, "format": "sklearn"}`
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"InferenceService": {{}, {"url": "http://digits.team-a.example.org"}}}}).Start(t)
	got, err := tried.Operate(t, kserve.Serve, inputs)
	if want := `{"url":"http://digits.team-a.example.org"}`; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	tried.Sent(t, c, "inferenceservice")
	if _, err := tried.Operate(t, kserve.Remove, `{"name": "digits"}`); err != nil {
		t.Error(err)
	}
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
