// Package seldon serves models with Seldon Core 1.
//
//	served := seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("mnist"), Model: train.Out.Model})
//	seldon.Query.Call(s, query.In{URL: dsl.Sprintf("http://istio-ingress/seldon/%s/mnist", served.Out.Namespace), Instances: test})
package seldon

import (
	"fmt"

	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/dsl"
	_ "github.com/kfpgo/kfpgo/dsl/k8s" // does the operation where the target can't
)

// ServeIn is a model and what to serve it with.
type ServeIn struct {
	Name           dsl.Param[string] `doc:"of the SeldonDeployment, a Kubernetes object name"`
	Model          dsl.Model         `doc:"at a URI that the cluster can read"`
	Server         dsl.Param[string] `default:"TENSORFLOW_SERVER" doc:"a prepackaged server, such as SKLEARN_SERVER"`
	Replicas       dsl.Param[int]    `default:"1"`
	Protocol       dsl.Param[string] `default:"seldon" doc:"seldon, tensorflow or v2"`
	ServiceAccount dsl.Param[string] `kfp:",optional" doc:"that may read the model"`
	Secret         dsl.Param[string] `kfp:",optional" doc:"with the credentials of the storage (envSecretRefName)"`
}

// ServeOut is where the model is served.
type ServeOut struct {
	Name      dsl.Param[string] `jsonpath:"{.metadata.name}"`
	Namespace dsl.Param[string] `jsonpath:"{.metadata.namespace}"`
	URL       dsl.Param[string] `kfp:"url" jsonpath:"{.status.address.url}" doc:"in the cluster, with the path of the API"`
}

const deployment = `apiVersion: machinelearning.seldon.io/v1
kind: SeldonDeployment
metadata:
  name: "%[1]v"
spec:
  name: "%[1]v"
  protocol: "%[5]v"
  predictors:
  - name: default
    replicas: %[4]v
    graph:
      name: classifier
      implementation: "%[3]v"
      modelUri: "%[2]v"
      serviceAccountName: %[6]v
      envSecretRefName: %[7]v
`

// Serve creates or updates a SeldonDeployment and waits until it is available.
var Serve = dsl.Resource("seldon-serve", func(in ServeIn, _ ServeOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Apply,
		Manifest: fmt.Sprintf(deployment, in.Name, in.Model.URI(), in.Server, in.Replicas, in.Protocol, in.ServiceAccount, in.Secret),
		Success:  "status.state == Available, status.address.url",
		Failure:  "status.state == Failed",
	}
})

// RemoveIn names a SeldonDeployment.
type RemoveIn struct{ Name dsl.Param[string] }

// Remove deletes a SeldonDeployment. That it isn't there is no error.
var Remove = dsl.Resource("seldon-remove", func(in RemoveIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Delete,
		Manifest: fmt.Sprintf("apiVersion: machinelearning.seldon.io/v1\nkind: SeldonDeployment\nmetadata:\n  name: \"%v\"\n", in.Name),
	}
})

// Query asks a model in Seldon's protocol, with names X1, X2 and so on, at
// URL/api/v1.0/predictions; URL is that of an ingress and /seldon/NAMESPACE/NAME.
var Query = query.Seldon
