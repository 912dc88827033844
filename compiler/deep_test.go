package compiler_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
)

func deepStep() *dsl.Component[stepIn, stepOut] {
	return dsl.Func("step", func(_ context.Context, in stepIn, out *stepOut) error { return nil }, dsl.Image("example.com/app:1"))
}

func chained(n int) dsl.Definition {
	step := deepStep()
	return dsl.Pipeline("chained", func(s *dsl.Scope, in stepIn) stepOut {
		last := step.Call(s, in)
		for range n - 1 {
			last = step.Call(s, stepIn{A: last.Out.C}, dsl.After(last))
		}
		return last.Out
	})
}

func conditions(n int) dsl.Definition {
	step := deepStep()
	return dsl.Pipeline("conditions", func(s *dsl.Scope, in stepIn) dsl.None {
		first := step.Call(s, in)
		var body func(s *dsl.Scope, left int)
		body = func(s *dsl.Scope, left int) {
			step.Call(s, stepIn{A: first.Out.C, B: in.B})
			if left > 0 {
				dsl.If(s, dsl.Gt(first.Out.C, left), func(s *dsl.Scope) { body(s, left-1) })
			}
		}
		body(s, n)
		return dsl.None{}
	})
}

func loops(n int) dsl.Definition {
	step := deepStep()
	return dsl.Pipeline("loops", func(s *dsl.Scope, in stepIn) dsl.None {
		var body func(s *dsl.Scope, left int, item dsl.Param[int])
		body = func(s *dsl.Scope, left int, item dsl.Param[int]) {
			step.Call(s, stepIn{A: item, B: in.B})
			if left > 0 {
				dsl.ParallelFor(s, dsl.Const([]int{1}), func(s *dsl.Scope, item dsl.Param[int]) dsl.None {
					body(s, left-1, item)
					return dsl.None{}
				})
			}
		}
		body(s, n, in.A)
		return dsl.None{}
	})
}

func nested(n int) dsl.Definition {
	step := deepStep()
	var level func(n int) *dsl.Component[stepIn, stepOut]
	level = func(n int) *dsl.Component[stepIn, stepOut] {
		return dsl.Pipeline(fmt.Sprintf("level-%d", n), func(s *dsl.Scope, in stepIn) stepOut {
			t := step.Call(s, in)
			if n == 0 {
				return t.Out
			}
			return level(n-1).Call(s, stepIn{A: t.Out.C, B: in.B}).Out
		})
	}
	return level(n)
}

// deepShapes nest or chain n tasks.
var deepShapes = []struct {
	name string
	make func(int) dsl.Definition
}{{"chained", chained}, {"conditions", conditions}, {"loops", loops}, {"nested", nested}}

// TestDeep compiles what is 10,000 deep (2,000 with the race detector), which no recursion may fail at, in memory
// that grows with the depth and not faster.
func TestDeep(t *testing.T) {
	for _, s := range deepShapes {
		t.Run(s.name, func(t *testing.T) {
			bytes := func(n int) float64 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				yaml, err := compiler.Compile(s.make(n), compiler.KFP)
				if err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				if tasks := strings.Count(string(yaml), "componentRef:"); tasks < n {
					t.Errorf("%d tasks of %d", tasks, n)
				}
				return float64(after.TotalAlloc - before.TotalAlloc)
			}
			bytes(100) // what is made once
			if ratio := bytes(depth) / bytes(depth/10); ratio > 12 {
				t.Errorf("%d levels allocate %.1f times what a tenth of them does, want at most 12", depth, ratio)
			}
		})
	}
}

// TestDeepArgo: Argo takes 100 templates, one in the other, and what is deeper is an
// error that says so. What is wide or long is split.
func TestDeepArgo(t *testing.T) {
	for _, s := range deepShapes {
		if _, err := compiler.Compile(s.make(45), argo.Workflow); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		_, err := compiler.Compile(s.make(400), argo.Workflow)
		if s.name == "chained" && err != nil || s.name != "chained" && (err == nil || !strings.Contains(err.Error(), "Argo takes 100")) {
			t.Errorf("%s: got %.200v", s.name, err)
		}
	}
}

// TestDeepCondition: conditions may be in each other as deep as the targets take,
// and next to each other as many as there are.
func TestDeepCondition(t *testing.T) {
	step := deepStep()
	of := func(deep, wide int) dsl.Definition {
		return dsl.Pipeline("condition", func(s *dsl.Scope, in stepIn) dsl.None {
			c := dsl.Gt(in.A, 0)
			for i := range deep {
				if c = dsl.Not(c); i%2 == 1 {
					c = dsl.And(c, dsl.Lt(in.A, i))
				}
			}
			all := []dsl.Cond{c}
			for i := range wide {
				all = append(all, dsl.Eq(in.A, i))
			}
			dsl.If(s, dsl.Or(all...), func(s *dsl.Scope) { step.Call(s, in) })
			return dsl.None{}
		})
	}
	for _, target := range []compiler.Target{compiler.KFP, argo.Workflow} {
		// Argo's expressions have at most 10,000 nodes, and a comparison with an argument has 10.
		for _, size := range [][2]int{{60, 0}, {0, 950}} {
			if _, err := compiler.Compile(of(size[0], size[1]), target); err != nil {
				t.Errorf("%s: %v: %.300v", target, size, err)
			}
		}
		_, err := compiler.Compile(of(10000, 0), target)
		if err == nil || !strings.Contains(err.Error(), "more than 100 of dsl.And, dsl.Or and dsl.Not are in each other") || len(err.Error()) > 1000 {
			t.Errorf("%s: got %.300v", target, err)
		}
	}
}
