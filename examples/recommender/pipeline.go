// Package recommender is a pipeline that learns what readers like, and tells
// them what to read next.
package recommender

import "github.com/kfpgo/kfpgo/dsl"

type PipelineIn struct {
	Readers     dsl.Param[int]     `default:"300" doc:"how many people rate books"`
	Seed        dsl.Param[int]     `default:"1" doc:"the same seed makes the same ratings and the same models"`
	Factors     dsl.Param[[]int]   `doc:"numbers of factors to try; the best model is kept"`
	Improvement dsl.Param[float64] `default:"0.1" doc:"by what share of the baseline's error the model must be better, or nothing is recommended"`
}

type PipelineOut struct {
	RMSE        dsl.Param[float64] `doc:"mean error of the model, in stars, on ratings that it has not seen"`
	Baseline    dsl.Param[float64] `doc:"that of guessing by how strict the reader and how good the book is"`
	Improvement dsl.Param[float64]
}

// Pipeline goes from ratings as they come in to what each reader should read next.
var Pipeline = dsl.Pipeline("recommender", func(s *dsl.Scope, in PipelineIn) PipelineOut {
	collected := Collect.Call(s, CollectIn{Readers: in.Readers, Seed: in.Seed})
	books := collected.Out.Books
	//kfpgo:ignore unused what was kept and what was dropped is for people
	data := Prepare.Call(s, PrepareIn{Ratings: collected.Out.Ratings, Books: books}).Out
	features := Features.Call(s, FeaturesIn{Train: data.Train, Books: books}).Out.Features

	trained := dsl.ParallelFor(s, in.Factors, func(s *dsl.Scope, factors dsl.Param[int]) TrainOut {
		return Train.Call(s, TrainIn{
			Train: data.Train, Validation: data.Validation, Features: features,
			Factors: factors, Seed: in.Seed,
		}).Out
	})
	best := Pick.Call(s, PickIn{
		Models: dsl.CollectedArtifacts(trained.Each.Model),
		RMSEs:  dsl.Collected(trained.Each.RMSE),
	}).Out.Model

	result := Evaluate.Call(s, EvaluateIn{Test: data.Test, Features: features, Model: best}).Out
	dsl.If(s, dsl.GeRef(result.Improvement, in.Improvement), func(s *dsl.Scope) {
		Recommend.Call(s, RecommendIn{Books: books, Train: data.Train, Features: features, Model: best})
	})
	return PipelineOut{RMSE: result.RMSE, Baseline: result.Baseline, Improvement: result.Improvement}
}).Defaults(PipelineIn{Factors: dsl.Const([]int{1, 3, 6})})
