package pairs

import "github.com/kfpgo/kfpgo/dsl"

type branchesIn struct {
	Kind   dsl.Param[string]
	N      dsl.Param[int]     `default:"3"`
	X      dsl.Param[float64] `default:"0.5"`
	Flag   dsl.Param[bool]    `default:"true"`
	Source dsl.Param[string]  `default:"here"`
}

type outputModel struct {
	Output dsl.Model `kfp:"Output"`
}

var _ = pair(branches,
	"dsl.If", "dsl.Elif", "dsl.Else", "dsl.OneOf", "dsl.OneOf of artifacts", "conditions on str", "conditions on numbers", "conditions on bool",
	"conditions on two references", "outputs of a pipeline")

var branches = dsl.Pipeline("branches", func(s *dsl.Scope, in branchesIn) outputModel {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	arm := func(rate dsl.Param[float64]) func(*dsl.Scope) trainOut {
		return func(s *dsl.Scope) trainOut { return train.Call(s, trainIn{Data: data, Rate: rate}).Out }
	}
	got := dsl.OneOf(s, dsl.Eq(in.Kind, "small"), arm(dsl.Const(0.1))).
		Elif(dsl.Eq(in.Kind, "large"), arm(in.X)).
		Else(arm(dsl.Const(0.3)))
	useModel.Call(s, modelIn{Model: got.Model})
	makeFlt.Call(s, floatIn{X: got.Acc})
	text := func(t string) func(*dsl.Scope) {
		return func(s *dsl.Scope) { say.Call(s, textIn{Text: dsl.Const(t)}) }
	}
	dsl.If(s, dsl.GeRef(got.Acc, in.X), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Const("good")})
		dsl.If(s, dsl.Gt(in.N, 2), text("many")).Else(text("few"))
	})
	seven := makeInt.Call(s, intIn{N: in.N})
	dsl.If(s, dsl.Ne(seven.Out.Out, 7), text("not seven"))
	dsl.If(s, dsl.True(in.Flag), text("flag"))
	dsl.If(s, dsl.Lt(in.X, 1e20), text("small"))
	dsl.If(s, dsl.EqRef(seven.Out.Out, in.N), text("same"))
	return outputModel{got.Model}
})
