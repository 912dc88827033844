package components_test

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/local"
)

// use is one place that takes a quantity.
type use struct {
	name  string
	line  int
	empty bool // "" there means that nothing is set
	size  bool // of a volume, which is more than 0
	call  func(*dsl.Scope, string)
}

// here returns the line of its call.
func here() int {
	_, _, line, _ := runtime.Caller(1)
	return line
}

var none dsl.None

var step = dsl.Container("step", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"true"}}
})

func limits(resource, q string) k8s.Container {
	return k8s.Container{Name: "get", Image: "busybox:1", Limits: map[string]string{resource: q}}
}

func used(s *dsl.Scope, _ dsl.Param[string]) { step.Call(s, none) }

func serve(q string) tfserving.ServeIn {
	return tfserving.ServeIn{Name: text("a"), Claim: text("b"), Memory: text(q)}
}

func queue(q string) volcano.TensorFlowIn {
	return tf(volcano.JobIn{Queue: text("a"), QueueWeight: count(1), QueueLimit: dsl.Const(vars("memory", q))})
}

// places are all calls that take a quantity, one a line.
var places = []use{
	{"dsl.CPU", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, dsl.CPU(q)) }},
	{"dsl.CPURequest", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, dsl.CPURequest(q)) }},
	{"dsl.Memory", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, dsl.Memory(q)) }},
	{"dsl.MemoryRequest", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, dsl.MemoryRequest(q)) }},
	{"dsl.Memory of a constant", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, dsl.Memory(dsl.Const(q))) }},
	{"k8s.SizeLimit", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, k8s.EmptyDir("a", "/a", k8s.SizeLimit(q))) }},
	{"k8s.SharedMemory", here(), true, false, func(s *dsl.Scope, q string) { step.Call(s, none, k8s.SharedMemory(q)) }},
	{"k8s.EphemeralVolume", here(), false, true, func(s *dsl.Scope, q string) { step.Call(s, none, k8s.EphemeralVolume("a", "/a", k8s.Claim{Size: q})) }},
	{"k8s.InitContainer", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, k8s.InitContainer(limits("cpu", q))) }},
	{"k8s.Sidecar", here(), false, false, func(s *dsl.Scope, q string) { step.Call(s, none, k8s.Sidecar(limits("ephemeral-storage", q))) }},
	{"k8s.CreatePVC", here(), false, true, func(s *dsl.Scope, q string) { k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: text("a"), Size: text(q)}) }},
	{"k8s.RunVolume", here(), false, true, func(s *dsl.Scope, q string) { k8s.RunVolume(s, k8s.CreatePVCIn{Size: text(q)}, used) }},
	{"pod.Spec CPU", here(), true, false, func(s *dsl.Scope, q string) { k8sjob.Run.Call(s, job(pod.Spec{Image: "x:1", CPU: q})) }},
	{"pod.Spec Memory", here(), true, false, func(s *dsl.Scope, q string) { k8sjob.Run.Call(s, job(pod.Spec{Image: "x:1", Memory: q})) }},
	{"pod.Spec Shm", here(), true, false, func(s *dsl.Scope, q string) { k8sjob.Run.Call(s, job(pod.Spec{Image: "x:1", Shm: q})) }},
	{"tfserving.Serve", here(), false, false, func(s *dsl.Scope, q string) { tfserving.Serve.Call(s, serve(q)) }},
	{"volcano queue", here(), false, false, func(s *dsl.Scope, q string) { volcano.TensorFlow.Call(s, queue(q)) }},
	{"pvcdata.Bind", here(), false, true, func(s *dsl.Scope, q string) { pvcdata.Bind.Call(s, bind(q, pvcdata.NFS("x", "/y"))) }},
}

// TestQuantities: what Kubernetes refuses is refused at the line of its call, for each
// target, and what it takes is taken.
func TestQuantities(t *testing.T) {
	targets := map[string]func(p *dsl.Component[dsl.None, dsl.None]) error{
		"kfp": func(p *dsl.Component[dsl.None, dsl.None]) error {
			_, err := compiler.Compile(p, compiler.KFP, compiler.Image("x:1"))
			return err
		},
		"argo": func(p *dsl.Component[dsl.None, dsl.None]) error {
			_, err := compiler.Compile(p, argo.Workflow, compiler.Image("x:1"), compiler.ArtifactRoot("s3://b/r"))
			return err
		},
		"local": func(p *dsl.Component[dsl.None, dsl.None]) error {
			if err := p.Check(); err == nil {
				return nil // it would run
			}
			_, err := local.Run(t.Context(), p, dsl.None{}, local.Options{Home: t.TempDir()})
			return err
		},
	}
	bad := map[string]string{
		"16K": "write 16k or 16Ki", "4GB": "write 4G or 4Gi", "1.5.2Gi": "write a number and a unit", "": "write a number and a unit", " 1Gi": "write 1Gi", "-1Gi": "", "1e": "", "1 core": "",
	}
	good := []string{"16k", "16Ki", "1.5Gi", "1e9", "129e6", "+2", ".5G", "2.", "1E"}
	for _, u := range places {
		for target, compile := range targets {
			try := func(q string) error {
				return compile(dsl.Pipeline("quantities", func(s *dsl.Scope, _ dsl.None) dsl.None {
					u.call(s, q)
					return dsl.None{}
				}))
			}
			for q, hint := range bad {
				if q == "" && u.empty {
					continue
				}
				var list dsl.ErrorList
				err := try(q)
				if !errors.As(err, &list) {
					t.Errorf("%s %q for %s: %v", u.name, q, target, err)
					continue
				}
				for _, e := range list {
					if !strings.Contains(e.Error(), "quantity_test.go:"+strconv.Itoa(u.line)) || !strings.Contains(e.Error(), strconv.Quote(q)) || !strings.Contains(e.Error(), hint) {
						t.Errorf("%s %q for %s: %v", u.name, q, target, e)
					}
				}
			}
			if err := try("0"); (err == nil) == u.size {
				t.Errorf("%s 0 for %s: %v", u.name, target, err)
			}
			for _, q := range good {
				if err := try(q); err != nil && !(target == "argo" && strings.Contains(err.Error(), "object")) {
					t.Errorf("%s %q for %s: %v", u.name, q, target, err)
				}
			}
		}
	}
}

// TestWorkspaceQuantities: the same of the size of a workspace, whose line is that of
// the pipeline.
func TestWorkspaceQuantities(t *testing.T) {
	for q, ok := range map[string]bool{"16K": false, "4GB": false, "1.5.2Gi": false, " ": false, "-1": false, "0": false, "16k": true, "1.5Gi": true, "1e9": true} {
		p, line := dsl.Pipeline("workspace", func(s *dsl.Scope, _ dsl.None) dsl.None { step.Call(s, none); return dsl.None{} }, dsl.Config{Workspace: dsl.Workspace{Size: q}}), here()
		for _, target := range []compiler.Target{compiler.KFP, argo.Workflow} {
			_, err := compiler.Compile(p, target, compiler.ArtifactRoot("s3://b/r"))
			if target == compiler.KFP {
				_, err = compiler.Compile(p, target)
			}
			if ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "quantity_test.go:"+strconv.Itoa(line)) {
				t.Errorf("%q for %s: %v", q, target, err)
			}
		}
	}
}
