package k8s_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

type in struct {
	Text dsl.Param[string]
}

// all uses every option and operation, with constants and references.
var all = dsl.Pipeline("all", func(s *dsl.Scope, in in) dsl.None {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: in.Text, Size: in.Text})
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
		NameSuffix: dsl.Const("-x"), Size: dsl.Const("10Gi"),
		AccessModes:  dsl.Const([]k8s.AccessMode{k8s.ReadOnlyMany, k8s.ReadWriteMany}),
		StorageClass: dsl.Const(""), VolumeName: dsl.Const("disk-1"),
		Annotations: dsl.Const(map[string]string{"a": "b"}), DataSource: k8s.FromPVC("other"),
	})
	snapshot := k8s.CreateSnapshot.Call(s, k8s.CreateSnapshotIn{Name: in.Text, Claim: claim.Out.Name, Class: dsl.Const("fast")})
	train.Call(s, dsl.None{},
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

func TestGolden(t *testing.T) {
	if err := all.Check(); err != nil {
		t.Fatal(err)
	}
	g := dsl.Graph(all)
	var got bytes.Buffer
	for _, c := range g.Components {
		if graph.Fprint(&got, g, c); c.Resource != nil {
			fmt.Fprintf(&got, "  %+v\n", *c.Resource)
		}
	}
	golden.Check(t, "testdata/all.golden", got.Bytes())
}

// TestPython: the claim operations have the names, inputs and outputs of
// kfp.kubernetes, which KFP's driver looks for.
func TestPython(t *testing.T) {
	for _, tt := range []struct {
		c    dsl.Definition
		want string
	}{
		{k8s.CreatePVC, "create-pvc createpvc pvc_name:STRING? pvc_name_suffix:STRING? size:STRING access_modes:LIST storage_class_name:STRING=\"\" " +
			"volume_name:STRING? annotations:STRUCT? data_source:STRUCT? -> name:STRING"},
		{k8s.DeletePVC, "delete-pvc deletepvc pvc_name:STRING ->"},
	} {
		c := dsl.Graph(tt.c).Component(1)
		parts := []string{c.Resource.Builtin, c.Name}
		for _, f := range c.Inputs {
			text := f.Name + ":" + f.Type.Name
			if f.Default != nil {
				text += "=" + string(f.Default)
			}
			if f.Optional {
				text += "?"
			}
			parts = append(parts, text)
		}
		parts = append(parts, "->")
		for _, f := range c.Outputs {
			parts = append(parts, f.Name+":"+f.Type.Name)
		}
		if got := strings.Join(parts, " "); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
