// Package tfserving serves SavedModels with TensorFlow Serving, behind a Service,
// in the variants that are usually compared: one CPU, eight CPUs and one GPU.
//
//	served := tfserving.Serve.Call(s, tfserving.ServeIn{
//		Name: dsl.Const("resnet"), Claim: dsl.Const("models"), Path: dsl.Const("/resnet"), Variant: dsl.Const(tfserving.GPU1),
//	})
//	tfserving.Predict.Call(s, query.In{URL: served.Out.URL, Model: dsl.Const("resnet"), Instances: images})
package tfserving

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
)

// A Variant is what a server runs on.
type Variant string

// The variants.
const (
	CPU1 Variant = "cpu1" // one CPU
	CPU8 Variant = "cpu8" // eight CPUs
	GPU1 Variant = "gpu1" // one GPU
)

// Variants are all of them, for a dsl.ParallelFor.
func Variants() []Variant { return []Variant{CPU1, CPU8, GPU1} }

// A ServiceType says from where a Service is reached.
type ServiceType string

// The types of Kubernetes.
const (
	ClusterIP    ServiceType = "ClusterIP"    // in the cluster
	NodePort     ServiceType = "NodePort"     // at a port of each node
	LoadBalancer ServiceType = "LoadBalancer" // at an address of its own
)

// ServeIn is a server.
type ServeIn struct {
	Name     dsl.Param[string]            `doc:"of the Deployment, the Service and the model" check:"name"`
	Claim    dsl.Param[string]            `kfp:",optional" doc:"volume claim that has the model; or give URI" check:"name"`
	URI      dsl.Param[string]            `kfp:"uri,optional" doc:"s3:// or gs:// of the model's folder, which has a folder for each version"`
	Path     dsl.Param[string]            `default:"/" doc:"of the model's folder in the claim"`
	Variant  dsl.Param[Variant]           `default:"cpu1" doc:"cpu1, cpu8 or gpu1"`
	Image    dsl.Param[string]            `kfp:",optional" doc:"default: tensorflow/serving:2.16.1, with -gpu for gpu1" check:"image"`
	Memory   dsl.Param[string]            `default:"4Gi" check:"memory"`
	Replicas dsl.Param[int]               `default:"1" check:"min=1"`
	Service  dsl.Param[ServiceType]       `default:"ClusterIP" doc:"ClusterIP, NodePort or LoadBalancer"`
	Batching dsl.Param[bool]              `default:"false" doc:"whether requests are put together"`
	MaxBatch dsl.Param[int]               `default:"32" doc:"with batching: requests at most" check:"min=1"`
	WaitMS   dsl.Param[int]               `kfp:"batch_wait_ms" default:"5" doc:"with batching: how long a request waits for others" check:"min=0"`
	Env      dsl.Param[map[string]string] `kfp:",optional" doc:"variables, such as those of an S3 endpoint" check:"env"`

	Placement dsl.Param[pod.Placement] `kfp:",optional" doc:"where the pods run, and what they get in place of what Variant and Memory say; gpu1 tolerates the taint nvidia.com/gpu, unless this lists tolerations"`
	work.Limits
}

// ServeOut is where the model is served.
type ServeOut struct {
	URL  dsl.Param[string] `kfp:"url" doc:"of the REST API: in the cluster, or of the load balancer"`
	Port dsl.Param[int]    `kfp:"node_port" doc:"of each node, for NodePort and LoadBalancer; 0: none"`

	PullSeconds dsl.Param[float64] `doc:"how long a node took to pull the image; 0: it was there already, or the node reports nothing"`
	ImageBytes  dsl.Param[int]     `doc:"size of the image, if the node that pulled it reports it; 0: it doesn't"`
}

// The server's container and its ports.
const (
	container = "server"

	grpcPort = 8500
	restPort = 8501
)

type m = map[string]any

// objects returns the manifests: the Deployment, the Service, and with batching a
// ConfigMap in front of them.
func objects(in ServeIn) []work.Object {
	name, labels := in.Name.Get(), map[string]string{"app.kubernetes.io/name": "tfserving", "app.kubernetes.io/instance": in.Name.Get()}
	base := in.URI.Get()
	spec := pod.Spec{Image: in.Image.Get(), Memory: in.Memory.Get(), Labels: labels, Env: in.Env.Get(), CPU: "1"}
	if in.Claim.Get() != "" {
		base = "/models/" + name
		spec.Mounts = append(spec.Mounts, pod.Mount{
			Path: base, SubPath: strings.Trim(in.Path.Get(), "/"), ReadOnly: true,
			Volume: m{"persistentVolumeClaim": m{"claimName": in.Claim.Get(), "readOnly": true}},
		})
	}
	args := []string{"--port=8500", "--rest_api_port=8501", "--model_name=" + name, "--model_base_path=" + base}
	gpu := "" // of the image's tag
	switch in.Variant.Get() {
	case CPU8:
		spec.CPU = "8"
	case GPU1:
		spec.CPU, spec.GPUs, gpu = "2", 1, "-gpu"
	}
	threads := spec.CPU
	spec = in.Placement.Get().Over(spec)
	if gpu == "" {
		args = append(args, "--tensorflow_intra_op_parallelism="+threads, "--tensorflow_inter_op_parallelism="+threads)
	}
	spec.Image = cmp.Or(spec.Image, "tensorflow/serving:2.16.1"+gpu)
	var objects []work.Object
	if in.Batching.Get() {
		text := fmt.Sprintf("max_batch_size { value: %d }\nbatch_timeout_micros { value: %d }\nnum_batch_threads { value: %s }\n", in.MaxBatch.Get(), 1000*in.WaitMS.Get(), threads)
		objects = append(objects, work.Object{Manifest: m{"apiVersion": "v1", "kind": "ConfigMap", "metadata": work.Meta(name+"-batching", false, labels), "data": m{"batching.txt": text}}})
		spec.Mounts = append(spec.Mounts, pod.Mount{Path: "/batching", ReadOnly: true, Volume: m{"configMap": m{"name": name + "-batching"}}})
		args = append(args, "--enable_batching=true", "--batching_parameters_file=/batching/batching.txt")
	}
	spec.Command, spec.Args = []string{"tensorflow_model_server"}, args
	spec.Ports = map[string]int{"grpc": grpcPort, "rest": restPort}
	template := spec.Template(container, "")
	c := template["spec"].(m)["containers"].([]any)[0].(m)
	c["readinessProbe"] = m{"httpGet": m{"path": "/v1/models/" + name, "port": restPort}, "periodSeconds": 2, "failureThreshold": 3}
	deployment := m{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": work.Meta(name, false, labels),
		"spec": m{"replicas": in.Replicas.Get(), "selector": m{"matchLabels": labels}, "template": template, "progressDeadlineSeconds": 900},
	}
	service := m{
		"apiVersion": "v1", "kind": "Service", "metadata": work.Meta(name, false, labels),
		"spec": m{"type": string(in.Service.Get()), "selector": labels, "ports": []any{
			m{"name": "grpc", "port": grpcPort, "targetPort": "grpc"}, m{"name": "rest", "port": restPort, "targetPort": "rest"},
		}},
	}
	success := ""
	if in.Service.Get() == LoadBalancer {
		success = "status.loadBalancer.ingress"
	}
	return append(objects,
		work.Object{
			Manifest: deployment, Success: fmt.Sprintf("status.readyReplicas >= %d, status.updatedReplicas >= %d", in.Replicas.Get(), in.Replicas.Get()),
			NotCondition: []string{"ReplicaFailure", "Progressing=False"},
		},
		work.Object{Manifest: service, Success: success})
}

