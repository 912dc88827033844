package emit

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/vet"
)

// Measured is Emit, and returns too what is near or above the limits of the target,
// and what its servers are known to ignore.
func Measured(p *program.Program, target string, o Options) ([]byte, []vet.Finding, error) {
	w, err := emit(p, target, o)
	if err != nil {
		return nil, nil, err
	}
	return w.yaml, w.sizes(target, o), nil
}

func (w *written) sizes(target string, o Options) []vet.Finding {
	size := len(w.yaml)
	if OnArgo(target) {
		if size < 512<<10 {
			return nil
		}
		return vet.Argo(size, templates(w.yaml))
	}
	ignored := vet.Server(w.p, o.KFPVersion != "" || o.Exact)
	return append(ignored, vet.KFP(w.p, w.spec, size)...)
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
