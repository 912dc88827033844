package pvcdata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// CopyToNodesIn is what to copy from a claim, and to which nodes.
type CopyToNodesIn struct {
	Name     dsl.Param[string]            `doc:"of the DaemonSet that copies, and is deleted at the end" check:"name"`
	Claim    dsl.Param[string]            `doc:"that all nodes can mount" check:"name"`
	From     dsl.Param[string]            `default:"" doc:"file or folder in the claim; empty: all of it"`
	HostPath dsl.Param[string]            `doc:"where it is to be on each node, such as /mnt/data/mnist; what is there is replaced when the copy is complete"`
	Nodes    dsl.Param[map[string]string] `kfp:",optional" doc:"labels of the nodes; default: all"`
	Tolerate dsl.Param[[]string]          `kfp:",optional" doc:"keys of taints that don't keep it away, such as nvidia.com/gpu"`
	Image    dsl.Param[string]            `default:"busybox:1.36" doc:"with sh, cp and mv" check:"image"`
	work.Limits
}

// CopyToNodesOut is how many nodes have it.
type CopyToNodesOut struct{ Nodes dsl.Param[int] }

// copyScript replaces /to/NAME by what is in the claim, at once.
const copyScript = `set -e
trap 'exit 0' TERM
part="/to/.$0.part"
rm -rf "$part"
cp -a "/from/$1" "$part"
rm -rf "/to/$0"
mv "$part" "/to/$0"
echo "$0 is on the node"
touch /tmp/copied
while :; do sleep 1; done`

// DaemonSet returns the manifest.
func DaemonSet(in CopyToNodesIn) map[string]any {
	labels := m{"kfpgo.dev/copy": in.Name.Get()}
	from := cmp.Or(strings.Trim(in.From.Get(), "/"), ".")
	to := path.Clean(in.HostPath.Get())
	spec := m{
		"terminationGracePeriodSeconds": 1,
		"containers": []any{m{
			"name": "copy", "image": in.Image.Get(), "command": []string{"sh", "-c", copyScript, path.Base(to), from},
			"readinessProbe": m{"exec": m{"command": []string{"test", "-f", "/tmp/copied"}}, "periodSeconds": 1},
			"volumeMounts":   []any{m{"name": "from", "mountPath": "/from", "readOnly": true}, m{"name": "to", "mountPath": "/to"}},
		}},
		"volumes": []any{
			m{"name": "from", "persistentVolumeClaim": m{"claimName": in.Claim.Get(), "readOnly": true}},
			m{"name": "to", "hostPath": m{"path": path.Dir(to), "type": "DirectoryOrCreate"}},
		},
	}
	if n := in.Nodes.Get(); len(n) > 0 {
		spec["nodeSelector"] = n
	}
	var tolerations []any
	for _, key := range in.Tolerate.Get() {
		tolerations = append(tolerations, m{"key": key, "operator": "Exists"})
	}
	if tolerations != nil {
		spec["tolerations"] = tolerations
	}
	return m{
		"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": work.Meta(in.Name.Get(), false, nil),
		"spec": m{
			"selector": m{"matchLabels": labels},
			"template": m{"metadata": m{"labels": labels}, "spec": spec},
		},
	}
}

// CopyToNodes copies data of a claim to a folder of each node, so that pods with
// pod.HostPath, or a volume of HostPath, read it without the network. It ends when
// all nodes that have the labels have a whole copy.
//
//	pvcdata.CopyToNodes.Call(s, pvcdata.CopyToNodesIn{
//		Name: dsl.Const("copy-mnist"), Claim: data.Out.Claim, HostPath: dsl.Const("/mnt/data/mnist"),
//		Nodes: dsl.Const(map[string]string{"gpu": "a100"}), Tolerate: dsl.Const([]string{"nvidia.com/gpu"}),
//	})
var CopyToNodes = work.Step("copy-to-nodes", func(ctx context.Context, in CopyToNodesIn, out *CopyToNodesOut) (err error) {
	if msg := badHostPath(in.HostPath.Get()); msg != "" {
		return fmt.Errorf("input host_path: %s", msg)
	}
	set, name, pods := DaemonSet(in), in.Name.Get(), "kfpgo.dev/copy="+in.Name.Get()
	got, err := work.Do(ctx, in.Limits, "", work.Object{Manifest: set, Success: "status.observedGeneration > 0"})
	if err != nil {
		return err
	}
	defer func() { // that it exists is not an error of the second Do, which therefore keeps it
		if err == nil || !in.Keep.Get() {
			ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
			defer stop()
			_, e := work.Do(ctx, in.Limits, "", work.Gone("apps/v1", "DaemonSet", name))
			err = errors.Join(err, e)
		}
	}()
	if n := work.Field(got[0], "status.desiredNumberScheduled"); n == "" || n == "0" {
		return fmt.Errorf("no node has the labels %v and none but the tolerated taints", in.Nodes.Get())
	}
	if got, err = work.Do(ctx, in.Limits, pods, work.Object{Manifest: set, Success: "status.numberReady > 0, !status.numberUnavailable"}); err != nil {
		return err
	}
	var nodes int
	if _, err := fmt.Sscan(work.Field(got[0], "status.numberReady"), &nodes); err != nil {
		return fmt.Errorf("DaemonSet %s: status.numberReady: %w", name, err)
	}
	out.Nodes.Set(nodes)
	return nil
}, func(c *work.Call) {
	if p, ok := work.Arg[string](c, "host_path"); ok {
		if msg := badHostPath(p); msg != "" {
			c.Errorf("input host_path: %s", msg)
		}
	}
	if n, ok := work.Arg[string](c, "name"); ok && len(n) > 63 {
		c.Errorf("input name: %q has %d characters; it becomes the value of a label, which has 63 at most", n, len(n))
	}
	nodes, _ := work.Arg[map[string]string](c, "nodes")
	for _, key := range slices.Sorted(maps.Keys(nodes)) {
		if msg := pod.BadLabel(key, nodes[key]); msg != "" {
			c.Errorf("input nodes: %s", msg)
		}
	}
	keys, _ := work.Arg[[]string](c, "tolerate")
	for _, key := range keys {
		if msg := pod.BadLabel(key, ""); msg != "" {
			c.Errorf("input tolerate: %s", msg)
		}
	}
	if f, ok := work.Arg[string](c, "from"); ok && strings.Contains("/"+f+"/", "/../") {
		c.Errorf("input from: %q leaves the claim", f)
	}
}, work.Makes("apps", "daemonsets")).Defaults(CopyToNodesIn{Limits: work.Limits{Timeout: dsl.Const("2h")}})

// badHostPath says why a folder of a node can't be replaced.
func badHostPath(p string) string {
	switch {
	case !path.IsAbs(p):
		return fmt.Sprintf("%q is not an absolute path", p)
	case path.Dir(path.Clean(p)) == "/":
		return fmt.Sprintf("%q is a folder of the node's own, and would be replaced; use one below it, such as %s/data", p, strings.TrimRight(path.Clean(p), "/"))
	}
	return ""
}