// rights are those of what makes and removes servers.
var rights = []work.Right{work.Makes("apps", "deployments"), work.Makes("", "services"), work.Makes("", "configmaps")}

// Serve creates or updates a server and waits until it has the model and can be
// reached.
var Serve = work.Step("tfserving-serve", func(ctx context.Context, in ServeIn, out *ServeOut) error {
	got, err := work.Do(ctx, in.Limits, "app.kubernetes.io/instance="+in.Name.Get(), objects(in)...)
	if err != nil {
		return err
	}
	service := got[len(got)-1]
	host := in.Name.Get()
	if ns := work.Field(service, "metadata.namespace"); ns != "" {
		host += "." + ns + ".svc"
	}
	if in.Service.Get() == LoadBalancer {
		host = cmp.Or(work.Field(service, "status.loadBalancer.ingress.0.ip"), work.Field(service, "status.loadBalancer.ingress.0.hostname"))
	}
	out.URL.Set(fmt.Sprintf("http://%s:%d", host, restPort))
	port := 0
	fmt.Sscan(work.Field(service, "spec.ports.1.nodePort"), &port) // 0: there is none
	out.Port.Set(port)
	pull := work.Pulled(ctx, work.Field(service, "metadata.namespace"), "app.kubernetes.io/name=tfserving,app.kubernetes.io/instance="+in.Name.Get(), container)
	out.PullSeconds.Set(pull.Took.Seconds())
	out.ImageBytes.Set(int(pull.Bytes))
	return nil
}, func(c *work.Call) {
	claim, uri := c.Given("claim"), c.Given("uri")
	switch {
	case claim && uri:
		c.Errorf("both Claim and URI are set; the model is in one place")
	case !claim && !uri:
		c.Errorf("no model; set Claim and Path, or URI")
	}
	c.Short("name", 63)
	work.OneOf(c, "variant", Variants()...)
	work.OneOf(c, "service", ClusterIP, NodePort, LoadBalancer)
	if u, ok := work.Arg[string](c, "uri"); ok && uri && !strings.HasPrefix(u, "s3://") && !strings.HasPrefix(u, "gs://") {
		c.Errorf("input uri: %q begins with neither s3:// nor gs://, which the server reads; a folder of a volume is Claim and Path", u)
	}
	if p, ok := work.Arg[string](c, "path"); ok {
		switch {
		case slices.Contains(strings.Split(p, "/"), ".."):
			c.Errorf("input path: %q leaves the claim", p)
		case c.Given("path") && uri && !claim:
			c.Errorf("input path: it is one in a claim, and the model is at URI; put it there")
		}
	}
	if p, ok := work.Arg[pod.Placement](c, "placement"); ok {
		if v, ok := work.Arg[Variant](c, "variant"); ok && p.GPUs > 0 && v != GPU1 {
			c.Errorf("input placement: %d GPUs, and the server of variant %s uses none; choose %s", p.GPUs, v, GPU1)
		}
		if p.Memory != "" && c.Given("memory") {
			c.Errorf("input placement: Memory is set, and input memory too; set one")
		}
	}
	if batching, ok := work.Arg[bool](c, "batching"); ok && !batching {
		for _, in := range []string{"max_batch", "batch_wait_ms"} {
			if c.Given(in) {
				c.Errorf("input %s: requests are not put together; set Batching", in)
			}
		}
	}
}, rights...)

// RemoveIn names a server.
type RemoveIn = work.RemoveIn

// Remove deletes a server and what belongs to it. That it isn't there is no error.
var Remove = work.Remove("tfserving-remove", func(name string) []work.Object {
	return []work.Object{work.Gone("v1", "Service", name), work.Gone("apps/v1", "Deployment", name), work.Gone("v1", "ConfigMap", name+"-batching")}
}, rights...)

// Predict sends instances to a server over REST and measures the latency.
var Predict = query.V1
