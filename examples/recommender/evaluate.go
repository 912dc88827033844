package recommender

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
)

type EvaluateIn struct {
	Test     dsl.Dataset
	Features dsl.Dataset
	Model    dsl.Model
}

type EvaluateOut struct {
	RMSE        dsl.Param[float64]
	Baseline    dsl.Param[float64]
	Improvement dsl.Param[float64] `doc:"the share of the baseline's error that the model takes away"`
	Metrics     dsl.Metrics
}

// Evaluate measures a model on the readers' last ratings, which no step before
// it has seen, beside the same features without a model and the baseline.
var Evaluate = dsl.Func("evaluate", func(_ context.Context, in EvaluateIn, out *EvaluateOut) error {
	test, err := readRatings(in.Test)
	if err != nil {
		return err
	}
	var f features
	var m model
	if err := readJSON(in.Features.Path(), &f); err != nil {
		return err
	}
	if err := readJSON(in.Model.Path(), &m); err != nil {
		return err
	}
	out.Baseline.Set(rmse(test, f.baseline))
	out.RMSE.Set(rmse(test, func(r rating) float64 { return m.predict(&f, r) }))
	out.Improvement.Set(1 - out.RMSE.Get()/out.Baseline.Get())
	byGenre := rmse(test, f.known)
	fmt.Printf("RMSE on %d ratings: %.4f; by features alone %.4f; baseline %.4f\n", len(test), out.RMSE.Get(), byGenre, out.Baseline.Get())
	dsl.LogMetric(out.Metrics, "rmse", out.RMSE.Get())
	dsl.LogMetric(out.Metrics, "rmse_features", byGenre)
	dsl.LogMetric(out.Metrics, "rmse_baseline", out.Baseline.Get())
	return nil
})
