package pod_test

import (
	"encoding/json"
	"fmt"

	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/dsl"
)

// A check of the GPU, a training and a server run on the same kind of nodes.
func ExamplePlacement() {
	pipeline := dsl.Pipeline("placed", func(s *dsl.Scope, _ dsl.None) tfserving.ServeOut {
		where := pod.Placement{GPUs: 1, NodeSelector: map[string]string{"accelerator": "t4"}, Tolerate: []string{"nvidia.com/gpu", "team-a"}}
		train := pod.Spec{Image: "ghcr.io/acme/train:3", Mounts: []pod.Mount{pod.Claim("models", "/models")}}
		checked := gpucheck.Check.Call(s, gpucheck.In{}, where.Option())
		trained := k8sjob.Run.Call(s, k8sjob.RunIn{Name: dsl.Const("train"), Pod: dsl.Const(where.Over(train))}, dsl.After(checked))
		return tfserving.Serve.Call(s, tfserving.ServeIn{
			Name: dsl.Const("resnet"), Claim: dsl.Const("models"), Variant: dsl.Const(tfserving.GPU1), Placement: dsl.Const(where),
		}, dsl.After(trained)).Out
	})
	fmt.Println(pipeline.Check())
	// Output: <nil>
}

// Workers with a GPU each, parameter servers with more memory, and a chief that has
// neither.
func ExampleRole() {
	pipeline := dsl.Pipeline("roles", func(s *dsl.Scope, _ dsl.None) volcano.JobOut {
		return volcano.TensorFlow.Call(s, volcano.TensorFlowIn{
			Name: dsl.Const("mnist"), Pod: dsl.Const(pod.Spec{Image: "ghcr.io/acme/train:3", Command: []string{"/train"}, Memory: "4Gi"}),
			Workers: dsl.Const(2), Worker: dsl.Const(pod.Role{Placement: pod.Placement{GPUs: 1}}),
			Servers: dsl.Const(2), Server: dsl.Const(pod.Role{Placement: pod.Placement{Memory: "16Gi"}, Ports: map[string]int{"tf": 2222}}),
		}).Out
	})
	fmt.Println(pipeline.Check())
	// Output: <nil>
}

func ExampleRole_Over() {
	worker := pod.Role{Placement: pod.Placement{GPUs: 2}}.Over(pod.Spec{Image: "ghcr.io/acme/train:3", CPU: "4"})
	b, _ := json.Marshal(worker)
	fmt.Println(string(b))
	// Output: {"image":"ghcr.io/acme/train:3","cpu":"4","gpus":2}
}
