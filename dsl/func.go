package dsl

import (
	"context"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Func returns a component that runs a Go function. The function runs in a
// container of the program's own image, which kfpgo build makes: see [Main]. It
// takes the place of KFP's lightweight Python components (create_component_from_func).
//
// The Out that the function gets has the paths of its artifacts filled in. It
// must set every output parameter that isn't optional.
//
// The command kfpgo gen steps writes this call, with In and Out, for a plain function
// that has //kfpgo:step in its comment.
func Func[In, Out any](name string, run func(context.Context, In, *Out) error, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Func, name, opts)
	c.run = run
	if run == nil {
		c.c.Errorf(c.c.Pos, "component %s: no function", name)
	}
	return c
}
