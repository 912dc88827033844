// Package recorded has what definitions of package dsl record, for packages that compile
// and run pipelines.
package recorded

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Graph returns what definitions of package dsl record, mistakes included.
func Graph[D any](defs ...D) *graph.Graph {
	roots := make([]record.Root, len(defs))
	for i, d := range defs {
		roots[i] = record.RootOf(d)
	}
	return record.Graph(roots)
}

// InProcess returns a function that runs a Go component of the definitions, or a
// stand-in, by name, in this process: it takes KFP's executor input and returns
// the executor output. It is for packages that run pipelines on this machine.
func InProcess[D any](defs ...D) func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
		c, err := record.Find(record.ComponentsOf(defs), name)
		if err != nil {
			return nil, err
		}
		out, err := c.Run(ctx, input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return out, nil
	}
}
