// Package batch scores objects in parallel, asks for a new model if they have drifted, and reports to a channel.
package batch

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

//go:generate kfpgo gen steps .

//kfpgo:step
func score(object, model string, predictions *dsl.Dataset) (rows int, drift float64, err error) {
	fmt.Println("scoring", object, "with", model)
	return len(object), float64(len(object)%7) / 10, os.WriteFile(predictions.Path(), []byte(object), 0o644)
}

//kfpgo:step
func summarize(rows []int, drifts []float64, predictions []dsl.Dataset, metrics *dsl.Metrics) float64 {
	total := 0
	for _, n := range rows {
		total += n
	}
	dsl.LogMetric(*metrics, "rows", float64(total))
	dsl.LogMetric(*metrics, "objects", float64(len(predictions)))
	return slices.Max(drifts)
}

//kfpgo:step
func requestRetrain(drift float64) { fmt.Println("drift is", drift) }

//kfpgo:step
func notify(channel string, status dsl.FinalStatus) {
	fmt.Println(channel, "batch", status.State, status.Error.Message)
}

type In struct {
	Objects  dsl.Param[[]string]
	Model    dsl.Param[string]  `default:"s3://models/prod"`
	MaxDrift dsl.Param[float64] `default:"0.3"`
	Channel  dsl.Param[string]  `default:"#ml-ops"`
}

var Pipeline = dsl.Pipeline("batch-inference", func(s *dsl.Scope, in In) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		Notify.Call(s, NotifyIn{Channel: in.Channel, Status: status}, k8s.SecretEnv("SLACK_TOKEN", "slack", "token", k8s.Optional()))
	})
	scored := dsl.ParallelFor(s, in.Objects, func(s *dsl.Scope, object dsl.Param[string]) ScoreOut {
		return Score.Call(s, ScoreIn{Object: object, Model: in.Model}, dsl.CPU("2"), dsl.Memory("4Gi"),
			dsl.Retry(2, dsl.Backoff{Initial: time.Second, Factor: 2, Max: time.Minute})).Out
	}, dsl.Parallelism(4)).Each
	drift := Summarize.Call(s, SummarizeIn{Rows: dsl.Collected(scored.Rows), Drifts: dsl.Collected(scored.Drift),
		Predictions: dsl.CollectedArtifacts(scored.Predictions)}).Out.Output
	dsl.If(s, dsl.GtRef(drift, in.MaxDrift), func(s *dsl.Scope) {
		RequestRetrain.Call(s, RequestRetrainIn{Drift: drift})
	})
	return dsl.None{}
}).Defaults(In{Objects: dsl.Const([]string{"s3://data/a.parquet", "s3://data/bb.parquet", "s3://data/ccc.parquet"})})
