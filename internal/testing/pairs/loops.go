package pairs

import "github.com/kfpgo/kfpgo/dsl"

type sweepItem struct {
	Rate dsl.Param[float64] `json:"rate"`
	N    dsl.Param[int]     `json:"n"`
}

type loopsIn struct {
	Ns     dsl.Param[[]int]
	Sweep  dsl.Param[[]sweepItem]
	Source dsl.Param[string] `default:"here"`
}

type outputInts struct {
	Output dsl.Param[[]int] `kfp:"Output"`
}

type labelled struct {
	Text  dsl.Param[string] `json:"text"`
	Label dsl.Param[string] `json:"label"`
}

type numbered struct {
	N dsl.Param[int] `json:"n"`
}

var _ = pair(loops,
	"dsl.ParallelFor", "dsl.ParallelFor over constants", "dsl.ParallelFor over a parameter", "dsl.ParallelFor over an output",
	"dsl.ParallelFor(parallelism)", "keys of a loop's items", "nested loops", "dsl.Collected", "list")

var loops = dsl.Pipeline("loops", func(s *dsl.Scope, in loopsIn) outputInts {
	makeData.Call(s, dataIn{Source: in.Source})
	dsl.ParallelFor(s, dsl.Const([]int{1, 2, 3}), func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
		makeInt.Call(s, intIn{N: i})
		return dsl.None{}
	})
	dsl.ParallelFor(s, dsl.Const([]labelled{{dsl.Const("it's"), dsl.Const("1")}, {dsl.Const("ü"), dsl.Const("2")}}),
		func(s *dsl.Scope, i dsl.Param[labelled]) dsl.None {
			item := dsl.Fields(i)
			say.Call(s, textIn{Text: item.Text})
			say.Call(s, textIn{Text: item.Label})
			return dsl.None{}
		}, dsl.Parallelism(2))
	dsl.ParallelFor(s, dsl.Const([]numbered{{dsl.Const(1)}, {dsl.Const(2)}}), func(s *dsl.Scope, i dsl.Param[numbered]) dsl.None {
		makeInt.Call(s, intIn{N: dsl.Fields(i).N})
		return dsl.None{}
	})
	each := dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, n dsl.Param[int]) intOut {
		got := makeInt.Call(s, intIn{N: n})
		dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
			say.Call(s, textIn{Text: text})
			makeInt.Call(s, intIn{N: n})
			makeInt.Call(s, intIn{N: got.Out.Out})
			return dsl.None{}
		})
		return got.Out
	})
	all := dsl.Collected(each.Each.Out)
	sumUp.Call(s, sumIn{Ns: all})
	listed := makeList.Call(s, dsl.None{})
	dsl.ParallelFor(s, listed.Out.Out, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
		dsl.If(s, dsl.Gt(n, 3), func(s *dsl.Scope) { makeInt.Call(s, intIn{N: n}) })
		return dsl.None{}
	})
	return outputInts{all}
}).Defaults(loopsIn{Sweep: dsl.Const([]sweepItem{{dsl.Const(0.5), dsl.Const(1)}})})
