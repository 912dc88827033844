package objects_test

import (
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/review/objects"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type named struct{ Name dsl.Param[string] }

// TestLimits: a text that doubles in each pipeline, and loops in loops, end in an error
// before they fill the memory.
func TestLimits(t *testing.T) {
	leaf := func(s *dsl.Scope, name dsl.Param[string]) {
		deploy.Call(s, deployIn{Name: name, Replicas: dsl.Const(1), Paused: dsl.Const(true), Image: dsl.Const("x:1")})
	}
	double := dsl.Pipeline("double", func(s *dsl.Scope, in named) dsl.None { leaf(s, in.Name); return dsl.None{} })
	for i := range 40 {
		inner := double
		double = dsl.Pipeline(fmt.Sprintf("double-%d", i), func(s *dsl.Scope, in named) dsl.None {
			inner.Call(s, named{dsl.Sprintf("%v%v", in.Name, in.Name)})
			return dsl.None{}
		})
	}
	items := dsl.Const([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
	var loop func(s *dsl.Scope, depth int, name dsl.Param[string])
	loop = func(s *dsl.Scope, depth int, name dsl.Param[string]) {
		if depth == 0 {
			leaf(s, name)
			return
		}
		dsl.ParallelFor(s, items, func(s *dsl.Scope, item dsl.Param[string]) dsl.None {
			loop(s, depth-1, item)
			return dsl.None{}
		})
	}
	for _, d := range []dsl.Definition{
		double.Defaults(named{dsl.Const("a")}),
		dsl.Pipeline("loops", func(s *dsl.Scope, in named) dsl.None { loop(s, 6, in.Name); return dsl.None{} }),
	} {
		p := lowered.Program(t, d)
		got, err := objects.Of(p, objects.Options{})
		if err == nil || len(got) > 2_000 {
			t.Errorf("%s: %d tasks, %v", p.Name, len(got), err)
		}
	}
}
