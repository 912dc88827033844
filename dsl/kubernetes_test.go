package dsl_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

var trainNothing = dsl.Func("train", func(context.Context, dsl.None, *dsl.None) error { return nil })

type kubernetesIn struct {
	Text dsl.Param[string]
}

// kubernetes uses every option and operation, with constants and references.
var kubernetes = dsl.Pipeline("all", func(s *dsl.Scope, in kubernetesIn) dsl.None {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: in.Text, Size: in.Text})
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
		NameSuffix: dsl.Const("-x"), Size: dsl.Const("10Gi"),
		AccessModes:  dsl.Const([]k8s.AccessMode{k8s.ReadOnlyMany, k8s.ReadWriteMany}),
		StorageClass: dsl.Const(""), VolumeName: dsl.Const("disk-1"),
		Annotations: dsl.Const(map[string]string{"a": "b"}), DataSource: k8s.FromPVC("other"),
	})
	snapshot := k8s.CreateSnapshot.Call(s, k8s.CreateSnapshotIn{Name: in.Text, Claim: claim.Out.Name, Class: dsl.Const("fast")})
	trainNothing.Call(s, dsl.None{},
		k8s.MountPVC(claim.Out.Name, "/a"), k8s.MountPVC("b", "/b", k8s.SubPath("x/y")),
		k8s.NodeSelector("disk", "ssd"), k8s.NodeSelector("zone", in.Text),
		k8s.Tolerate(k8s.Toleration{Operator: k8s.Exists}),
		k8s.Tolerate(k8s.Toleration{Key: "gpu", Value: "yes", Effect: k8s.NoExecute, Seconds: new(int64(0))}),
		k8s.SecretEnv("TOKEN", in.Text, "token.txt"),
		k8s.Label("acme.com/team", "vision"), k8s.Annotation("note", "any text {{x}}"),
		dsl.After(snapshot),
	)
	k8s.DeleteSnapshot.Call(s, k8s.DeleteSnapshotIn{Name: snapshot.Out.Name})
	for _, c := range []*dsl.Component[k8s.ManifestIn, k8s.ManifestOut]{k8s.Apply, k8s.Create, k8s.Patch} {
		c.Call(s, k8s.ManifestIn{Manifest: in.Text, Success: dsl.Const("status.ready")})
	}
	k8s.Delete.Call(s, k8s.DeleteIn{Manifest: in.Text})
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim.Out.Name})
	return dsl.None{}
})

func TestKubernetesGolden(t *testing.T) {
	if err := kubernetes.Check(); err != nil {
		t.Fatal(err)
	}
	g := recorded.Graph(kubernetes)
	var got bytes.Buffer
	for _, c := range g.Components {
		if fprint(&got, g, c); c.Resource != nil {
			fmt.Fprintf(&got, "  %+v\n", *c.Resource)
		}
	}
	golden.Check(t, "k8s/testdata/all.golden", got.Bytes())
}
