package kfp

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// tellApart gives containers a variable that are equal to that of a component with other
// inputs or outputs. KFP's servers file what they know of a component under its container,
// so that each such component would get the inputs, types and defaults of the first.
func (w *writer) tellApart() {
	first := map[string]string{} // the first component, by container
	for _, name := range slices.Sorted(maps.Keys(w.spec.Components)) {
		c := w.spec.Components[name]
		x := w.spec.DeploymentSpec.Executors[c.ExecutorLabel]
		if x == nil || x.Container == nil {
			continue
		}
		face := *c
		face.ExecutorLabel = ""
		container, known := text(x.Container), text(face)
		switch was, ok := first[container]; {
		case !ok:
			first[container] = known
		case was != known:
			x.Container.Env = append(slices.Clone(x.Container.Env), kfpspec.EnvVar{Name: contract.ComponentVar, Value: name})
		}
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of our own structs
	}
	return string(b)
}
