// Package seldon serves models with Seldon Core 1.
//
//	served := seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("mnist"), Model: train.Out.Model})
//	seldon.Query.Call(s, query.In{URL: served.Out.URL, Instances: test})
//
// From elsewhere than the cluster the URL is that of an ingress:
//
//	dsl.Sprintf("http://ingress.example.org/seldon/%s/%s", served.Out.Namespace, served.Out.Name)
package seldon

import (
	"context"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// ServeIn is a model and what to serve it with.
type ServeIn struct {
	Name           dsl.Param[string]        `doc:"of the SeldonDeployment, a Kubernetes object name" check:"name"`
	Model          dsl.Model                `doc:"at a URI that the cluster can read"`
	Server         dsl.Param[string]        `default:"TENSORFLOW_SERVER" doc:"a prepackaged server, such as SKLEARN_SERVER"`
	Replicas       dsl.Param[int]           `default:"1" check:"min=1"`
	Protocol       dsl.Param[string]        `default:"seldon" doc:"seldon, tensorflow or v2"`
	ServiceAccount dsl.Param[string]        `kfp:",optional" doc:"that may read the model" check:"name"`
	Secret         dsl.Param[string]        `kfp:",optional" doc:"with the credentials of the storage (envSecretRefName)" check:"name"`
	Placement      dsl.Param[pod.Placement] `kfp:",optional" doc:"where the server's pods run, and their CPU, memory and GPUs"`
	work.Limits
}

// ServeOut is where the model is served.
type ServeOut struct {
	Name      dsl.Param[string]
	Namespace dsl.Param[string]
	URL       dsl.Param[string] `kfp:"url" doc:"in the cluster, with the path of the API"`
}

type m = map[string]any

const api = "machinelearning.seldon.io/v1"

var serverForm = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)

// protocols are those that Seldon Core 1 knows.
var protocols = []string{"seldon", "tensorflow", "v2", "kfserving"}

// manifest returns the SeldonDeployment.
func manifest(in ServeIn, uri string) map[string]any {
	graph := m{"name": unit, "implementation": in.Server.Get(), "modelUri": uri}
	for field, v := range map[string]dsl.Param[string]{"serviceAccountName": in.ServiceAccount, "envSecretRefName": in.Secret} {
		if s, ok := v.Lookup(); ok {
			graph[field] = s
		}
	}
	predictor := m{"name": "default", "replicas": in.Replicas.Get(), "graph": graph}
	if spec := podSpec(in); spec != nil {
		predictor["componentSpecs"] = []any{m{"spec": spec}}
	}
	return m{
		"apiVersion": api, "kind": "SeldonDeployment", "metadata": work.Meta(in.Name.Get(), false, nil),
		"spec": m{
			"name": in.Name.Get(), "protocol": in.Protocol.Get(),
			"predictors": []any{predictor},
		},
	}
}

// unit is the name of the model in the graph, which is that of its container.
const unit = "classifier"

// podSpec returns what Seldon's operator fills with the prepackaged server, or nil. In
// the protocol seldon, TensorFlow Serving runs in a second container, behind a proxy.
func podSpec(in ServeIn) map[string]any {
	placement, ok := in.Placement.Lookup()
	if !ok {
		return nil
	}
	container := m{"name": unit}
	if in.Server.Get() == "TENSORFLOW_SERVER" && in.Protocol.Get() != "tensorflow" {
		container["name"] = "tfserving"
	}
	if r := placement.Resources(); r != nil {
		container["resources"] = r
	}
	spec := placement.Fields()
	spec["containers"] = []any{container}
	return spec
}

// right is that of what makes and removes them.
var right = work.Makes("machinelearning.seldon.io", "seldondeployments")

// Serve creates or updates a SeldonDeployment and waits until it is available.
var Serve = work.Step("seldon-serve", func(ctx context.Context, in ServeIn, out *ServeOut) error {
	uri, err := work.Address(in.Model)
	if err != nil {
		return err
	}
	got, err := work.Do(ctx, in.Limits, "seldon-deployment-id={name}", work.Object{
		Manifest: manifest(in, uri), Success: "status.state == Available, status.address.url", Failure: "status.state == Failed",
	})
	if err != nil {
		return err
	}
	out.Name.Set(work.Field(got[0], "metadata.name"))
	out.Namespace.Set(work.Field(got[0], "metadata.namespace"))
	out.URL.Set(work.Field(got[0], "status.address.url"))
	return nil
}, func(c *work.Call) {
	c.Short("name", 45) // with its suffix it must fit in the name of a Service
	work.OneOf(c, "protocol", protocols...)
	if s, ok := work.Arg[string](c, "server"); ok && !serverForm.MatchString(s) {
		c.Errorf("input server: %q is not a server, such as SKLEARN_SERVER", s)
	}
}, right)

// RemoveIn names a SeldonDeployment.
type RemoveIn = work.RemoveIn

// Remove deletes a SeldonDeployment. That it isn't there is no error.
var Remove = work.Remove("seldon-remove", func(name string) []work.Object {
	return []work.Object{work.Gone(api, "SeldonDeployment", name)}
}, right)

// Query asks a model in Seldon's protocol, with names X1, X2 and so on, at
// URL/api/v1.0/predictions. URL is that of Serve, or that of an ingress with
// /seldon/NAMESPACE/NAME.
var Query = query.Seldon
