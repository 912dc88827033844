// Package kservemnist serves a trained model with KServe and asks it for a thousand
// test images.
package kservemnist

import (
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/dsl"
)

// In is where things are.
type In struct {
	Model  dsl.Param[string] `default:"s3://models/mnist" doc:"a SavedModel"`
	Images dsl.Param[string] `default:"s3://data/mnist/images.jsonl" doc:"784 numbers on each line"`
	Labels dsl.Param[string] `default:"s3://data/mnist/labels.txt"`
}

// Pipeline fails if fewer than 95 of 100 answers are right.
var Pipeline = dsl.Pipeline("kserve-mnist", func(s *dsl.Scope, in In) query.Out {
	model := dsl.Import[dsl.Model](s, in.Model)
	served := kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("mnist"), Model: model, Format: dsl.Const("tensorflow")})
	return kserve.Query.Call(s, query.In{
		URL: served.Out.URL, Model: dsl.Const("mnist"),
		Instances: dsl.Import[dsl.Dataset](s, in.Images), Labels: dsl.Import[dsl.Dataset](s, in.Labels),
		Limit: dsl.Const(1000), Accuracy: dsl.Const(0.95),
	}).Out
})
