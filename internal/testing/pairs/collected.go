package pairs

import "github.com/kfpgo/kfpgo/dsl"

type collectedIn struct {
	Rates  dsl.Param[[]float64]
	Source dsl.Param[string]
	Models dsl.List[dsl.Model]
}

var _ = pair(collected,
	"dsl.Collected", "dsl.Collected of artifacts", "dsl.ParallelFor over artifacts", "Input[List[Artifact]]", "dsl.ParallelFor(parallelism)")

var collected = dsl.Pipeline("collected", func(s *dsl.Scope, in collectedIn) dsl.None {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	each := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, r dsl.Param[float64]) trainOut {
		return train.Call(s, trainIn{Data: data, Rate: r}).Out
	}, dsl.Parallelism(1)).Each
	useModels.Call(s, modelsIn{Models: dsl.CollectedArtifacts(each.Model), Accs: dsl.Collected(each.Acc)})
	dsl.ParallelForArtifacts(s, in.Models, func(s *dsl.Scope, m dsl.Model) dsl.None {
		useModel.Call(s, modelIn{Model: m})
		return dsl.None{}
	})
	return dsl.None{}
})
