package lower_test

import (
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// chain returns a pipeline of n tasks, in loops of a hundred, each of which
// reads the one before and an input from outside of the loop.
func chain(n int) *dsl.Component[numIn, dsl.None] {
	return dsl.Pipeline("chain", func(s *dsl.Scope, in numIn) dsl.None {
		for range n / 100 {
			dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, item dsl.Param[int]) dsl.None {
				last := double.Call(s, in)
				for range 99 {
					last = double.Call(s, numIn{last.Out.N})
				}
				return dsl.None{}
			})
		}
		return dsl.None{}
	})
}

func BenchmarkLower(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g := recorded.Graph(chain(n))
				if _, err := lower.Lower(g, g.Component(1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
