package pairs

import "github.com/kfpgo/kfpgo/dsl"

type innerIn struct {
	Data dsl.Dataset
	Rate dsl.Param[float64] `default:"0.5"`
	Note dsl.Param[string]  `kfp:",optional"`
	Base dsl.Model          `kfp:",optional"`
}

var inner = dsl.Pipeline("inner", func(s *dsl.Scope, in innerIn) outputModel {
	t := train.Call(s, trainIn{Data: in.Data, Rate: in.Rate})
	optional.Call(s, optionalIn{Note: in.Note, Base: in.Base})
	return outputModel{t.Out.Model}
})

type nestedIn struct {
	Source dsl.Param[string]
	Note   dsl.Param[string] `default:"x"`
}

var _ = pair(nested,
	"a pipeline in a pipeline", "defaults of inputs", "optional inputs", "dsl.Dataset", "dsl.Model", "dsl.Input", "dsl.Output", "Artifact.path",
	"dsl.IfPresentPlaceholder")

var nested = dsl.Pipeline("nested", func(s *dsl.Scope, in nestedIn) dsl.None {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	a := inner.Call(s, innerIn{Data: data})
	b := inner.Call(s, innerIn{Data: data, Rate: dsl.Const(0.7), Note: in.Note, Base: a.Out.Output})
	optional.Call(s, optionalIn{})
	optional.Call(s, optionalIn{Text: dsl.Const("given"), N: dsl.Const(4), Note: in.Note, Base: b.Out.Output})
	return dsl.None{}
})
