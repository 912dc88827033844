package k8s

import (
	"encoding/json"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// An AccessMode says who may mount a claim (KFP v1's VOLUME_MODE_RWO and so on).
type AccessMode string

// The access modes of Kubernetes.
const (
	ReadWriteOnce    AccessMode = "ReadWriteOnce"    // RWO: the pods of one node
	ReadOnlyMany     AccessMode = "ReadOnlyMany"     // ROX: pods of many nodes, to read
	ReadWriteMany    AccessMode = "ReadWriteMany"    // RWX: pods of many nodes
	ReadWriteOncePod AccessMode = "ReadWriteOncePod" // RWOP: one pod
)

var accessModes = []AccessMode{ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod}

// A DataSource is what a new claim starts from: a snapshot or another claim.
type DataSource struct {
	APIGroup string `json:"apiGroup,omitempty"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
}

// FromSnapshot makes a claim start from a VolumeSnapshot, whose name is known
// when the pipeline is defined.
func FromSnapshot(name string) dsl.Param[DataSource] {
	return dsl.Const(DataSource{APIGroup: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot", Name: name})
}

// FromPVC makes a claim start as a copy of another one.
func FromPVC(name string) dsl.Param[DataSource] {
	return dsl.Const(DataSource{Kind: "PersistentVolumeClaim", Name: name})
}

// CreatePVCIn describes a claim. Set Name, or NameSuffix for a claim of the
// run's own, and Size.
type CreatePVCIn struct {
	Name         dsl.Param[string]            `kfp:"pvc_name,optional"`
	NameSuffix   dsl.Param[string]            `kfp:"pvc_name_suffix,optional" doc:"the name is one of the run's own, and this"`
	Size         dsl.Param[string]            `doc:"a Kubernetes quantity, such as 10Gi"`
	AccessModes  dsl.Param[[]AccessMode]      `doc:"ReadWriteOnce if not given"`
	StorageClass dsl.Param[string]            `kfp:"storage_class_name" default:"" doc:"empty: the cluster's default on Argo; on KFP no class at all, so name one there for a new volume"`
	VolumeName   dsl.Param[string]            `kfp:",optional" doc:"a volume that exists already"`
	Annotations  dsl.Param[map[string]string] `kfp:",optional"`
	DataSource   dsl.Param[DataSource]        `kfp:",optional" doc:"what the claim starts from: see FromSnapshot and FromPVC"`
}

// CreatePVCOut is the claim that was made.
type CreatePVCOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// CreatePVC makes a persistent volume claim. Its KFP counterparts are
// kubernetes.CreatePVC, and VolumeOp in v1.
//
//	cache := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-cache"), Size: dsl.Const("10Gi")})
//	train := Train.Call(s, args, k8s.MountPVC(cache.Out.Name, "/cache"))
//	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: cache.Out.Name}, dsl.After(train))
//
// It stays if the training fails: [RunVolume] deletes a claim however a run ends.
var CreatePVC = builtin("create-pvc", dsl.Resource("createpvc", createPVC), completePVC)

// createPVC says little: the back ends know the operation by name, and make the
// rest of the inputs.
func createPVC(CreatePVCIn, CreatePVCOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: PersistentVolumeClaim\n"}
}

// DeletePVCIn names a claim.
type DeletePVCIn struct {
	Name dsl.Param[string] `kfp:"pvc_name"`
}

// DeletePVC deletes a persistent volume claim. Its KFP counterparts are
// kubernetes.DeletePVC, and VolumeOp.delete in v1. The claim goes when the last
// pod that uses it does.
var DeletePVC = builtin("delete-pvc", dsl.Resource("deletepvc", deletePVC), checkPVC)

func deletePVC(in DeletePVCIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Delete,
		Manifest: "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: \"" + in.Name.String() + "\"\n",
	}
}

func checkPVC(t *record.Task) { checkArg(t, "pvc_name", objectName) }

// builtin gives an operation the name that the back ends know it by.
func builtin[In, Out any](name string, c *dsl.Component[In, Out], complete func(*record.Task)) *dsl.Component[In, Out] {
	r := record.Of(c)
	r.Resource.Builtin, r.Complete = name, complete
	return c
}

// completePVC checks the arguments of a CreatePVC, and gives it the access mode
// that a claim has if nothing else is said.
func completePVC(t *record.Task) {
	switch name, suffix := t.Given["pvc_name"], t.Given["pvc_name_suffix"]; {
	case !name && !suffix:
		t.Errorf("no name; set Name, or NameSuffix for a claim of the run's own")
	case name && suffix:
		t.Errorf("both Name and NameSuffix are set; use one")
	}
	checkArg(t, "pvc_name", objectName)
	checkArg(t, "pvc_name_suffix", nameSuffix)
	checkArg(t, "size", record.Size)
	checkArg(t, "volume_name", objectName)
	if class := ""; constantArg(t, "storage_class_name", &class) && class != "" {
		checkArg(t, "storage_class_name", objectName)
	}
	var source DataSource
	if constantArg(t, "data_source", &source) && (source.Kind == "" || source.Name == "") {
		t.Errorf("input data_source: no kind or no name; use k8s.FromSnapshot or k8s.FromPVC")
	}
	if !t.Given["access_modes"] {
		b, _ := json.Marshal([]AccessMode{ReadWriteOnce})
		t.Args["access_modes"] = &record.Value{Kind: graph.Const, Type: kfptype.List, Const: b}
	}
	var modes []AccessMode
	if !constantArg(t, "access_modes", &modes) {
		return
	}
	if len(modes) == 0 {
		t.Errorf("input access_modes: no access mode; leave it out for %s", ReadWriteOnce)
	}
	checkModes(t, "input access_modes", modes)
}

func checkModes(t *record.Task, what string, modes []AccessMode) {
	for _, m := range modes {
		if !slices.Contains(accessModes, m) {
			t.Errorf("%s: no access mode %q; use %s, %s, %s or %s", what, m, ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod)
		}
	}
}
