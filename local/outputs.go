package local

import (
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Outputs returns the outputs of each execution of a component that succeeded, in the
// order in which they were reached: of a task in a loop there is one for each item.
// Nested pipelines are components too.
func Outputs[R, In, Out any](r *Result[R], c *dsl.Component[In, Out]) ([]Out, error) {
	of := record.Of(c)
	is := func(k *program.Component) bool {
		return k != nil && k.Name != r.program.Main && k.Pos == of.Pos && (k.Title == of.Name || k.Title == "" && k.Name == of.Name)
	}
	if !slices.ContainsFunc(r.program.Components, is) {
		return nil, fmt.Errorf("%s is not called by %s", of.Name, r.program.Name)
	}
	var outs []Out
	for _, t := range r.run.Tasks {
		if !is(r.program.Component(t.Component)) || t.State != run.Succeeded && t.State != run.Cached {
			continue
		}
		var out Out
		if err := decode(&out, of, t.Outputs, t.Writes); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Path, err)
		}
		outs = append(outs, out)
	}
	return outs, nil
}
