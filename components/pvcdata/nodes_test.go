package pvcdata_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

var toNodes = pvcdata.CopyToNodesIn{
	Name: dsl.Const("copy-mnist"), Claim: dsl.Const("mnist"), From: dsl.Const("/images/"), HostPath: dsl.Const("/mnt/data/mnist"),
	Nodes: dsl.Const(map[string]string{"gpu": "a100"}), Tolerate: dsl.Const([]string{"nvidia.com/gpu"}),
}

// TestCopyToNodes: it waits for all nodes, and leaves no DaemonSet, whether it
// succeeds or not.
func TestCopyToNodes(t *testing.T) {
	status := func(desired, ready, missing int) map[string]any {
		s := map[string]any{"observedGeneration": 1, "desiredNumberScheduled": desired, "numberReady": ready}
		if missing > 0 {
			s["numberUnavailable"] = missing
		}
		return s
	}
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"DaemonSet": {{}, status(3, 0, 3), status(3, 2, 1), status(3, 3, 0)}}}).Start(t)
	out, err := pvcdata.CopyToNodes.Run(t.Context(), toNodes)
	if err != nil || out.Nodes.Get() != 3 {
		t.Fatal(out, err)
	}
	tried.Sent(t, c, "daemonset")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	c = (&kubefake.Cluster{States: map[string][]map[string]any{"DaemonSet": {status(0, 0, 0)}}}).Start(t)
	_, err = pvcdata.CopyToNodes.Run(t.Context(), toNodes)
	tried.Fails(t, err, "no node has the labels map[gpu:a100]")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

var misusedNodes = dsl.Pipeline("misused-nodes", func(s *dsl.Scope, _ dsl.None) dsl.None {
	root, relative, away := toNodes, toNodes, toNodes
	root.HostPath, relative.HostPath, away.From = dsl.Const("/var/"), dsl.Const("data/x"), dsl.Const("a/../../b")
	pvcdata.CopyToNodes.Call(s, root)     // want "input host_path: ./var/. is a folder of the node's own, and would be replaced; use one below it, such as /var/data"
	pvcdata.CopyToNodes.Call(s, relative) // want "input host_path: .data/x. is not an absolute path"
	pvcdata.CopyToNodes.Call(s, away)     // want "input from: .a/../../b. leaves the claim"
	return dsl.None{}
})

func TestMisusedNodes(t *testing.T) { tried.Mistakes(t, "nodes_test.go", misusedNodes) }

// TestManifest: all of the claim is "." of it.
func TestManifest(t *testing.T) {
	in := toNodes
	in.From, in.Nodes = dsl.Const(""), dsl.Param[map[string]string]{}
	spec := pvcdata.DaemonSet(in)["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	command := spec["containers"].([]any)[0].(map[string]any)["command"].([]string)
	if got := strings.Join(command[3:], " "); got != "mnist ." || spec["nodeSelector"] != nil {
		t.Errorf("copies %q on %v", got, spec["nodeSelector"])
	}
}

// TestCopyToNodesRights: kfpgo compile --rbac writes a role with all that the step needs.
func TestCopyToNodesRights(t *testing.T) {
	rights := record.Of(pvcdata.CopyToNodes).Rights
	if !slices.ContainsFunc(rights, func(r work.Right) bool { return r.Group == "apps" && r.Resource == "daemonsets" }) {
		t.Errorf("no right to make DaemonSets in %+v", rights)
	}
}
