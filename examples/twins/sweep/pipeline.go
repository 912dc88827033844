// Package sweep trains with each combination of two parameters and deploys the best model if it is good.
package sweep

import (
	"fmt"
	"os"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:generate kfpgo gen steps .

//kfpgo:step
func train(rate float64, depth int, model *dsl.Model) (float64, error) {
	return 1 - rate/float64(depth), os.WriteFile(model.Path(), fmt.Appendf(nil, "%v %v", rate, depth), 0o644)
}

//kfpgo:step
func best(models []dsl.Model, accuracies [][]float64, model *dsl.Model) (float64, error) {
	flat := slices.Concat(accuracies...)
	accuracy := slices.Max(flat)
	b, err := os.ReadFile(models[slices.Index(flat, accuracy)].Path())
	if err != nil {
		return 0, err
	}
	return accuracy, os.WriteFile(model.Path(), b, 0o644)
}

//kfpgo:step
func deploy(model dsl.Model) error {
	b, err := os.ReadFile(model.Path())
	fmt.Printf("deploying %s\n", b)
	return err
}

type In struct {
	Rates   dsl.Param[[]float64]
	Depths  dsl.Param[[]int]
	AtLeast dsl.Param[float64] `default:"0.95"`
}

var Pipeline = dsl.Pipeline("sweep", func(s *dsl.Scope, in In) dsl.None {
	trained := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) TrainOut {
		return dsl.ParallelFor(s, in.Depths, func(s *dsl.Scope, depth dsl.Param[int]) TrainOut {
			return Train.Call(s, TrainIn{Rate: rate, Depth: depth}).Out
		}).Each
	}, dsl.Parallelism(4)).Each
	best := Best.Call(s, BestIn{
		Models:     dsl.CollectedLists(dsl.CollectedArtifacts(trained.Model)),
		Accuracies: dsl.Collected(dsl.Collected(trained.Output)),
	}).Out
	dsl.If(s, dsl.GeRef(best.Output, in.AtLeast), func(s *dsl.Scope) {
		Deploy.Call(s, DeployIn{Model: best.Model})
	})
	return dsl.None{}
}).Defaults(In{Rates: dsl.Const([]float64{0.01, 0.1}), Depths: dsl.Const([]int{2, 4})})
