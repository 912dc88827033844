// Package tfservingbench compares TensorFlow Serving on one CPU, eight CPUs and a
// GPU: the same images are posted to each, and the latencies are in the metrics.
package tfservingbench

import (
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/dsl"
)

// In is where the images are, and whether the servers put requests together.
type In struct {
	Images   dsl.Param[string] `default:"s3://data/images.jsonl" doc:"an image on each line, as the model takes it"`
	Batching dsl.Param[bool]   `default:"false"`
}

// Pipeline serves, asks and removes each server.
var Pipeline = dsl.Pipeline("tf-serving-bench", func(s *dsl.Scope, in In) dsl.None {
	images := dsl.Import[dsl.Dataset](s, in.Images)
	for _, v := range tfserving.Variants() {
		name := dsl.Const("resnet-" + string(v))
		served := tfserving.Serve.Call(s, tfserving.ServeIn{
			Name: name, Claim: dsl.Const("models"), Path: dsl.Const("/resnet"),
			Variant: dsl.Const(v), Batching: in.Batching, Service: dsl.Const(tfserving.NodePort),
		})
		asked := tfserving.Predict.Call(s, query.In{URL: served.Out.URL, Model: name, Instances: images}, dsl.Named("ask "+string(v)))
		tfserving.Remove.Call(s, tfserving.RemoveIn{Name: name}, dsl.After(asked))
	}
	return dsl.None{}
})
