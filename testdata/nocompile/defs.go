package nocompile

import (
	"context"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// What the bad lines use. All of this compiles.

type AddIn struct{ A, B dsl.Param[float64] }
type AddOut struct{ Sum dsl.Param[float64] }
type DivmodIn struct{ Dividend, Divisor dsl.Param[float64] }

var Add = dsl.Func("add", func(context.Context, AddIn, *AddOut) error { return nil })

type SumIn struct{ X, Y dsl.Param[float64] }

var Sum = dsl.Pipeline("sum", func(s *dsl.Scope, in SumIn) AddOut {
	return Add.Call(s, AddIn{A: in.X, B: in.Y}).Out
})

type Config struct {
	Epochs dsl.Param[int]
	Rate   dsl.Param[float64]
}

type DownloadIn struct{ URL dsl.Param[string] }
type DownloadOut struct{ Train, Test dsl.Dataset }

type TrainIn struct {
	Digits dsl.Dataset
	Epochs dsl.Param[int]
	Rate   dsl.Param[float64]
}
type TrainOut struct {
	Model dsl.Model
	Loss  dsl.Param[float64]
}

type PickIn struct {
	Models dsl.List[dsl.Model]
	Losses dsl.Param[[]float64]
}
type PickOut struct{ Model dsl.Model }

type EvaluateIn struct {
	Digits dsl.Dataset
	Model  dsl.Model
}
type EvaluateOut struct {
	Accuracy dsl.Param[float64]
	Metrics  dsl.Metrics
}

type ServeIn struct{ Model dsl.Model }
type ServeOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

var (
	Download = dsl.Func("download", func(context.Context, DownloadIn, *DownloadOut) error { return nil })
	Train    = dsl.Func("train", func(context.Context, TrainIn, *TrainOut) error { return nil })
	Pick     = dsl.Func("pick", func(context.Context, PickIn, *PickOut) error { return nil })
	Evaluate = dsl.Func("evaluate", func(context.Context, EvaluateIn, *EvaluateOut) error { return nil })
	Serve    = dsl.Resource("serve", func(ServeIn, ServeOut) dsl.ResourceSpec { return dsl.ResourceSpec{} })
)

type PipelineIn struct {
	Day       dsl.Param[time.Time]
	URL, Env  dsl.Param[string]
	Sweep     dsl.Param[[]Config]
	Threshold dsl.Param[float64]
}
type PipelineOut struct{ Model dsl.Model }

var Pipeline = dsl.Pipeline("pipeline", func(s *dsl.Scope, in PipelineIn) PipelineOut {
	data := Download.Call(s, DownloadIn{URL: in.URL}).Out.Train
	return PipelineOut{Model: Train.Call(s, TrainIn{Digits: data}).Out.Model}
})
