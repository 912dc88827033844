// Package pvcdata makes volumes that hold data already, such as a folder of the
// nodes or of an NFS server, into claims that steps can mount, and copies data
// to and from claims.
//
//	data := pvcdata.Bind.Call(s, pvcdata.BindIn{Name: dsl.Const("mnist"), Size: dsl.Const("10Gi"), Source: dsl.Const(pvcdata.NFS("10.0.0.2", "/exports/mnist"))})
//	Train.Call(s, args, k8s.MountPVC(data.Out.Claim, "/data"))
package pvcdata

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

type m = map[string]any

// A Source is where a volume's data is: one of Kubernetes' volume sources.
type Source map[string]any

// HostPath is a folder of a node, or of all of them.
func HostPath(folder string) Source {
	return Source{"hostPath": m{"path": folder, "type": "DirectoryOrCreate"}}
}

// NFS is a folder of an NFS server.
func NFS(server, folder string) Source { return Source{"nfs": m{"server": server, "path": folder}} }

// CSI is a volume that a CSI driver knows by a handle.
func CSI(driver, handle string, attributes map[string]string) Source {
	c := m{"driver": driver, "volumeHandle": handle}
	if len(attributes) > 0 {
		c["volumeAttributes"] = attributes
	}
	return Source{"csi": c}
}

// A Volume is a PersistentVolume, and a Claim the PersistentVolumeClaim for it,
// where the two are written apart.
type Volume struct {
	Name   string           `json:"name"`
	Size   string           `json:"size"`
	Class  string           `json:"class,omitempty"`
	Modes  []k8s.AccessMode `json:"modes"`
	Source Source           `json:"source"`
	Delete bool             `json:"delete,omitempty"` // the data goes with the claim; else it is retained
}

// A Claim asks for a volume.
type Claim struct {
	Name   string           `json:"name"`
	Size   string           `json:"size"`
	Class  string           `json:"class,omitempty"`
	Modes  []k8s.AccessMode `json:"modes"`
	Volume string           `json:"volume"` // its name
}

// BindIn is a volume and a claim of one name, or a pair that is written apart.
type BindIn struct {
	Name   dsl.Param[string]           `kfp:",optional" doc:"of the volume and the claim" check:"name"`
	Size   dsl.Param[string]           `default:"1Gi" doc:"of both" check:"size"`
	Modes  dsl.Param[[]k8s.AccessMode] `kfp:",optional" doc:"of both; default: ReadWriteMany"`
	Source dsl.Param[Source]           `kfp:",optional" doc:"HostPath, NFS or CSI"`

	Volume dsl.Param[Volume] `kfp:",optional" doc:"in place of the fields above, with Claim"`
	Claim  dsl.Param[Claim]  `kfp:",optional"`
	work.Limits
}

// BindOut is the claim, for k8s.MountPVC.
type BindOut struct{ Claim dsl.Param[string] }

// pair returns both, from either form.
func pair(in BindIn) (Volume, Claim) {
	if v, ok := in.Volume.Lookup(); ok {
		return v, in.Claim.Get()
	}
	modes := in.Modes.Get()
	if len(modes) == 0 {
		modes = []k8s.AccessMode{k8s.ReadWriteMany}
	}
	return Volume{Name: in.Name.Get(), Size: in.Size.Get(), Modes: modes, Source: in.Source.Get()},
		Claim{Name: in.Name.Get(), Size: in.Size.Get(), Modes: modes, Volume: in.Name.Get()}
}

// objects returns the manifests. A class that is empty is written so: without it
// the cluster's default class would make another volume.
func objects(v Volume, c Claim) []map[string]any {
	reclaim := "Retain"
	if v.Delete {
		reclaim = "Delete"
	}
	spec := m{
		"capacity": m{"storage": v.Size}, "accessModes": v.Modes, "storageClassName": v.Class, "persistentVolumeReclaimPolicy": reclaim,
	}
	maps.Copy(spec, v.Source)
	return []map[string]any{
		{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": m{"name": v.Name}, "spec": spec},
		{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": m{"name": c.Name}, "spec": m{
			"accessModes": c.Modes, "storageClassName": c.Class, "volumeName": c.Volume, "resources": m{"requests": m{"storage": c.Size}},
		}},
	}
}

