package pairs

import "github.com/kfpgo/kfpgo/dsl"

type threeIn struct {
	Text dsl.Param[string]  `kfp:",optional"`
	N    dsl.Param[int]     `default:"3"`
	Note dsl.Param[string]  `kfp:",optional"`
	Rate dsl.Param[float64] `kfp:",optional"`
	Base dsl.Model          `kfp:",optional"`
}

var _ = pair(three, "optional inputs", "a pipeline in a pipeline", "defaults of inputs")

// three passes optional inputs through three levels, given and left out at each.
var three = dsl.Pipeline("three", func(s *dsl.Scope, in threeIn) dsl.None {
	last := dsl.Pipeline("last", func(s *dsl.Scope, in threeIn) dsl.None {
		optional.Call(s, optionalIn{Text: in.Text, N: in.N, Note: in.Note, Base: in.Base})
		optional.Call(s, optionalIn{Note: in.Note})
		return dsl.None{}
	})
	middle := dsl.Pipeline("middle", func(s *dsl.Scope, in threeIn) dsl.None {
		last.Call(s, in)
		last.Call(s, threeIn{Note: in.Note})
		last.Call(s, threeIn{Text: dsl.Const("given"), N: in.N})
		return dsl.None{}
	})
	middle.Call(s, in)
	middle.Call(s, threeIn{})
	middle.Call(s, threeIn{Note: dsl.Const(""), Base: in.Base, N: dsl.Const(0)})
	return dsl.None{}
})

type namesOut struct {
	Model dsl.Model
	Acc   dsl.Param[float64]
	Texts dsl.Param[[]string]
}

type deeperIn struct {
	Source dsl.Param[string]
	Rates  dsl.Param[[]float64]
}

var _ = pair(deeper, "a pipeline in a pipeline", "outputs of a pipeline", "dsl.Collected", "dsl.OneOf", "nested loops", "dsl.If").
	Except(4, "/pipelinechannel--loop-item-param-2")

// deeper has a loop in a condition in a pipeline in a loop in a pipeline, and
// hands values back out of all of them.
var deeper = dsl.Pipeline("deeper", func(s *dsl.Scope, in deeperIn) namesOut {
	type oneIn struct {
		Data dsl.Dataset
		Rate dsl.Param[float64]
	}
	type oneOut struct {
		Model dsl.Model
		Acc   dsl.Param[float64]
		Text  dsl.Param[string]
	}
	one := dsl.Pipeline("one", func(s *dsl.Scope, in oneIn) oneOut {
		t := train.Call(s, trainIn(in)).Out
		text := dsl.OneOf(s, dsl.Gt(t.Acc, 0.5), func(s *dsl.Scope) dsl.Param[string] {
			dsl.ParallelFor(s, dsl.Const([]string{"x", "y"}), func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
				say.Call(s, textIn{dsl.Sprintf("%s of %v", x, t.Acc)})
				return dsl.None{}
			})
			return makeText.Call(s, textIn{dsl.Const("good")}).Out.Out
		}).Else(func(s *dsl.Scope) dsl.Param[string] { return makeText.Call(s, textIn{dsl.Const("bad")}).Out.Out })
		return oneOut{t.Model, t.Acc, text}
	})
	type sweepOut struct {
		Models dsl.List[dsl.Model]
		Accs   dsl.Param[[]float64]
		Texts  dsl.Param[[]string]
	}
	sweep := dsl.Pipeline("sweep", func(s *dsl.Scope, in deeperIn) sweepOut {
		data := makeData.Call(s, dataIn{in.Source}).Out.Data
		each := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) oneOut {
			return one.Call(s, oneIn{data, rate}).Out
		}).Each
		return sweepOut{dsl.CollectedArtifacts(each.Model), dsl.Collected(each.Acc), dsl.Collected(each.Text)}
	})
	type pickOut struct {
		Model dsl.Model
		Acc   dsl.Param[float64]
	}
	pick := tool("pick", "/pick", func(_ modelsIn, o pickOut) []string { return dsl.Args("{{$}}", o.Model.Path()) })
	all := sweep.Call(s, in).Out
	best := pick.Call(s, modelsIn{all.Models, all.Accs}).Out
	return namesOut{best.Model, best.Acc, all.Texts}
})

type guardedIn struct {
	Texts dsl.Param[[]string]
	N     dsl.Param[int] `default:"1"`
}

var _ = pair(guarded, "dsl.ExitHandler", "dsl.PipelineTaskFinalStatus", "a pipeline in a pipeline", "nested loops", "dsl.If", "dsl.Else").
	Except(13, "/tasks/clean-up/cachingOptions/enableCache", "/tasks/say/cachingOptions/enableCache", "/tasks/say-2/cachingOptions/enableCache", "/tasks/report/cachingOptions/enableCache")

// guarded has an exit handler that is a pipeline, around a loop with branches and
// a pipeline with a loop.
var guarded = dsl.Pipeline("guarded", func(s *dsl.Scope, in guardedIn) dsl.None {
	cleanUp := dsl.Pipeline("clean-up", func(s *dsl.Scope, in textIn) dsl.None {
		a := say.Call(s, in)
		say.Call(s, textIn{dsl.Const("done")}, dsl.After(a))
		return dsl.None{}
	})
	each := dsl.Pipeline("each", func(s *dsl.Scope, in guardedIn) dsl.None {
		dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
			say.Call(s, textIn{text})
			return dsl.None{}
		})
		return dsl.None{}
	})
	first := makeText.Call(s, textIn{dsl.Const("first")})
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { cleanUp.Call(s, textIn{dsl.Const("clean")}) })
		dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
			got := makeText.Call(s, textIn{text})
			dsl.If(s, dsl.EqRef(got.Out.Out, first.Out.Out), then("same")).Else(func(s *dsl.Scope) {
				say.Call(s, textIn{got.Out.Out})
			})
			return dsl.None{}
		}, dsl.Parallelism(3))
		each.Call(s, in)
	})
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			report.Call(s, reportIn{Status: status, Note: dsl.Const("second")})
		})
		each.Call(s, guardedIn{Texts: dsl.Const([]string{"z"})})
	})
	return dsl.None{}
})
