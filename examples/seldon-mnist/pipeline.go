// Package seldonmnist serves a trained model with Seldon and asks it for a thousand
// test images.
package seldonmnist

import (
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/dsl"
)

// In is where things are.
type In struct {
	Model   dsl.Param[string] `default:"s3://models/mnist" doc:"a SavedModel"`
	Images  dsl.Param[string] `default:"s3://data/mnist/images.jsonl" doc:"784 numbers on each line"`
	Labels  dsl.Param[string] `default:"s3://data/mnist/labels.txt"`
	Ingress dsl.Param[string] `default:"http://istio-ingressgateway.istio-system"`
}

// Pipeline fails if fewer than 95 of 100 answers are right.
var Pipeline = dsl.Pipeline("seldon-mnist", func(s *dsl.Scope, in In) query.Out {
	model := dsl.Import[dsl.Model](s, in.Model)
	served := seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("mnist"), Model: model, Secret: dsl.Const("minio")})
	return seldon.Query.Call(s, query.In{
		URL:       dsl.Sprintf("%s/seldon/%s/mnist", in.Ingress, served.Out.Namespace),
		Instances: dsl.Import[dsl.Dataset](s, in.Images), Labels: dsl.Import[dsl.Dataset](s, in.Labels),
		Limit: dsl.Const(1000), Accuracy: dsl.Const(0.95),
	}).Out
})