// Bind makes a PersistentVolume and a claim for it, and waits until they are bound.
var Bind = work.Step("bind-volume", func(ctx context.Context, in BindIn, out *BindOut) error {
	v, c := pair(in)
	if msgs := Check(v, c); len(msgs) > 0 {
		return fmt.Errorf("%s", strings.Join(msgs, "; "))
	}
	o := objects(v, c)
	got, err := work.Do(ctx, in.Limits, "", work.Object{Manifest: o[0]},
		work.Object{Manifest: o[1], Success: "status.phase == Bound", Failure: "status.phase == Lost"})
	if err != nil {
		return err
	}
	out.Claim.Set(work.Field(got[1], "metadata.name"))
	return nil
}, func(c *work.Call) {
	if c.Given("volume") || c.Given("claim") {
		if !c.Given("volume") || !c.Given("claim") {
			c.Errorf("Volume and Claim go together")
		}
		v, ok1 := work.Arg[Volume](c, "volume")
		cl, ok2 := work.Arg[Claim](c, "claim")
		if ok1 && ok2 {
			for _, name := range []string{v.Name, cl.Name} {
				if msg := pod.BadName(name); name != "" && msg != "" {
					c.Errorf("%s", msg)
				}
			}
			for _, msg := range Check(v, cl) {
				c.Errorf("%s", msg)
			}
		}
		return
	}
	for _, in := range []string{"name", "source"} {
		if !c.Given(in) {
			c.Errorf("input %s is required, or Volume and Claim", in)
		}
	}
	name, ok := work.Arg[string](c, "name")
	size, ok1 := work.Arg[string](c, "size")
	source, ok2 := work.Arg[Source](c, "source")
	if ok && ok1 && ok2 {
		v, cl := pair(BindIn{Name: dsl.Const(name), Size: dsl.Const(size), Source: dsl.Const(source)})
		if modes, ok := work.Arg[[]k8s.AccessMode](c, "modes"); ok {
			v.Modes, cl.Modes = modes, modes
		}
		for _, msg := range Check(v, cl) {
			c.Errorf("%s", msg)
		}
	}
}, work.MakesWide("", "persistentvolumes"), work.Makes("", "persistentvolumeclaims"))

// Check returns what keeps a claim from being bound to a volume: the mistakes for
// which a pod would wait forever.
func Check(v Volume, c Claim) (msgs []string) {
	bad := func(format string, args ...any) { msgs = append(msgs, fmt.Sprintf(format, args...)) }
	if v.Name == "" || c.Name == "" {
		bad("a volume and a claim have names")
	}
	if len(v.Source) != 1 {
		bad("volume %s has %d sources; use HostPath, NFS or CSI", v.Name, len(v.Source))
	}
	for kind, s := range v.Source {
		if !slices.Contains(persistent, kind) {
			bad("volume %s: there is no source %s of a PersistentVolume; use HostPath, NFS or CSI", v.Name, kind)
		}
		of, _ := s.(map[string]any)
		if at, ok := of["path"].(string); ok && !path.IsAbs(at) {
			bad("volume %s: the path %q of its %s is not absolute", v.Name, at, kind)
		}
	}
	for _, mode := range slices.Concat(v.Modes, c.Modes) {
		if !slices.Contains(modes, mode) {
			bad("there is no access mode %q; there are %s", mode, join(modes))
		}
	}
	if c.Volume != v.Name {
		bad("claim %s is for volume %q, and the volume is called %q", c.Name, c.Volume, v.Name)
	}
	if c.Class != v.Class {
		bad("claim %s has the storage class %q and volume %s has %q; they must be the same", c.Name, c.Class, v.Name, v.Class)
	}
	if msg := pod.BadSize(v.Size); msg != "" {
		bad("volume %s: %s", v.Name, msg)
	}
	if msg := pod.BadSize(c.Size); msg != "" && c.Size != v.Size {
		bad("claim %s: %s", c.Name, msg)
	}
	have, err1 := quantity.Parse(v.Size)
	want, err2 := quantity.Parse(c.Size)
	if err1 == nil && err2 == nil && want.Rat().Cmp(have.Rat()) > 0 {
		bad("claim %s asks for %s, and volume %s has %s", c.Name, c.Size, v.Name, v.Size)
	}
	if len(c.Modes) == 0 || len(v.Modes) == 0 {
		bad("claim %s and volume %s have access modes, such as ReadWriteMany", c.Name, v.Name)
	}
	for _, mode := range c.Modes {
		if !slices.Contains(v.Modes, mode) {
			bad("claim %s asks for %s, and volume %s has %v", c.Name, mode, v.Name, v.Modes)
		}
	}
	return msgs
}

