package vet

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// Written returns findings about sizes near or above the limits of a target in its output,
// and what the servers of the target are known to ignore.
func Written(w kfp.Written, target string, o emit.Options) []Finding {
	size := len(w.YAML)
	if emit.OnArgo(target) {
		if size < 512<<10 {
			return nil
		}
		return argoSize(size, templates(w.YAML))
	}
	found := append(server(w.Program, o.KFPVersion != "" || o.Exact), equalContainers(w)...)
	found = append(found, kfpSize(w.Program, w.Spec, size)...)
	if len(found) > 0 {
		mark(found, comments(w.Program))
	}
	return found
}

// templates returns the sizes of a Workflow's templates.
func templates(written []byte) map[string]int {
	var w struct {
		Spec struct {
			Templates    []map[string]yaml.Node `yaml:"templates"`
			WorkflowSpec struct {
				Templates []map[string]yaml.Node `yaml:"templates"`
			} `yaml:"workflowSpec"`
		} `yaml:"spec"`
	}
	first, _, _ := strings.Cut(string(written), "\n---\n")
	if yaml.Unmarshal([]byte(first), &w) != nil {
		return nil
	}
	sizes := map[string]int{}
	for i, t := range append(w.Spec.Templates, w.Spec.WorkflowSpec.Templates...) {
		name := t["name"]
		key, size := name.Value, 0
		if key == "" {
			key = fmt.Sprint(i)
		}
		for k, v := range t {
			size += len(k) + jsonSize(&v) + 6
		}
		sizes[key] += size
	}
	return sizes
}

// jsonSize returns about how many bytes a node takes as JSON.
func jsonSize(n *yaml.Node) int {
	size := len(n.Value) + 3
	for _, c := range n.Content {
		size += jsonSize(c)
	}
	return size
}
