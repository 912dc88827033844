package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("collide", CollideFound, CollideFixed) }

// Found:

var CollideFound = dsl.Pipeline("collide", func(s *dsl.Scope, in RunIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) {
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: dsl.Const("training-data")})
	})
	data := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: dsl.Const("training-data"), Size: dsl.Const("10Gi"), StorageClass: dsl.Const("standard")})
	Job.Call(s, in, k8s.MountPVC(data.Out.Name, "/data"))
	return dsl.None{}
})

// Fixed:

var CollideFixed = dsl.Pipeline("collide-fixed", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVCIn{NameSuffix: dsl.Const("-training"), Size: dsl.Const("10Gi"), StorageClass: dsl.Const("standard")}
	k8s.RunVolume(s, data, func(s *dsl.Scope, claim dsl.Param[string]) {
		Job.Call(s, in, k8s.MountPVC(claim, "/data"))
	})
	return dsl.None{}
})
