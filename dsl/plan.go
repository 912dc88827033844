package dsl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// planAll writes what steps would do with objects of the cluster. The steps are read
// from r.
func planAll(ctx context.Context, r io.Reader, w io.Writer, roots []*record.Component) error {
	var steps []contract.Step
	if err := json.NewDecoder(r).Decode(&steps); err != nil {
		return fmt.Errorf("%s takes a list of steps: %w", contract.Objects, err)
	}
	all := contract.Plans{Schema: graph.Schema, Steps: []contract.Planned{}}
	for _, s := range steps {
		all.Steps = append(all.Steps, plan(ctx, s, roots))
	}
	return json.NewEncoder(w).Encode(all)
}

// plan returns what one step would do. Only those are started that say what rights they
// need: any other may do something before it comes to an object, or instead.
func plan(ctx context.Context, s contract.Step, roots []*record.Component) contract.Planned {
	c, err := record.Find(roots, s.Component)
	if err != nil {
		return contract.Planned{Error: err.Error()}
	}
	if c.Kind != graph.Func || len(c.Rights) == 0 {
		return contract.Planned{Error: fmt.Sprintf("component %s doesn't report its operations on objects", s.Component)}
	}
	p := &record.Plan{}
	if _, err := c.Run(record.WithPlan(ctx, p), s.Input); err != nil && !errors.Is(err, record.ErrPlanned) {
		return contract.Planned{Error: err.Error()}
	}
	return contract.Planned{Operations: p.Operations}
}
