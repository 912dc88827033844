package seldon_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/internal/tried"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/kubefake"
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

const inputs = `{"name": "mnist", "model": {"uri": "s3://models/mnist"}, "secret": "minio"}`

// TestServe: what is sent to the cluster, and what its states say.
func TestServe(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"SeldonDeployment": {
		{"state": "Creating"}, {"state": "Available", "address": map[string]any{"url": "http://mnist.team-a/api/v1.0/predictions"}},
	}}}).Start(t)
	got, err := tried.Operate(t, seldon.Serve, inputs)
	if want := `{"name":"mnist","namespace":"team-a","url":"http://mnist.team-a/api/v1.0/predictions"}`; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	tried.Sent(t, c, "seldon")
	(&kubefake.Cluster{States: map[string][]map[string]any{"SeldonDeployment": {{"state": "Failed", "message": "no such model"}}}}).Start(t)
	_, err = tried.Operate(t, seldon.Serve, inputs)
	tried.Fails(t, err, "SeldonDeployment mnist in namespace team-a has failed: status.state == Failed; no such model")
}
