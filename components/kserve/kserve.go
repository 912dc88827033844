// Package kserve serves models with KServe.
//
//	best := Pick.Call(s, PickIn{Models: models}).Out.Model
//	kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: best, Format: dsl.Const("sklearn")})
//
// The cluster needs KServe, and the task's service account the right to create
// InferenceServices. On this machine the cluster is that of the file that KUBECONFIG
// names.
package kserve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// ServeIn is a model and what to serve it as.
type ServeIn struct {
	Name           dsl.Param[string]        `doc:"of the InferenceService, a Kubernetes object name" check:"name"`
	Model          dsl.Model                `doc:"at a URI that the cluster can read"`
	Format         dsl.Param[string]        `default:"onnx" doc:"a model format of one of the cluster's serving runtimes"`
	Runtime        dsl.Param[string]        `kfp:",optional" doc:"a serving runtime; default: one that has the format" check:"name"`
	ServiceAccount dsl.Param[string]        `kfp:",optional" doc:"with the credentials of the model's storage (serviceAccountName)" check:"name"`
	Placement      dsl.Param[pod.Placement] `kfp:",optional" doc:"where the predictor's pods run, and their CPU, memory and GPUs; default: those of the runtime"`
	work.Limits
}

// ServeOut is where the model is served.
type ServeOut struct {
	URL dsl.Param[string] `doc:"in the cluster, or of its ingress"`
}

type m = map[string]any

const api = "serving.kserve.io/v1beta1"

// manifest returns the InferenceService.
func manifest(in ServeIn, uri string) map[string]any {
	model := m{"modelFormat": m{"name": in.Format.Get()}, "storageUri": uri}
	if r, ok := in.Runtime.Lookup(); ok {
		model["runtime"] = r
	}
	placement := in.Placement.Get()
	if r := placement.Resources(); r != nil {
		model["resources"] = r
	}
	predictor := placement.Fields()
	predictor["model"] = model
	if a, ok := in.ServiceAccount.Lookup(); ok {
		predictor["serviceAccountName"] = a
	}
	return m{"apiVersion": api, "kind": "InferenceService", "metadata": work.Meta(in.Name.Get(), false, nil), "spec": m{"predictor": predictor}}
}

// right is that of what makes and removes them.
var right = work.Makes("serving.kserve.io", "inferenceservices")

// Serve creates or updates an InferenceService and waits until it is ready. A model
// that can't be loaded fails it, with what the server says.
var Serve = work.Step("kserve-serve", func(ctx context.Context, in ServeIn, out *ServeOut) error {
	uri, err := work.Address(in.Model)
	if err != nil {
		return err
	}
	if scheme, _, _ := strings.Cut(uri, "://"); !slices.Contains(schemes, scheme) {
		return fmt.Errorf("the model is at %s, and KServe reads %s:// only; store it there (on KFP: the pipeline root)", uri, strings.Join(schemes, "://, "))
	}
	got, err := work.Do(ctx, in.Limits, "serving.kserve.io/inferenceservice={name}", work.Object{
		Manifest: manifest(in, uri), Condition: []string{"Ready"}, Success: "status.url",
		Failure: "status.modelStatus.transitionStatus in (InvalidSpec, BlockedByFailedLoad)",
	})
	if err != nil {
		return err
	}
	// The first is where no ingress is in between.
	out.URL.Set(cmp.Or(work.Field(got[0], "status.address.url"), work.Field(got[0], "status.url")))
	return nil
}, func(c *work.Call) {
	c.Short("name", 40) // with its suffix it must fit in the name of a host
	if f, ok := work.Arg[string](c, "format"); ok && !formatForm.MatchString(f) {
		c.Errorf("input format: %q is not a model format, such as sklearn or onnx", f)
	}
}, right)

var formatForm = lazyregexp.New(`^[A-Za-z0-9][-A-Za-z0-9_.]*$`)

// schemes are those that KServe's storage initializer reads. Of any other its
// controller says something in its own log only, and the object stays without a status.
var schemes = []string{"gs", "s3", "pvc", "http", "https", "hdfs", "webhdfs", "oci", "hf"}

// RemoveIn names an InferenceService.
type RemoveIn = work.RemoveIn

// Remove deletes an InferenceService. That it isn't there is no error.
var Remove = work.Remove("kserve-remove", func(name string) []work.Object {
	return []work.Object{work.Gone(api, "InferenceService", name)}
}, right)

// Query and QueryV2 ask a model at the URL of Serve: in the protocol of TensorFlow
// Serving, and in the Open Inference protocol.
var (
	Query   = query.V1
	QueryV2 = query.V2
)
