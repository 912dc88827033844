// Package page runs the web page of tf-serving-bench on a cluster: TensorFlow Serving serves
// the model, and the page asks its servers. Who opens the page needs a token.
package page

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/components/savedmodel"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
)

// In is what can be changed from run to run.
type In struct {
	Image    dsl.Param[string] `doc:"of the page: kfpgo build makes it of the package web"`
	Secret   dsl.Param[string] `default:"tf-serving-bench-page" doc:"whose key token has 20 characters or more"`
	Claim    dsl.Param[string] `default:"models" doc:"volume claim for the model"`
	CPUImage dsl.Param[string] `kfp:"cpu_image" default:"tensorflow/serving:2.16.1"`
	GPUImage dsl.Param[string] `kfp:"gpu_image" default:"tensorflow/serving:2.16.1-gpu"`
	Servers  dsl.Param[[]tfservingbench.Case]
}

// Out is where the page is.
type Out struct {
	URL dsl.Param[string] `kfp:"url" doc:"in the cluster"`
}

// Servers are one of each variant.
func Servers() (list []tfservingbench.Case) {
	for _, v := range tfserving.Variants() {
		list = append(list, tfservingbench.Case{Name: dsl.Const("page-" + string(v)), Variant: dsl.Const(v), Batching: dsl.Const(false), Standard: dsl.Const(false)})
	}
	return list
}

// Pipeline ends when the page is up. The page and its servers stay.
var Pipeline = dsl.Pipeline("tf-serving-bench-page", func(s *dsl.Scope, in In) Out {
	made := tfservingbench.Classifier.Call(s, dsl.None{})
	exported := savedmodel.Export.Call(s, savedmodel.In{Model: made.Out.Model})
	copied := pvcdata.CopyIn.Call(s, pvcdata.CopyInIn{Data: exported.Out.SavedModel.Any(), To: dsl.Const("/models/classifier")}, k8s.MountPVC(in.Claim, "/models"))
	served := dsl.ParallelFor(s, in.Servers, func(s *dsl.Scope, item dsl.Param[tfservingbench.Case]) tfservingbench.ServeOut {
		c := dsl.Fields(item)
		return tfservingbench.Serve.Call(s, tfservingbench.ServeIn{
			Name: c.Name, Claim: in.Claim, Variant: c.Variant, Batching: c.Batching, Standard: c.Standard, Model: copied.Out.Bytes,
			CPUImage: in.CPUImage, GPUImage: in.GPUImage, CPUStandard: in.CPUImage, GPUStandard: in.GPUImage,
		}).Out
	})
	return Page.Call(s, PageIn{Image: in.Image, Secret: in.Secret, Servers: in.Servers, Served: dsl.Collected(served.Each.Server)}).Out
}).Defaults(In{Servers: dsl.Const(Servers())})

// PageIn is the page and the servers that it asks.
type PageIn struct {
	Image   dsl.Param[string] `check:"image"`
	Secret  dsl.Param[string] `check:"name"`
	Servers dsl.Param[[]tfservingbench.Case]
	Served  dsl.Param[[]tfservingbench.Server]
	work.Limits
}

// Page deploys the page behind a Service and waits until it is up.
var Page = work.Step("page", func(ctx context.Context, in PageIn, out *Out) error {
	got, err := work.Do(ctx, in.Limits, "app.kubernetes.io/name="+name, objects(in)...)
	if err != nil {
		return err
	}
	out.URL.Set(fmt.Sprintf("http://%s.%s.svc", name, work.Field(got[1], "metadata.namespace")))
	return nil
}, nil, work.Makes("apps", "deployments"), work.Makes("", "services"))

// name is that of the Deployment and the Service.
const name = "tf-serving-bench-page"

type m = map[string]any

// objects returns the Deployment and the Service.
func objects(in PageIn) []work.Object {
	labels := map[string]string{"app.kubernetes.io/name": name}
	spec := pod.Spec{
		Image: in.Image.Get(), Args: append([]string{"-addr", ":8080", "-token-file", "/token/token"}, servers(in)...),
		Labels: labels, CPU: "1", Memory: "2Gi", Ports: map[string]int{"http": 8080}, Mounts: []pod.Mount{pod.Secret(in.Secret.Get(), "/token")},
		Patch: m{
			"automountServiceAccountToken": false,
			"securityContext":              m{"runAsNonRoot": true, "seccompProfile": m{"type": "RuntimeDefault"}},
			"containers": []any{m{
				"name":            "page",
				"readinessProbe":  m{"httpGet": m{"path": "/healthz", "port": "http"}, "periodSeconds": 2},
				"securityContext": m{"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true, "capabilities": m{"drop": []any{"ALL"}}},
			}},
		},
	}
	return []work.Object{
		{
			Manifest: m{
				"apiVersion": "apps/v1", "kind": "Deployment", "metadata": work.Meta(name, false, labels),
				"spec": m{"replicas": 1, "selector": m{"matchLabels": labels}, "template": spec.Template("page", ""), "progressDeadlineSeconds": 300},
			},
			Success: "status.readyReplicas >= 1, status.updatedReplicas >= 1", NotCondition: []string{"ReplicaFailure", "Progressing=False"},
		},
		{Manifest: m{
			"apiVersion": "v1", "kind": "Service", "metadata": work.Meta(name, false, labels),
			"spec": m{"selector": labels, "ports": []any{m{"name": "http", "port": 80, "targetPort": "http"}}},
		}},
	}
}

// servers returns the flags for the servers that are up. The page reports any other as
// not measured.
func servers(in PageIn) (flags []string) {
	for _, c := range in.Servers.Get() {
		label := string(c.Variant.Get())
		if c.Batching.Get() {
			label += "-batching"
		}
		if c.Standard.Get() {
			label += "-standard"
		}
		for _, s := range in.Served.Get() {
			if s.Model == c.Name.Get() && s.URL != "" {
				flags = append(flags, "-server", label+"="+s.URL+"/v1/models/"+s.Model)
			}
		}
	}
	return flags
}
