// Package volcanomnist trains MNIST on five pods with Volcano: a chief, two
// workers and two parameter servers.
package volcanomnist

import (
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/dsl"
)

// In is what can be changed from run to run.
type In struct {
	Epochs dsl.Param[int] `default:"3"`
}

var training = pod.Spec{
	Image: "tensorflow/tensorflow:2.16.1", Command: []string{"python", "/mnist/train.py"},
	CPU: "2", Memory: "4Gi", Mounts: []pod.Mount{pod.Claim("mnist", "/mnist")},
}

// Pipeline trains in the queue training.
var Pipeline = dsl.Pipeline("volcano-mnist", func(s *dsl.Scope, in In) volcano.JobOut {
	return volcano.TensorFlow.Call(s, volcano.TensorFlowIn{
		Name: dsl.Const("mnist"), Pod: dsl.Const(training), Workers: dsl.Const(2), Servers: dsl.Const(2),
		JobIn: volcano.JobIn{
			Queue: dsl.Const("training"), QueueWeight: dsl.Const(1),
			Args: dsl.Items(dsl.Const("--epochs"), dsl.Sprintf("%v", in.Epochs)),
		},
	}).Out
})
