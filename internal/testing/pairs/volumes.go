package pairs

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type volumesIn struct {
	Claim dsl.Param[string]
	N     dsl.Param[int] `default:"1"`
}

var _ = pair(volumes,
	"kubernetes.CreatePVC", "kubernetes.DeletePVC", "kubernetes.mount_pvc", "names of references")

var volumes = dsl.Pipeline("volumes", func(s *dsl.Scope, in volumesIn) dsl.None {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
		NameSuffix: dsl.Const("-cache"), AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteMany}), Size: dsl.Const("1Gi"),
		StorageClass: dsl.Const("fast"), Annotations: dsl.Const(map[string]string{"a": "b"}),
	}).Out.Name
	a := say.Call(s, textIn{Text: dsl.Const("a")}, k8s.MountPVC(claim, "/cache"))
	b := say.Call(s, textIn{Text: dsl.Const("b")}, k8s.MountPVC(in.Claim, "/data"), k8s.MountPVC("fixed", "/fixed"))
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Const("c")}, k8s.MountPVC(claim, "/cache"), k8s.SecretEnv("K", in.Claim, "k"))
	})
	d := say.Call(s, textIn{Text: dsl.Const("d")}, dsl.After(a, b))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim}, dsl.After(d))
	return dsl.None{}
})
