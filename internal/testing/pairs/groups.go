package pairs

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
)

var _ = pair(groups,
	"dsl.If(name)", "dsl.ParallelFor(name)", "dsl.ExitHandler(name)", "after a group", "set_debug_pause", "dsl.ExitHandler", "dsl.PipelineTaskFinalStatus").
	Except(13, "/tasks/report/cachingOptions/enableCache", "/tasks/report-2/cachingOptions/enableCache")

var groups = dsl.Pipeline("groups", func(s *dsl.Scope, in textIn) dsl.None {
	handled := func(name, text string) dsl.Handle {
		return dsl.Group(s, func(s *dsl.Scope) {
			dsl.Label(s, name)
			dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
				report.Call(s, reportIn{Status: status})
			})
			say.Call(s, textIn{Text: dsl.Const(text)})
		})
	}
	first := handled("first part", "a")
	second := handled("second part", "b")
	say.Call(s, in, dsl.After(first), argo.DebugPause(argo.PauseBefore, argo.PauseOnError))
	say.Call(s, in, dsl.After(first, second), argo.DebugPause())
	arm := func(name string) func(*dsl.Scope) {
		return func(s *dsl.Scope) {
			dsl.Label(s, name)
			say.Call(s, in)
		}
	}
	dsl.If(s, dsl.Eq(in.Text, "x"), arm("the letter x"))
	dsl.If(s, dsl.Eq(in.Text, "y"), arm("y")).Elif(dsl.Eq(in.Text, "z"), arm("z")).Else(arm("others"))
	dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
		dsl.Label(s, "each letter")
		say.Call(s, textIn{Text: text})
		return dsl.None{}
	})
	return dsl.None{}
})

var _ = pair(exitPipeline, "dsl.ExitHandler").
	Except(13, "/tasks/clean-up/cachingOptions/enableCache", "/tasks/say/cachingOptions/enableCache")

var cleanUp = dsl.Pipeline("clean-up", func(s *dsl.Scope, in textIn) dsl.None {
	say.Call(s, in)
	return dsl.None{}
})

var exitPipeline = dsl.Pipeline("exit-pipeline", func(s *dsl.Scope, in textIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { cleanUp.Call(s, in) })
	say.Call(s, in)
	return dsl.None{}
})

var _ = pair(statusOf, "ignore_upstream_failure", "dsl.PipelineTaskFinalStatus")

var statusOf = dsl.Pipeline("status-of", func(s *dsl.Scope, in textIn) dsl.None {
	a := say.Call(s, in)
	report.Call(s, reportIn{Status: dsl.StatusOf(a), Note: dsl.Const("x")}, dsl.IgnoreUpstreamFailure())
	b := makeText.Call(s, in)
	report.Call(s, reportIn{Status: dsl.StatusOf(b), Note: b.Out.Out}, dsl.IgnoreUpstreamFailure())
	return dsl.None{}
})

var _ = pair(collectedDeep, "dsl.Collected through several loops", "dsl.Collected", "dsl.Collected of artifacts")

type grid struct {
	Out   dsl.Param[[]int]
	Model dsl.List[dsl.Model]
}

type numberedOut struct {
	N     dsl.Param[int]
	Model dsl.Model
}

type matrixIn struct{ M dsl.Param[[][]int] }

var sumMatrix = tool("sum-matrix", "/matrix", func(in matrixIn, _ dsl.None) []string { return dsl.Args(in.M) })

var collectedDeep = dsl.Pipeline("collected-deep", func(s *dsl.Scope, in collectedIn) dsl.None {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	outer := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) grid {
		inner := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, r dsl.Param[float64]) struct {
			Int   dsl.Param[int]
			Model dsl.Model
		} {
			var out struct {
				Int   dsl.Param[int]
				Model dsl.Model
			}
			out.Int = makeInt.Call(s, intIn{N: n}).Out.Out
			out.Model = train.Call(s, trainIn{Data: data, Rate: r}).Out.Model
			return out
		}).Each
		return grid{dsl.Collected(inner.Int), dsl.CollectedArtifacts(inner.Model)}
	}).Each
	sumMatrix.Call(s, matrixIn{M: dsl.Collected(outer.Out)})
	useModels.Call(s, modelsIn{Models: dsl.CollectedLists(outer.Model), Accs: dsl.Const([]float64{1})})
	some := dsl.ParallelFor(s, dsl.Const([]int{3, 4}), func(s *dsl.Scope, n dsl.Param[int]) (out numberedOut) {
		dsl.If(s, dsl.Gt(n, 3), func(s *dsl.Scope) {
			out.N = makeInt.Call(s, intIn{N: n}).Out.Out
		})
		dsl.If(s, dsl.Lt(n, 3), func(s *dsl.Scope) {
			out.Model = train.Call(s, trainIn{Data: data, Rate: dsl.Const(0.5)}).Out.Model
		})
		return out
	}).Each
	sumUp.Call(s, sumIn{Ns: dsl.Collected(some.N)})
	useModels.Call(s, modelsIn{Models: dsl.CollectedArtifacts(some.Model), Accs: dsl.Const([]float64{1})})
	return dsl.None{}
})
