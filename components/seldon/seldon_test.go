package seldon_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Model, Test dsl.Param[string] }

var pipeline = dsl.Pipeline("seldon", func(s *dsl.Scope, in pipelineIn) query.Out {
	served := seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("mnist"), Model: dsl.Import[dsl.Model](s, in.Model), Secret: dsl.Const("minio")})
	asked := seldon.Query.Call(s, query.In{
		URL:       dsl.Sprintf("http://istio-ingress/seldon/%s/mnist", served.Out.Namespace),
		Instances: dsl.Import[dsl.Dataset](s, in.Test), Version: dsl.Const("v0.1"),
	})
	seldon.Remove.Call(s, seldon.RemoveIn{Name: served.Out.Name}, dsl.After(asked))
	return asked.Out
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func mnist() seldon.ServeIn {
	return seldon.ServeIn{Name: dsl.Const("mnist"), Model: dsl.File[dsl.Model]("s3://models/mnist"), Secret: dsl.Const("minio")}
}

// TestServe: what is sent to the cluster, and what its states say.
func TestServe(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"SeldonDeployment": {
		{"state": "Creating"}, {"state": "Available", "address": map[string]any{"url": "http://mnist.team-a/api/v1.0/predictions"}},
	}}}).Start(t)
	out, err := seldon.Serve.Run(t.Context(), mnist())
	if got, want := out.Name.Get()+" "+out.Namespace.Get()+" "+out.URL.Get(), "mnist team-a http://mnist.team-a/api/v1.0/predictions"; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	tried.Sent(t, c, "seldon")
	if _, err := seldon.Remove.Run(t.Context(), seldon.RemoveIn{Name: dsl.Const("mnist")}); err != nil {
		t.Error(err)
	}
	c = (&kubefake.Cluster{States: map[string][]map[string]any{"SeldonDeployment": {{"state": "Failed", "description": "no such model"}}}}).Start(t)
	_, err = seldon.Serve.Run(t.Context(), mnist())
	tried.Fails(t, err, "SeldonDeployment mnist in namespace team-a has failed: status.state == Failed; no such model")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestPlaced: the container that gets the GPU is that of the model's server, which is a
// second one where a proxy translates the protocol.
func TestPlaced(t *testing.T) {
	for name, in := range map[string]seldon.ServeIn{
		"placed":            {Server: dsl.Const("SKLEARN_SERVER")},
		"placed-tensorflow": {Protocol: dsl.Const("tensorflow")},
		"placed-proxy":      {},
	} {
		in.Name, in.Model = dsl.Const("mnist"), mnist().Model
		in.Placement = dsl.Const(pod.Placement{GPUs: 1, CPU: "2", NodeSelector: map[string]string{"gpu": "t4"}})
		c := (&kubefake.Cluster{States: map[string][]map[string]any{"SeldonDeployment": {{"state": "Available", "address": map[string]any{"url": "http://mnist.team-a"}}}}}).Start(t)
		if _, err := seldon.Serve.Run(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		tried.Sent(t, c, name)
	}
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, in pipelineIn) dsl.None {
	model := dsl.Import[dsl.Model](s, in.Model)
	seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("a"), Model: model, Protocol: dsl.Const("v3")}) // want "input protocol is .v3.; there are seldon"
	seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("a"), Model: model, Replicas: dsl.Const(0)})    // want "input replicas: 0 is less than 1"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "seldon_test.go", misused) }
