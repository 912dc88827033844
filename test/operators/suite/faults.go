package suite

import (
	"context"

	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/trainingoperator"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// VolcanoJob runs a script in a chief and two workers.
var VolcanoJob = dsl.Pipeline("volcano-job", func(s *dsl.Scope, in ScriptIn) volcano.JobOut {
	job := volcano.JobIn{QueueWeight: dsl.Const(1), Queue: dsl.Const("suite"), Args: dsl.Items(in.Script)}
	job.Timeout = in.Timeout
	return volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: dsl.Const("vj"), Pod: dsl.Const(shell), Workers: dsl.Const(2), JobIn: job}).Out
})

// NamedIn is a job of a name of the test's.
type NamedIn struct{ Name, Script dsl.Param[string] }

// Named runs a PyTorchJob of one pod.
var Named = dsl.Pipeline("named", func(s *dsl.Scope, in NamedIn) dsl.None {
	job := trainingoperator.JobIn{Name: in.Name, Pod: dsl.Const(shell), Args: dsl.Items(in.Script)}
	trainingoperator.PyTorchJob.Call(s, trainingoperator.PyTorchJobIn{JobIn: job, Workers: dsl.Const(0)})
	return dsl.None{}
})

// UnknownField has a field deep in a pod that Kubernetes doesn't know.
var UnknownField = dsl.Pipeline("unknown-field", func(s *dsl.Scope, _ dsl.None) k8sjob.PodOut {
	p := shell
	p.Args, p.Patch = []string{"true"}, map[string]any{"securityContext": map[string]any{"runAsUsr": 0}}
	return k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: dsl.Const("odd"), Pod: dsl.Const(p)}).Out
})

// NoImage has an image that can't be pulled.
var NoImage = dsl.Pipeline("no-image", func(s *dsl.Scope, _ dsl.None) k8sjob.RunOut {
	in := k8sjob.RunIn{Name: dsl.Const("lost"), Pod: dsl.Const(pod.Spec{Image: "registry.local/no-such:1", PullPolicy: "Never"})}
	in.Timeout = dsl.Const("20s")
	return k8sjob.Run.Call(s, in).Out
})

// WaitIn is an object of a kind that a user's own step makes, with package work.
type WaitIn struct {
	API, Kind, Until dsl.Param[string]
	work.Limits
}

// Wait makes an object and waits for what is never so.
var Wait = dsl.Func("wait", func(ctx context.Context, in WaitIn, _ *dsl.None) error {
	_, err := work.Do(ctx, in.Limits, "", work.Object{
		Action: "create", Success: in.Until.Get(),
		Manifest: map[string]any{"apiVersion": in.API.Get(), "kind": in.Kind.Get(), "metadata": work.Meta("never", true, nil)},
	})
	return err
}, dsl.NoCache())

// NeverHolds waits ten seconds for what is never so.
var NeverHolds = dsl.Pipeline("never-holds", func(s *dsl.Scope, _ dsl.None) dsl.None {
	in := WaitIn{API: dsl.Const("v1"), Kind: dsl.Const("ConfigMap"), Until: dsl.Const("data.ready == yes")}
	in.Timeout = dsl.Const("10s")
	Wait.Call(s, in)
	return dsl.None{}
})

// NoCRD makes an object of an API that the cluster hasn't.
var NoCRD = dsl.Pipeline("no-crd", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Wait.Call(s, WaitIn{API: dsl.Const("example.org/v1"), Kind: dsl.Const("Widget"), Until: dsl.Const("status.done")})
	return dsl.None{}
})
