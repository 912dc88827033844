package seldon_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/internal/tried"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/dsl"
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
