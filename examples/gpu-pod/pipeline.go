// Package gpupod trains in a single pod with a GPU, on a volume claim.
package gpupod

import (
	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// In is what can be changed from run to run.
type In struct {
	Epochs dsl.Param[int]    `default:"10"`
	Mirror dsl.Param[string] `default:"https://mirror.example.org/simple" doc:"where pip looks for packages"`
}

var training = pod.Spec{
	Image:   "tensorflow/tensorflow:2.16.1-gpu",
	Command: []string{"sh", "-c", `pip install -q -i "$0" -r /data/requirements.txt && exec python /data/train.py "$@"`},
	CPU:     "4", Memory: "16Gi", GPUs: 1, Shm: "4Gi",
	Tolerate: []string{"nvidia.com/gpu"},
	Mounts:   []pod.Mount{pod.Claim("training-data", "/data")},
}

// Pipeline checks the GPU, and then trains.
var Pipeline = dsl.Pipeline("gpu-pod", func(s *dsl.Scope, in In) k8sjob.PodOut {
	check := gpucheck.Check.Call(s, gpucheck.In{Framework: dsl.Const("tensorflow==2.16.1")}, dsl.GPU(1),
		k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists}))
	return k8sjob.RunPod.Call(s, k8sjob.PodIn{
		Name: dsl.Const("train"), Pod: dsl.Const(training),
		Args: dsl.Items(in.Mirror, dsl.Const("--epochs"), dsl.Sprintf("%v", in.Epochs)),
	}, dsl.After(check)).Out
})
