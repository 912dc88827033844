package emit

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/vet"
)

// small is what is below all limits, so that nothing need be measured.
const small = 96 << 10

// Sizes returns what is near or above the limits of a target in a program that
// was written as some YAML, and what its servers are known to ignore.
func Sizes(p *program.Program, target string, o Options, written []byte) []vet.Finding {
	if !OnArgo(target) {
		ignored := vet.Server(p, o.KFPVersion != "")
		if len(written) < small {
			return append(ignored, vet.KFP(p, nil, len(written))...)
		}
		spec, _, err := kfp.Build(p, kfpOptions(o))
		if err != nil {
			return nil // Emit has said so
		}
		return append(ignored, vet.KFP(p, spec, len(written))...)
	}
	if len(written) < 512<<10 {
		return nil
	}
	return vet.Argo(len(written), templates(written))
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
			size += len(k) + measure(&v) + 6
		}
		sizes[key] += size
	}
	return sizes
}

// measure returns about how many bytes a node takes as JSON.
func measure(n *yaml.Node) int {
	size := len(n.Value) + 3
	for _, c := range n.Content {
		size += measure(c)
	}
	return size
}
