// Package kservemnist trains a classifier on MNIST, serves it with KServe and asks it
// for a thousand test images in both of its protocols.
package kservemnist

import (
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/digits"
)

// In is where the data are.
type In struct {
	Source dsl.Param[string] `default:"https://storage.googleapis.com/cvdf-datasets/mnist" doc:"folder on the web with the four files of MNIST"`
}

// Train runs in the image of KServe's own server for scikit-learn.
var Train = digits.Trainer("kserve/sklearnserver:v0.15.2")

// Pipeline fails if fewer than 95 of 100 answers are right. The server goes at the end.
var Pipeline = dsl.Pipeline("kserve-mnist", func(s *dsl.Scope, in In) dsl.None {
	name := dsl.Const("mnist")
	dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { kserve.Remove.Call(s, kserve.RemoveIn{Name: name}) })
	trained := Train.Call(s, digits.Fetch(s, in.Source)).Out
	served := kserve.Serve.Call(s, kserve.ServeIn{Name: name, Model: trained.Model, Format: dsl.Const("sklearn")})
	ask := query.In{URL: served.Out.URL, Model: name, Instances: trained.Images, Labels: trained.Labels, Accuracy: dsl.Const(0.95)}
	kserve.Query.Call(s, ask)
	kserve.QueryV2.Call(s, ask)
	return dsl.None{}
})