// persistent are the sources of PersistentVolumes.
var persistent = []string{
	"awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "csi", "fc", "flexVolume", "flocker", "gcePersistentDisk", "glusterfs",
	"hostPath", "iscsi", "local", "nfs", "photonPersistentDisk", "portworxVolume", "quobyte", "rbd", "scaleIO", "storageos", "vsphereVolume",
}

var modes = []k8s.AccessMode{k8s.ReadWriteOnce, k8s.ReadOnlyMany, k8s.ReadWriteMany, k8s.ReadWriteOncePod}

func join[T ~string](list []T) string {
	var texts []string
	for _, s := range list {
		texts = append(texts, string(s))
	}
	return strings.Join(texts, ", ")
}

// CopyInIn is what to copy to a claim that the task mounts with k8s.MountPVC.
type CopyInIn struct {
	Data dsl.Any           `doc:"a file or folder"`
	To   dsl.Param[string] `doc:"path in the container, below where the claim is mounted"`
}

// CopyOut is how much was copied.
type CopyOut struct {
	Files dsl.Param[int]
	Bytes dsl.Param[int]
}

// CopyIn copies an artifact to a claim:
//
//	pvcdata.CopyIn.Call(s, pvcdata.CopyInIn{Data: model.Any(), To: dsl.Const("/data/model")}, k8s.MountPVC(claim, "/data"))
var CopyIn = work.Check(dsl.Func("copy-to-volume", func(ctx context.Context, in CopyInIn, out *CopyOut) error {
	files, bytes, err := copyAll(ctx, in.Data.Path(), dsl.MountPath(in.To.Get()))
	out.Files.Set(files)
	out.Bytes.Set(bytes)
	return err
}, dsl.NoCache()), func(c *work.Call) { absolute(c, "to") })

// absolute checks a path in the container.
func absolute(c *work.Call, input string) {
	if p, ok := work.Arg[string](c, input); ok && !path.IsAbs(p) {
		c.Errorf("input %s: %q is not an absolute path, such as /data/model where the claim is mounted at /data", input, p)
	}
}

// CopyFromIn is what to copy from a claim that the task mounts.
type CopyFromIn struct {
	From dsl.Param[string] `doc:"path in the container, below where the claim is mounted"`
}

// CopyFromOut is the copy.
type CopyFromOut struct {
	Data  dsl.Dataset
	Files dsl.Param[int]
	Bytes dsl.Param[int]
}

// CopyFrom copies a file or folder of a claim to an artifact.
var CopyFrom = work.Check(dsl.Func("copy-from-volume", func(ctx context.Context, in CopyFromIn, out *CopyFromOut) error {
	files, bytes, err := copyAll(ctx, dsl.MountPath(in.From.Get()), out.Data.Path())
	out.Files.Set(files)
	out.Bytes.Set(bytes)
	return err
}, dsl.NoCache()), func(c *work.Call) { absolute(c, "from") })

// copyAll copies a file or folder. What it would replace is replaced when all of
// a file is there.
func copyAll(ctx context.Context, from, to string) (files, bytes int, err error) {
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
		n, err := copyFile(path, target)
		files, bytes = files+1, bytes+int(n)
		return err
	})
	return files, bytes, err
}

func copyFile(from, to string) (int64, error) {
	src, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return 0, err
	}
	var n int64
	err = atomicfile.Writing(to, 0o644, func(w io.Writer) (err error) {
		n, err = io.Copy(w, src)
		return err
	})
	return n, err
}
