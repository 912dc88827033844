package k8s

import "github.com/kfpgo/kfpgo/dsl"

// CreatePVCIn describes a claim. Set Name, or NameSuffix for a claim of the
// run's own.
type CreatePVCIn struct {
	Name         dsl.Param[string]            `kfp:"pvc_name,optional"`
	NameSuffix   dsl.Param[string]            `kfp:"pvc_name_suffix,optional" doc:"the name is the run's and this"`
	Size         dsl.Param[string]            `doc:"a Kubernetes quantity, such as 10Gi"`
	AccessModes  dsl.Param[[]string]          `doc:"ReadWriteOnce if not given"`
	StorageClass dsl.Param[string]            `kfp:"storage_class_name" default:"" doc:"empty: the cluster's default"`
	VolumeName   dsl.Param[string]            `kfp:",optional" doc:"a volume that exists already"`
	Annotations  dsl.Param[map[string]string] `kfp:",optional"`
	Snapshot     dsl.Param[string]            `kfp:"data_source,optional" doc:"a VolumeSnapshot to start from"`
}

// CreatePVCOut is the claim that was made.
type CreatePVCOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// CreatePVC makes a persistent volume claim. Its KFP counterparts are
// kubernetes.CreatePVC, and VolumeOp in v1.
//
//	cache := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-cache"), Size: dsl.Const("10Gi")})
//	Train.Call(s, args, k8s.MountPVC(cache.Out.Name, "/cache"))
//	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: cache.Out.Name}, dsl.After(train))
var CreatePVC = dsl.Resource("create-pvc", func(in CreatePVCIn, _ CreatePVCOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Create, Manifest: "kind: PersistentVolumeClaim\n"} // the back ends fill in the inputs
}).Defaults(CreatePVCIn{AccessModes: dsl.Const([]string{"ReadWriteOnce"})})

// DeletePVCIn names a claim.
type DeletePVCIn struct {
	Name dsl.Param[string] `kfp:"pvc_name"`
}

// DeletePVC deletes a persistent volume claim. Its KFP counterparts are
// kubernetes.DeletePVC, and VolumeOp.delete in v1.
var DeletePVC = dsl.Resource("delete-pvc", func(in DeletePVCIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Delete, Manifest: "kind: PersistentVolumeClaim\nmetadata:\n  name: " + in.Name.String() + "\n"}
})

// ApplyIn is an object to create or update.
type ApplyIn struct {
	Manifest dsl.Param[string] `doc:"the object, as YAML"`
	Success  dsl.Param[string] `kfp:"success_condition,optional" doc:"field condition to wait for"`
	Failure  dsl.Param[string] `kfp:"failure_condition,optional" doc:"field condition that fails the task"`
}

// ApplyOut is the object that was applied.
type ApplyOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// Apply applies a manifest that is an input, and waits for a condition. For
// manifests with typed inputs and outputs of their own, use dsl.Resource. Its
// KFP v1 counterpart is ResourceOp.
var Apply = dsl.Resource("apply", func(in ApplyIn, _ ApplyOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action: dsl.Apply, Manifest: in.Manifest.String(),
		Success: in.Success.String(), Failure: in.Failure.String(),
	}
})
