package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("leak", LeakFound, LeakFixed) }

// Found:

var LeakFound = dsl.Pipeline("leak", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-data"), Size: dsl.Const("10Gi"), StorageClass: dsl.Const("standard")})
	job := Job.Call(s, in, k8s.MountPVC(data.Out.Name, "/data"))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: data.Out.Name}, dsl.After(job)) // not if the job fails
	return dsl.None{}
})

// Fixed:

var LeakFixed = dsl.Pipeline("leak-fixed", func(s *dsl.Scope, in RunIn) dsl.None {
	data := k8s.CreatePVCIn{Size: dsl.Const("10Gi"), StorageClass: dsl.Const("standard")}
	k8s.RunVolume(s, data, func(s *dsl.Scope, claim dsl.Param[string]) {
		Job.Call(s, in, k8s.MountPVC(claim, "/data"))
	})
	return dsl.None{}
})
