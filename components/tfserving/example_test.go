package tfserving_test

import (
	"fmt"

	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/dsl"
)

// A server on a GPU that puts up to 64 requests together, for which it waits 2
// milliseconds at most. It is asked for 16 images at once, or there would be
// nothing to put together.
func ExampleServe() {
	type In struct {
		Images dsl.Param[string] `doc:"a line for each: {\"b64\": \"...\"}, as the model takes it"`
	}
	pipeline := dsl.Pipeline("serve-resnet", func(s *dsl.Scope, in In) query.Out {
		name := dsl.Const("resnet")
		served := tfserving.Serve.Call(s, tfserving.ServeIn{
			Name: name, Claim: dsl.Const("models"), Path: dsl.Const("/resnet"), Variant: dsl.Const(tfserving.GPU1),
			Batching: dsl.Const(true), MaxBatch: dsl.Const(64), WaitMS: dsl.Const(2),
		})
		asked := tfserving.Predict.Call(s, query.In{
			URL: served.Out.URL, Model: name, Instances: dsl.Import[dsl.Dataset](s, in.Images), Parallel: dsl.Const(16),
		})
		tfserving.Remove.Call(s, tfserving.RemoveIn{Name: name}, dsl.After(asked))
		return asked.Out // the metrics have p50_ms, p90_ms and p99_ms
	})
	fmt.Println(pipeline.Check())
	// Output: <nil>
}
