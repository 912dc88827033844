package pairs

import "github.com/kfpgo/kfpgo/dsl"

var _ = pair(joined, "dsl.OneOf of lists of artifacts", "dsl.Condition")

var joined = dsl.Pipeline("joined", func(s *dsl.Scope, in collectedIn) dsl.None {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	trained := func(s *dsl.Scope) dsl.List[dsl.Model] {
		each := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, r dsl.Param[float64]) dsl.Model {
			return train.Call(s, trainIn{Data: data, Rate: r}).Out.Model
		})
		return dsl.CollectedArtifacts(each.Each)
	}
	dsl.If(s, dsl.Eq(in.Source, "y"), func(s *dsl.Scope) { say.Call(s, textIn{Text: in.Source}) })
	all := dsl.OneOf(s, dsl.Eq(in.Source, "x"), func(s *dsl.Scope) dsl.List[dsl.Model] {
		return manyModels.Call(s, manyIn{Data: data, Rates: in.Rates}).Out.Output
	}).Else(func(s *dsl.Scope) dsl.List[dsl.Model] {
		return manyModels.Call(s, manyIn{Data: data, Rates: dsl.Const([]float64{0.5})}).Out.Output
	})
	useModels.Call(s, modelsIn{Models: all, Accs: in.Rates})
	useModels.Call(s, modelsIn{Models: all, Accs: in.Rates})
	useModels.Call(s, modelsIn{Models: trained(s), Accs: in.Rates})
	return dsl.None{}
})

type (
	manyIn struct {
		Data  dsl.Dataset
		Rates dsl.Param[[]float64]
	}
	manyOut struct {
		Output dsl.List[dsl.Model] `kfp:"Output"`
	}
)

// A list of artifacts comes out of a pipeline.
var manyModels = dsl.Pipeline("many-models", func(s *dsl.Scope, in manyIn) manyOut {
	each := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, r dsl.Param[float64]) dsl.Model {
		return train.Call(s, trainIn{Data: in.Data, Rate: r}).Out.Model
	})
	return manyOut{dsl.CollectedArtifacts(each.Each)}
})
