package kfp

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// tellApart gives containers a variable that are equal to that of a component with other
// inputs or outputs.
func (w *writer) tellApart() {
	for _, pair := range equalContainers(w.spec) {
		c := w.spec.DeploymentSpec.Executors[w.spec.Components[pair[1]].ExecutorLabel].Container
		c.Env = append(slices.Clone(c.Env), kfpspec.EnvVar{Name: contract.ComponentVar, Value: pair[1]})
	}
}

// equalContainers returns pairs of components that have equal containers, and other inputs
// or outputs. KFP's servers file what they know of a component under its container, so that
// the second would get the inputs, types and defaults of the first.
func equalContainers(spec *kfpspec.PipelineSpec) (pairs [][2]string) {
	type component struct{ name, face string }
	first := map[string]component{} // by container
	for _, name := range slices.Sorted(maps.Keys(spec.Components)) {
		c := spec.Components[name]
		x := spec.DeploymentSpec.Executors[c.ExecutorLabel]
		if x == nil || x.Container == nil {
			continue
		}
		face := *c
		face.ExecutorLabel = ""
		container, known := text(x.Container), text(face)
		switch was, ok := first[container]; {
		case !ok:
			first[container] = component{name, known}
		case was.face != known:
			pairs = append(pairs, [2]string{was.name, name})
		}
	}
	return pairs
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of our own structs
	}
	return string(b)
}
