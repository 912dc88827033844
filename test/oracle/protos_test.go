package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestProtos decodes all of our IR strictly with the published protos.
func TestProtos(t *testing.T) {
	all := ours(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		newer, err := Strict(all[name])
		exception := ""
		if newer != nil {
			exception = name + ": newer than the published protos: " + strings.Join(newer, ", ")
		}
		tally("protojson", err == nil && newer == nil, exception)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStrict: fields that no proto has are refused, in each part of a file.
func TestStrict(t *testing.T) {
	const spec = "pipelineInfo: {name: p}\nroot: {dag: {tasks: {}}}\n"
	const executor = "deploymentSpec: {executors: {e: {container: {image: x%s}}}}\n"
	const platform = "---\nplatforms: {kubernetes: {deploymentSpec: {executors: {e: {%s}}}}}\n"
	for _, c := range []struct{ ir, err, newer string }{
		{ir: spec + strings.ReplaceAll(executor, "%s", "") + strings.ReplaceAll(platform, "%s", "imagePullPolicy: Always")},
		{ir: spec + "rooot: {}\n", err: "rooot"},
		{ir: spec + strings.ReplaceAll(executor, "%s", ", comand: [x]"), err: "comand"},
		{ir: spec + strings.ReplaceAll(platform, "%s", "imagePullPolicies: Always"), err: "imagePullPolicies"},
		{ir: spec + strings.ReplaceAll(platform, "%s", "pvcMount: [{subPath: x}], securityContext: {runAsUser: '1'}"), newer: "securityContext,subPath"},
	} {
		newer, err := Strict([]byte(c.ir))
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s\n%v, want %q", c.ir, err, c.err)
		}
		if got := strings.Join(newer, ","); got != c.newer {
			t.Errorf("%s\nnewer %q, want %q", c.ir, got, c.newer)
		}
	}
}
