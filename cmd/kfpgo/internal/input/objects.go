package input

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/review/objects"
)

// Known returns the inputs of the pipeline that are known: those that are given, and
// defaults. It need not be all.
func (p *Pipeline) Known(given params.Options) (map[string]json.RawMessage, error) {
	given.Partial = true
	values, err := params.Read(p.Inputs(), given)
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	for _, in := range p.Inputs() {
		if in.Default != nil {
			all[in.Name] = in.Default
		}
	}
	maps.Copy(all, values)
	return all, nil
}

// Steps returns what asks the program what its steps would do with objects of the
// cluster, or nil for a file, whose program isn't at hand.
func (p *Pipeline) Steps(ctx context.Context) func([]contract.Step) ([]contract.Planned, error) {
	if p.Built == nil {
		return nil
	}
	return func(steps []contract.Step) ([]contract.Planned, error) { return p.Built.Objects(ctx, steps) }
}

// Objects returns what tasks of the pipeline do with objects of the cluster.
func (p *Pipeline) Objects(ctx context.Context, o objects.Options) ([]objects.Task, error) {
	o.Steps = p.Steps(ctx)
	return objects.Of(p.Program, o)
}
