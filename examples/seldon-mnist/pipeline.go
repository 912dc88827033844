// Package seldonmnist trains a classifier on MNIST, serves it with Seldon and asks it
// for a thousand test images.
package seldonmnist

import (
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/digits"
)

// In is where the data are, and what the server may read the model with.
type In struct {
	Source dsl.Param[string] `default:"https://storage.googleapis.com/cvdf-datasets/mnist" doc:"folder on the web with the four files of MNIST"`
	Secret dsl.Param[string] `default:"minio" doc:"with the credentials of the storage"`
}

// Train runs in the image of Seldon's own server for scikit-learn.
var Train = digits.Trainer("seldonio/sklearnserver:1.18.2")

// Pipeline fails if fewer than 95 of 100 answers are right. The server goes at the end.
var Pipeline = dsl.Pipeline("seldon-mnist", func(s *dsl.Scope, in In) dsl.None {
	name := dsl.Const("mnist")
	dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { seldon.Remove.Call(s, seldon.RemoveIn{Name: name}) })
	trained := Train.Call(s, digits.Fetch(s, in.Source)).Out
	served := seldon.Serve.Call(s, seldon.ServeIn{Name: name, Model: trained.Model, Server: dsl.Const("SKLEARN_SERVER"), Secret: in.Secret})
	seldon.Query.Call(s, query.In{URL: served.Out.URL, Instances: trained.Images, Labels: trained.Labels, Accuracy: dsl.Const(0.95)})
	return dsl.None{}
})
