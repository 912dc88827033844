package record

import (
	"context"
	"errors"

	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// A Plan is what a step would do with objects of the cluster. A step whose context has
// one does nothing: what it wants to do is added to the plan, and it ends with ErrPlanned.
type Plan struct{ Operations []contract.Operation }

// ErrPlanned ends a step that is only planned.
var ErrPlanned = errors.New("the step is planned, and not run")

type planKey struct{}

// WithPlan returns a context in which steps are planned.
func WithPlan(ctx context.Context, p *Plan) context.Context {
	return context.WithValue(ctx, planKey{}, p)
}

// PlanOf returns the plan of a context, or nil where steps run.
func PlanOf(ctx context.Context) *Plan {
	p, _ := ctx.Value(planKey{}).(*Plan)
	return p
}
