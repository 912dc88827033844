// Package kserve serves models with KServe.
//
//	best := Pick.Call(s, PickIn{Models: models}).Out.Model
//	kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: best, Format: dsl.Const("sklearn")})
//
// The cluster needs KServe, and the task's service account the right to create
// InferenceServices. On this machine there is no KServe: the local engine refuses
// the task by name, unless the program gives it a stand-in with OnLocal.
package kserve

import (
	"fmt"

	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/dsl"
	_ "github.com/kfpgo/kfpgo/dsl/k8s" // does the operation where the target can't
)

// ServeIn is a model and what to serve it as.
type ServeIn struct {
	Name   dsl.Param[string] `doc:"of the InferenceService, a Kubernetes object name"`
	Model  dsl.Model         `doc:"at a URI that the cluster can read"`
	Format dsl.Param[string] `default:"onnx" doc:"a model format of one of the cluster's serving runtimes"`
}

// ServeOut is where the model is served.
type ServeOut struct {
	URL dsl.Param[string] `jsonpath:"{.status.url}"`
}

const inferenceService = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: "%v"
spec:
  predictor:
    model:
      modelFormat: {name: "%v"}
      storageUri: "%v"
`

// Serve creates or updates an InferenceService and waits until it has a URL.
var Serve = dsl.Resource("kserve-serve", func(in ServeIn, _ ServeOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Apply,
		Manifest: fmt.Sprintf(inferenceService, in.Name, in.Format, in.Model.URI()),
		Success:  "status.url",
	}
})

// RemoveIn names an InferenceService.
type RemoveIn struct{ Name dsl.Param[string] }

// Remove deletes an InferenceService. That it isn't there is no error.
var Remove = dsl.Resource("kserve-remove", func(in RemoveIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Delete,
		Manifest: fmt.Sprintf("apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata:\n  name: \"%v\"\n", in.Name),
	}
})

// Query and QueryV2 ask a model at the URL of Serve: in the protocol of TensorFlow
// Serving, and in the Open Inference protocol.
var (
	Query   = query.V1
	QueryV2 = query.V2
)
