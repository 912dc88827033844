package objects_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/eci"
	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/review/objects"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type in struct {
	Workers dsl.Param[int]    `default:"2"`
	Epochs  dsl.Param[int]    // has no default
	Claim   dsl.Param[string] `default:"data"`
	Queue   dsl.Param[string] `kfp:",optional"`
	Check   dsl.Param[bool]   `default:"false"`
}

type trained struct {
	Model dsl.Model
	Image dsl.Param[string]
	Size  dsl.Param[int]
	Fast  dsl.Param[bool]
	Spec  dsl.Param[pod.Spec]
	Names dsl.Param[[]string]
}

var train = dsl.Func("train", func(context.Context, dsl.None, *trained) error { panic("a step that makes no objects isn't started") })

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: "web-%[1]v"}
spec:
  replicas: %[2]v
  paused: %[3]v
  template: {spec: {containers: [{name: web, image: "%[4]v", args: [--queue=%[5]v]}]}}
`

type deployIn struct {
	Name     dsl.Param[string]
	Replicas dsl.Param[int]
	Paused   dsl.Param[bool]
	Image    dsl.Param[string]
	Queue    dsl.Param[string] `kfp:",optional"`
}

var deploy = dsl.Resource("deploy", func(in deployIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Manifest: fmt.Sprintf(deployment, in.Name, in.Replicas, in.Paused, in.Image, in.Queue)}
})

// broken looks at its inputs, and finds a mistake.
var broken = work.Step("broken", func(_ context.Context, in struct{ Size dsl.Param[string] }, _ *dsl.None) error {
	return fmt.Errorf("%q is not a size", in.Size.Get())
}, func(*work.Call) {}, work.Makes("", "pods"))

// all has each kind of value and each construct.
var all = dsl.Pipeline("all", func(s *dsl.Scope, in in) dsl.None {
	t := train.Call(s, dsl.None{}).Out
	job := pod.Spec{Image: "tf:2", Command: []string{"python", "/train.py"}, GPUs: 1, Mounts: []pod.Mount{pod.Claim("data", "/data")}}
	volcano.PyTorch.Call(s, volcano.PyTorchIn{
		Name: dsl.Const("dist"), Workers: in.Workers, Pod: dsl.Const(job), Port: in.Epochs,
		JobIn: volcano.JobIn{Args: dsl.Items(dsl.Const("--epochs"), dsl.Sprintf("%v", in.Epochs))},
	})
	volcano.PyTorch.Call(s, volcano.PyTorchIn{Name: dsl.Const("wide"), Workers: t.Size, Pod: dsl.Const(job)})
	kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: t.Model})
	dsl.ParallelFor(s, dsl.Const([]tfserving.Variant{tfserving.CPU1, tfserving.GPU1}), func(s *dsl.Scope, v dsl.Param[tfserving.Variant]) dsl.None {
		tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Sprintf("bird-%v", v), Claim: in.Claim, Variant: v, Batching: t.Fast})
		return dsl.None{}
	})
	dsl.ParallelFor(s, t.Names, func(s *dsl.Scope, name dsl.Param[string]) dsl.None {
		deploy.Call(s, deployIn{Name: name, Replicas: t.Size, Paused: t.Fast, Image: t.Image})
		return dsl.None{}
	})
	deploy.Call(s, deployIn{Name: dsl.RunID(), Replicas: in.Workers, Paused: dsl.Const(true), Image: dsl.Const(dsl.ProgramImage), Queue: in.Queue})
	dsl.If(s, dsl.True(in.Check), func(s *dsl.Scope) { k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: dsl.Const("never"), Pod: dsl.Const(job)}) })
	dsl.If(s, dsl.Gt(t.Size, 5), func(s *dsl.Scope) { k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: dsl.Const("maybe"), Pod: t.Spec}) })
	broken.Call(s, struct{ Size dsl.Param[string] }{t.Image})
	pvcdata.Bind.Call(s, pvcdata.BindIn{Name: dsl.Const("nfs"), Source: dsl.Const(pvcdata.NFS("10.0.0.1", "/x"))})
	eci.Run.Call(s, eci.RunIn{Name: dsl.Const("spot"), Pod: dsl.Const(pod.Spec{Image: "tf:2"}), Snapshot: t.Image})
	scratch := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-scratch"), Size: dsl.Const("1Gi")})
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: scratch.Out.Name})
	return dsl.None{}
})

// TestYAML: objects are those that the steps make, and what only the run knows has a name.
func TestYAML(t *testing.T) {
	p := lowered.Program(t, all)
	o := objects.Options{
		Inputs: map[string]json.RawMessage{"workers": json.RawMessage("4"), "claim": json.RawMessage(`"data"`), "check": json.RawMessage("false")},
		Image:  "ghcr.io/acme/steps:1",
		Steps:  lowered.Plans(t, all),
	}
	tasks, err := objects.Of(p, o)
	if err != nil {
		t.Fatal(err)
	}
	yaml, err := objects.YAML(p, tasks)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/all.yaml", yaml)
	if strings.Contains(string(yaml), "kfpgo-hole") {
		t.Error("what stands for a hole isn't named")
	}

	// A program that can't be asked is an error.
	o.Steps = func([]contract.Step) ([]contract.Planned, error) { return nil, errors.New("it has ended") }
	if _, err := objects.Of(p, o); err == nil || err.Error() != "it has ended" {
		t.Errorf("got %v", err)
	}
}
