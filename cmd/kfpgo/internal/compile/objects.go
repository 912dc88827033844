package compile

import (
	"context"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/review/objects"
)

// objectsOf returns the YAML of the objects that tasks of a pipeline work on.
func objectsOf(ctx context.Context, p *input.Pipeline, o emit.Options) ([]byte, error) {
	known, err := p.Known(o.Defaults)
	if err != nil {
		return nil, err
	}
	tasks, err := p.Objects(ctx, objects.Options{Inputs: known, Image: o.Image})
	if err != nil {
		return nil, err
	}
	return objects.YAML(p.Program, tasks)
}
