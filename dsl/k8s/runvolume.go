package k8s

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// RunVolume makes a claim of the run's own, gives its name to the tasks that a
// function adds, and deletes it when they have ended, however they ended. So no
// run leaves a disk behind, and no two runs have the same one. The tasks are a
// [dsl.Group] with an exit handler; the result stands for all of it in [dsl.After].
//
//	k8s.RunVolume(s, k8s.CreatePVCIn{Size: dsl.Const("10Gi")}, func(s *dsl.Scope, claim dsl.Param[string]) {
//		Train.Call(s, args, k8s.MountPVC(claim, "/data"))
//	})
//
// Leave Name out; without a NameSuffix it is "-volume". On Argo the claim also
// belongs to the Workflow, and goes with it if the run is stopped before the handler
// could run. On this machine it is a folder of the run.
func RunVolume(s *dsl.Scope, in CreatePVCIn, body func(s *dsl.Scope, claim dsl.Param[string])) dsl.Handle {
	claim := runPVC.Call(s, in).Out.Name
	return dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) {
			DeletePVC.Call(s, DeletePVCIn{Name: claim})
		})
		if body != nil {
			body(s, claim)
		}
	})
}

var runPVC = builtin("create-pvc", dsl.Resource("createpvc", func(CreatePVCIn, CreatePVCOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: PersistentVolumeClaim\n", Owned: true}
}), completeRunPVC)

func completeRunPVC(t *record.Task) {
	if t.Given["pvc_name"] {
		t.Errorf("RunVolume with a Name, which all runs would share; use NameSuffix, or CreatePVC for a claim that stays")
		return
	}
	if !t.Given["pvc_name_suffix"] {
		t.Args["pvc_name_suffix"] = &record.Value{Kind: graph.Const, Type: kfptype.String, Const: []byte(`"-volume"`)}
		t.Given["pvc_name_suffix"] = true
	}
	completePVC(t)
}
