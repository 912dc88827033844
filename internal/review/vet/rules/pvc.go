package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("pvc", PVCFound, PVCFixed) }

// Found:

var PVCFound = dsl.Pipeline("pvc", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVCIn{Size: dsl.Const("10Gi"), StorageClass: dsl.Const("standard")}
	k8s.RunVolume(s, data, func(s *dsl.Scope, claim dsl.Param[string]) {
		Job.Call(s, in, k8s.MountPVC(claim, "/data"))
		Job.Call(s, in, k8s.MountPVC(claim, "/data"))
	})
	return dsl.None{}
})

// Fixed:

var PVCFixed = dsl.Pipeline("pvc-shared", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVCIn{Size: dsl.Const("10Gi"), StorageClass: dsl.Const("nfs"), AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteMany})}
	k8s.RunVolume(s, data, func(s *dsl.Scope, claim dsl.Param[string]) {
		Job.Call(s, in, k8s.MountPVC(claim, "/data"))
		Job.Call(s, in, k8s.MountPVC(claim, "/data"))
	})
	return dsl.None{}
})
