// Package suite has the pipelines that `make e2e-systems` runs beside those of the
// examples.
package suite

import (
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/trainingoperator"
	"github.com/kfpgo/kfpgo/dsl"
)

// Busybox is a stand-in for an image with a training in it.
const Busybox = "registry.local/busybox:1"

// ScriptIn is what pods do in place of a training.
type ScriptIn struct {
	Script  dsl.Param[string]
	Timeout dsl.Param[string] `default:"3m"`
}

// shell runs a script that is an argument.
var shell = pod.Spec{Image: Busybox, Command: []string{"sh", "-c"}, CPU: "10m", Memory: "16Mi"}

// TFJob has a chief, two workers and a parameter server.
var TFJob = dsl.Pipeline("tfjob", func(s *dsl.Scope, in ScriptIn) trainingoperator.JobOut {
	job := trainingoperator.JobIn{Name: dsl.Const("tf"), Pod: dsl.Const(shell), Args: dsl.Items(in.Script)}
	job.Timeout = in.Timeout
	return trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{JobIn: job, Workers: dsl.Const(2), Servers: dsl.Const(1)}).Out
})

// PyTorchJob has a master and two workers.
var PyTorchJob = dsl.Pipeline("pytorchjob", func(s *dsl.Scope, in ScriptIn) trainingoperator.JobOut {
	job := trainingoperator.JobIn{Name: dsl.Const("torch"), Pod: dsl.Const(shell), Args: dsl.Items(in.Script)}
	job.Timeout = in.Timeout
	return trainingoperator.PyTorchJob.Call(s, trainingoperator.PyTorchJobIn{JobIn: job, Workers: dsl.Const(2)}).Out
})

// TrainJob runs on two nodes of the runtime torch-distributed.
var TrainJob = dsl.Pipeline("trainjob", func(s *dsl.Scope, in ScriptIn) trainingoperator.JobOut {
	job := trainingoperator.TrainJobIn{Name: dsl.Const("train"), Pod: dsl.Const(shell), Args: dsl.Items(in.Script), Nodes: dsl.Const(2)}
	job.Timeout = in.Timeout
	return trainingoperator.TrainJob.Call(s, job).Out
})
