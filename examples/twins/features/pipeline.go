// Package features makes features in Python, fits a model in a container and rates it in Go, for two regions.
package features

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:generate kfpgo gen steps .

//kfpgo:step
func raw(region string, data *dsl.Dataset) error {
	fmt.Println("reading", region)
	return os.WriteFile(data.Path(), []byte("y\n1\n2\n3\n4\n5\n"), 0o644)
}

//go:embed features.py
var source string

type FeaturesIn struct {
	Raw  dsl.Dataset
	Lags dsl.Param[int] `default:"2"`
}

type FeaturesOut struct {
	Table dsl.Dataset
	Rows  dsl.Param[int] `kfp:"Output"`
}

var Features = dsl.Python[FeaturesIn, FeaturesOut]("features", dsl.PythonSource{Source: source, Function: "features", Image: "python:3.12-slim"})

type FitIn struct{ Table dsl.Dataset }

type FitOut struct{ Model dsl.Model }

var Fit = dsl.Container("fit", func(in FitIn, out FitOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.37", Command: []string{"sh", "-c", `wc -l <"$0" >"$1"`}, Args: dsl.Args(in.Table.Path(), out.Model.Path())}
})

//kfpgo:step
func evaluate(model dsl.Model, rows int, metrics *dsl.Metrics, report *dsl.HTML) (float64, error) {
	lines, err := os.ReadFile(model.Path())
	if err != nil {
		return 0, err
	}
	score := float64(rows) / float64(len(strings.TrimSpace(string(lines))))
	dsl.LogMetric(*metrics, "score", score)
	return score, os.WriteFile(report.Path(), []byte("<p>good</p>"), 0o644)
}

type RegionOut struct {
	Model dsl.Model
	Score dsl.Param[float64]
}

var Region = dsl.Pipeline("region", func(s *dsl.Scope, in RawIn) RegionOut {
	features := Features.Call(s, FeaturesIn{Raw: Raw.Call(s, in).Out.Data}).Out
	model := Fit.Call(s, FitIn{Table: features.Table}).Out.Model
	rated := Evaluate.Call(s, EvaluateIn{Model: model, Rows: features.Rows}).Out
	return RegionOut{Model: model, Score: rated.Output}
})

type Out struct{ EU, US dsl.Param[float64] }

var Pipeline = dsl.Pipeline("regions", func(s *dsl.Scope, _ dsl.None) Out {
	eu := Region.Call(s, RawIn{Region: dsl.Const("eu")}).Out
	us := Region.Call(s, RawIn{Region: dsl.Const("us")}).Out
	return Out{EU: eu.Score, US: us.Score}
})
