package pvcdata_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Data dsl.Param[string] }

var pipeline = dsl.Pipeline("volume-data", func(s *dsl.Scope, in pipelineIn) dsl.None {
	data := pvcdata.Bind.Call(s, pvcdata.BindIn{Name: dsl.Const("mnist"), Size: dsl.Const("10Gi"), Source: dsl.Const(pvcdata.NFS("10.0.0.2", "/exports/mnist"))})
	in1 := pvcdata.CopyIn.Call(s, pvcdata.CopyInIn{Data: dsl.Import[dsl.Dataset](s, in.Data).Any(), To: dsl.Const("/data/images")}, k8s.MountPVC(data.Out.Claim, "/data"))
	pvcdata.CopyFrom.Call(s, pvcdata.CopyFromIn{From: dsl.Const("/data/images")}, k8s.MountPVC(data.Out.Claim, "/data"), dsl.After(in1))
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func bound() *kubefake.Cluster {
	return &kubefake.Cluster{ClusterKinds: []string{"PersistentVolume"}, States: map[string][]map[string]any{"PersistentVolumeClaim": {{"phase": "Pending"}, {"phase": "Bound"}}}}
}

func TestBind(t *testing.T) {
	for name, source := range map[string]pvcdata.Source{
		"hostpath": pvcdata.HostPath("/mnt/mnist"), "nfs": pvcdata.NFS("10.0.0.2", "/exports"), "csi": pvcdata.CSI("nas.example.org", "vol-1", map[string]string{"server": "x"}),
	} {
		c := bound().Start(t)
		out, err := pvcdata.Bind.Run(t.Context(), pvcdata.BindIn{Name: dsl.Const("mnist"), Source: dsl.Const(source)})
		if err != nil || out.Claim.Get() != "mnist" {
			t.Fatal(out, err)
		}
		tried.Sent(t, c, name)
	}
}

var (
	rwx    = []k8s.AccessMode{k8s.ReadWriteMany}
	volume = pvcdata.Volume{Name: "v", Size: "10Gi", Modes: rwx, Source: pvcdata.HostPath("/d")}
	claim  = pvcdata.Claim{Name: "c", Size: "10Gi", Modes: rwx, Volume: "v"}
)

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	with := func(change func(*pvcdata.Volume, *pvcdata.Claim)) pvcdata.BindIn {
		v, c := volume, claim
		change(&v, &c)
		return pvcdata.BindIn{Volume: dsl.Const(v), Claim: dsl.Const(c)}
	}
	class := with(func(_ *pvcdata.Volume, c *pvcdata.Claim) { c.Class = "standard" })
	large := with(func(_ *pvcdata.Volume, c *pvcdata.Claim) { c.Size = "11G" })
	other := with(func(_ *pvcdata.Volume, c *pvcdata.Claim) { c.Volume = "w" })
	mode := with(func(v *pvcdata.Volume, _ *pvcdata.Claim) { v.Modes = []k8s.AccessMode{k8s.ReadOnlyMany} })
	size := with(func(v *pvcdata.Volume, _ *pvcdata.Claim) { v.Size = "10 GB" })
	pvcdata.Bind.Call(s, class)                                     // want "claim c has the storage class .standard. and volume v has .., they must be the same|claim c has the storage class .standard. and volume v has ..; they must be the same"
	pvcdata.Bind.Call(s, large)                                     // want "claim c asks for 11G, and volume v has 10Gi"
	pvcdata.Bind.Call(s, other)                                     // want "claim c is for volume .w., and the volume is called .v."
	pvcdata.Bind.Call(s, mode)                                      // want "claim c asks for ReadWriteMany, and volume v has .ReadOnlyMany."
	pvcdata.Bind.Call(s, size)                                      // want "volume v: .10 GB. isn't a quantity of Kubernetes: write 10G or 10Gi"
	pvcdata.Bind.Call(s, pvcdata.BindIn{Volume: dsl.Const(volume)}) // want "Volume and Claim go together"
	pvcdata.Bind.Call(s, pvcdata.BindIn{Name: dsl.Const("a")})      // want "input source is required, or Volume and Claim"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "pvcdata_test.go", misused) }

// TestEqualSizes: sizes are compared as numbers, not as texts.
func TestEqualSizes(t *testing.T) {
	v, c := volume, claim
	for _, size := range []string{"10Gi", "10240Mi", "1.5Gi", "10G", "10737418240", "1000m"} {
		c.Size = size
		if msgs := pvcdata.Check(v, c); len(msgs) > 0 {
			t.Errorf("%s: %q", size, msgs)
		}
	}
	c.Size = "10241Mi"
	if len(pvcdata.Check(v, c)) != 1 {
		t.Error("10241Mi of 10Gi is no mistake")
	}
}

func TestCopy(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "volume")
	for name, text := range map[string]string{"a.txt": "one", "sub/ü.txt": "two"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, err := pvcdata.CopyIn.Run(t.Context(), pvcdata.CopyInIn{Data: dsl.File[dsl.Any](dir), To: dsl.Const(to)})
	if err != nil || in.Files.Get() != 2 || in.Bytes.Get() != 6 {
		t.Fatal(in, err)
	}
	out, err := pvcdata.CopyFrom.Run(t.Context(), pvcdata.CopyFromIn{From: dsl.Const(to)})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(out.Data.Path(), "sub", "ü.txt")); err != nil || string(b) != "two" {
		t.Error(string(b), err)
	}
	_, err = pvcdata.CopyFrom.Run(t.Context(), pvcdata.CopyFromIn{From: dsl.Const(to + "/none")})
	tried.Fails(t, err, "no such file")
}
