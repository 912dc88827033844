package compiler_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
)

type stepIn struct {
	A dsl.Param[int]
	B dsl.Param[string] `default:"x"`
}

type stepOut struct{ C dsl.Param[int] }

// sized returns a new pipeline of n tasks in pipelines of 100, since Argo takes at
// most 200 in a DAG. Each has a chain, a fan out and a fan in, and they follow
// each other.
func sized(n int) dsl.Definition {
	step := dsl.Func("step", func(_ context.Context, in stepIn, out *stepOut) error {
		out.C.Set(in.A.Get() + 1)
		return nil
	}, dsl.Image("example.com/app:1"))
	join := dsl.Func("join", func(_ context.Context, in joinIn, out *stepOut) error { return nil }, dsl.Image("example.com/app:1"))
	groups := 0
	group := func(n int) *dsl.Component[stepIn, stepOut] {
		groups++
		return dsl.Pipeline(fmt.Sprintf("group-%d", groups), func(s *dsl.Scope, in stepIn) stepOut {
			last := step.Call(s, in, dsl.CPU("1"), dsl.Memory("1Gi"))
			var fan []*dsl.Task[stepOut]
			for i := 1; i < n-1; i++ {
				t := step.Call(s, stepIn{A: last.Out.C, B: dsl.Sprintf("task %v", last.Out.C)})
				if i%10 == 0 {
					last = t
				}
				fan = append(fan, t)
			}
			return join.Call(s, joinIn{A: fan[0].Out.C, B: fan[len(fan)-1].Out.C}).Out
		})
	}
	if n <= 100 {
		return group(n)
	}
	return dsl.Pipeline("sized", func(s *dsl.Scope, in stepIn) stepOut {
		for i := 0; i < n; i += 100 {
			in.A = group(100).Call(s, in).Out.C
		}
		return stepOut{C: in.A}
	})
}

type joinIn struct{ A, B dsl.Param[int] }

// flat returns a new pipeline that is one DAG of n tasks, more than Argo takes.
func flat(n int) dsl.Definition {
	step := dsl.Func("step", func(_ context.Context, in stepIn, out *stepOut) error { return nil }, dsl.Image("example.com/app:1"))
	return dsl.Pipeline("flat", func(s *dsl.Scope, in stepIn) stepOut {
		last := in.A
		for i := range n {
			t := step.Call(s, stepIn{A: last, B: dsl.Sprintf("task %v", in.B)}, dsl.CPU("1"), dsl.Memory("1Gi"))
			if i%10 == 0 {
				last = t.Out.C
			}
		}
		return stepOut{C: last}
	})
}

var shapes = []struct {
	name   string
	target compiler.Target
	make   func(int) dsl.Definition
}{
	{"kfp", compiler.KFP, sized},
	{"kfp-flat", compiler.KFP, flat},
	{"argo", argo.Workflow, sized},
}

// BenchmarkCompile defines, lowers and emits a pipeline.
func BenchmarkCompile(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{10, 100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/tasks=%d", s.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					compile(b, s.make(n), s.target)
				}
			})
		}
	}
}

func compile(tb testing.TB, d dsl.Definition, target compiler.Target) {
	if _, err := compiler.Compile(d, target); err != nil {
		tb.Fatal(err)
	}
}

// TestScale sees that what is allocated grows with the number of tasks and not
// faster. Unlike time, that is the same on each machine.
func TestScale(t *testing.T) {
	for _, s := range shapes {
		bytes := func(n int) float64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			compile(t, s.make(n), s.target)
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		bytes(100) // what is made once
		if ratio := bytes(4000) / bytes(400); ratio > 12 {
			t.Errorf("%s: 4,000 tasks allocate %.1f times what 400 do, want at most 12", s.name, ratio)
		}
	}
}
