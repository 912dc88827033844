package k8s_test

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

var train = dsl.Func("train", func(context.Context, dsl.None, *dsl.None) error { return nil })

// A claim that is made, used and deleted: KFP's VolumeOp.
func Example() {
	p := dsl.Pipeline("volume", func(s *dsl.Scope, _ dsl.None) dsl.None {
		claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
			NameSuffix:   dsl.Const("-cache"),
			Size:         dsl.Const("10Gi"),
			AccessModes:  dsl.Const([]k8s.AccessMode{k8s.ReadWriteMany}),
			StorageClass: dsl.Const("fast"),
		})
		task := train.Call(s, dsl.None{},
			k8s.MountPVC(claim.Out.Name, "/cache", k8s.SubPath("models")),
			dsl.GPU(1),
			k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"),
			k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists, Effect: k8s.NoSchedule}),
			k8s.SecretEnv("HF_TOKEN", "tokens", "hugging-face"),
			k8s.Label("team", "vision"),
		)
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim.Out.Name}, dsl.After(task))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

const jobYAML = `
apiVersion: batch/v1
kind: Job
metadata: {name: index}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "busybox:1.36", command: [echo, done]}]
`

// Objects whose manifests are constants, or inputs: KFP's ResourceOp.
func Example_manifests() {
	p := dsl.Pipeline("objects", func(s *dsl.Scope, _ dsl.None) dsl.None {
		job := k8s.Apply.Call(s, k8s.ManifestIn{
			Manifest: dsl.Const(jobYAML),
			Success:  dsl.Const("status.succeeded > 0"),
			Failure:  dsl.Const("status.failed > 3"),
		})
		k8s.Delete.Call(s, k8s.DeleteIn{Manifest: dsl.Const(jobYAML)}, dsl.After(job))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A claim that starts from a snapshot: KFP's VolumeSnapshotOp.
func Example_snapshot() {
	p := dsl.Pipeline("snapshot", func(s *dsl.Scope, _ dsl.None) dsl.None {
		backup := k8s.CreateSnapshot.Call(s, k8s.CreateSnapshotIn{Name: dsl.Const("models-1"), Claim: dsl.Const("models")})
		k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
			Name: dsl.Const("models-copy"), Size: dsl.Const("10Gi"), DataSource: k8s.FromSnapshot("models-1"),
		}, dsl.After(backup))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
