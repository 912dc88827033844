package dsltest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/dsltest"
)

type itemsIn struct {
	Rates, More dsl.Param[[]int] `default:"[]"`
}

type bestIn struct {
	Rates, Constants, Losses dsl.Param[[]int]
}

type bestOut struct{ Best dsl.Param[int] }

var double = dsl.Func("double", func(_ context.Context, in struct{ N dsl.Param[int] }, out *bestOut) error {
	out.Best.Set(2 * in.N.Get())
	return nil
})

var bestOf = dsl.Func("best", func(_ context.Context, in bestIn, out *bestOut) error {
	if !slices.Equal(in.Constants.Get(), []int{7, 8}) {
		return context.Canceled
	}
	out.Best.Set(in.Rates.Get()[slices.Index(in.Losses.Get(), slices.Max(in.Losses.Get()))])
	return nil
})

// items loops over three lists. That of a loop's items is in the order of what the loop
// made, and nothing runs for an empty one.
var items = dsl.Pipeline("items", func(s *dsl.Scope, in itemsIn) bestOut {
	type each struct{ Rate, Loss dsl.Param[int] }
	loop := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, n dsl.Param[int]) each {
		return each{n, double.Call(s, struct{ N dsl.Param[int] }{n}).Out.Best}
	})
	var constant dsl.Param[int]
	known := dsl.ForEach(s, dsl.Const([]int{7, 8}), func(s *dsl.Scope, n dsl.Param[int]) {
		constant = n
		double.Call(s, struct{ N dsl.Param[int] }{n}, dsl.After(loop))
	}, dsl.Parallelism(1))
	dsl.ForEach(s, in.More, func(s *dsl.Scope, n dsl.Param[int]) { double.Call(s, struct{ N dsl.Param[int] }{n}) })
	dsl.ForEach(s, dsl.Collected(constant), func(s *dsl.Scope, n dsl.Param[int]) { double.Call(s, struct{ N dsl.Param[int] }{n}) })
	return bestOf.Call(s, bestIn{Rates: dsl.Collected(loop.Each.Rate), Constants: dsl.Collected(constant), Losses: dsl.Collected(loop.Each.Loss)}, dsl.After(known)).Out
})

func TestItems(t *testing.T) {
	r := dsltest.Run(t, items, itemsIn{Rates: dsl.Const([]int{3, 9, 1})})
	if r.Out.Best.Get() != 9 {
		t.Errorf("the best is %d", r.Out.Best.Get())
	}
	last := r.Task("best").Started
	for _, name := range []string{"double", "double-2", "double-3", "double-4"} {
		want := map[string]int{"double": 3, "double-2": 2, "double-3": 0, "double-4": 2}[name]
		runs := r.Executions(name)
		if len(runs) != want {
			t.Errorf("%s ran %d times, want %d", name, len(runs), want)
		}
		for _, task := range runs {
			if name == "double-2" && task.Ended.After(last) {
				t.Errorf("%s ended after best had started", task.Path)
			}
		}
	}
}
