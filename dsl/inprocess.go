package dsl

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/record"
)

// InProcess returns a function that runs a Go component of the definitions, or a
// stand-in, by name, in this process: it takes KFP's executor input and returns
// the executor output. It is for the package that runs pipelines on this machine.
func InProcess(defs ...Definition) func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error) {
		var roots []*record.Component
		for _, d := range defs {
			roots = append(roots, componentOf(d))
		}
		c, err := record.Find(roots, name)
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

// Reexec reports whether the program has called [Main] or [Init], so that its
// executable runs a component when it is started as a container would be. Where
// it is false, nothing starts the program again: see [InProcess].
func Reexec() bool { return record.Reexec }

// componentOf returns the component that a definition records: of a schedule,
// its pipeline.
func componentOf(d Definition) *record.Component {
	if d == nil || isNil(d) {
		return nil
	}
	r := d.root()
	if r.Schedule != nil {
		return r.Schedule.Pipeline
	}
	return r.Component
}
