package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("pvc", PVCFound, PVCMended) }

// Found:

var PVCFound = dsl.Pipeline("pvc", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-data"), Size: dsl.Const("10Gi"), StorageClass: dsl.Const("standard")})
	Job.Call(s, in, k8s.MountPVC(data.Out.Name, "/data"))
	Job.Call(s, in, k8s.MountPVC(data.Out.Name, "/data"))
	return dsl.None{}
})

// Mended:

var PVCMended = dsl.Pipeline("pvc-shared", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
		NameSuffix: dsl.Const("-data"), Size: dsl.Const("10Gi"), StorageClass: dsl.Const("nfs"),
		AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteMany}),
	})
	Job.Call(s, in, k8s.MountPVC(data.Out.Name, "/data"))
	Job.Call(s, in, k8s.MountPVC(data.Out.Name, "/data"))
	return dsl.None{}
})
