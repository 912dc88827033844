package pairs

import "github.com/kfpgo/kfpgo/dsl"

var _ = pair(labels, "dsl.If(name)", "dsl.ParallelFor(name)", "dsl.ExitHandler(name)").
	Except(13, "/tasks/report/cachingOptions/enableCache")

type labelsIn struct {
	N    dsl.Param[int]
	Text dsl.Param[string]
}

var labels = dsl.Pipeline("labels", func(s *dsl.Scope, in labelsIn) dsl.None {
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
		dsl.Label(s, "one")
		say.Call(s, textIn{Text: in.Text})
	}).Elif(dsl.Eq(in.N, 2), func(s *dsl.Scope) {
		dsl.Label(s, "two")
		say.Call(s, textIn{Text: in.Text})
	}).Else(func(s *dsl.Scope) {
		dsl.Label(s, "many of them")
		say.Call(s, textIn{Text: in.Text})
	})
	dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
		dsl.Label(s, "Each number")
		makeInt.Call(s, intIn{N: n})
		return dsl.None{}
	})
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			report.Call(s, reportIn{Status: status})
		})
		dsl.Label(s, "guarded")
		say.Call(s, textIn{Text: in.Text})
	})
	return dsl.None{}
})
