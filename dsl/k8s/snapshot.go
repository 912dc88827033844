package k8s

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// CreateSnapshotIn says of which claim to take a snapshot.
type CreateSnapshotIn struct {
	Name  dsl.Param[string] `doc:"of the snapshot"`
	Claim dsl.Param[string] `kfp:"pvc_name" doc:"the claim to take it of"`
	Class dsl.Param[string] `kfp:"snapshot_class,optional" doc:"if not given: the cluster's default"`
}

// CreateSnapshotOut is the snapshot that was taken.
type CreateSnapshotOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
	Size dsl.Param[string] `kfp:",optional" jsonpath:"{.status.restoreSize}" doc:"that a claim needs to start from it"`
}

// CreateSnapshot takes a snapshot of a claim, and waits until a new claim can
// start from it. Its KFP v1 counterpart is VolumeSnapshotOp.
//
//	backup := k8s.CreateSnapshot.Call(s, k8s.CreateSnapshotIn{
//		Name:  dsl.Const("models-backup"),
//		Claim: claim.Out.Name,
//	}, dsl.After(train))
//	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
//		Name:       dsl.Const("models-copy"),
//		Size:       dsl.Const("10Gi"),
//		DataSource: k8s.FromSnapshot("models-backup"),
//	}, dsl.After(backup))
var CreateSnapshot = checked(dsl.Resource("create-snapshot", createSnapshot), checkSnapshot)

func createSnapshot(in CreateSnapshotIn, _ CreateSnapshotOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action: dsl.Create,
		Manifest: `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: "` + in.Name.String() + `"
spec:
  volumeSnapshotClassName: ` + in.Class.String() + `
  source:
    persistentVolumeClaimName: "` + in.Claim.String() + `"
`,
		Success: "status.readyToUse == true",
	}
}

func checkSnapshot(t *record.Task) {
	checkArg(t, "name", objectName)
	checkArg(t, "pvc_name", objectName)
	checkArg(t, "snapshot_class", objectName)
}

// DeleteSnapshotIn names a snapshot.
type DeleteSnapshotIn struct {
	Name dsl.Param[string]
}

// DeleteSnapshot deletes a snapshot.
var DeleteSnapshot = checked(dsl.Resource("delete-snapshot", deleteSnapshot), checkSnapshot)

func deleteSnapshot(in DeleteSnapshotIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Delete,
		Manifest: "apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata:\n  name: \"" + in.Name.String() + "\"\n",
	}
}

// checked makes a component check the arguments of its tasks.
func checked[In, Out any](c *dsl.Component[In, Out], complete func(*record.Task)) *dsl.Component[In, Out] {
	record.Of(c).Complete = complete
	return c
}
