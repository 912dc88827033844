package mnist

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed evaluate.py
var evaluatePy string

type DownloadIn struct {
	URL dsl.Param[string]
}

type DownloadOut struct {
	Train, Test dsl.Dataset
}

// Download makes both data sets.
var Download = dsl.Func("download", func(context.Context, DownloadIn, *DownloadOut) error {
	return nil
}, dsl.Retry(3))

// TrainIn and TrainOut are what both trainers take and make.
type TrainIn struct {
	Digits dsl.Dataset
	Epochs dsl.Param[int]     `default:"5"`
	Rate   dsl.Param[float64] `default:"0.1" doc:"learning rate"`
}

type TrainOut struct {
	Model   dsl.Model
	Loss    dsl.Param[float64]
	Metrics dsl.Metrics
}

// TrainGo trains in the program's own image.
var TrainGo = dsl.Func("train-go", func(_ context.Context, _ TrainIn, out *TrainOut) error {
	out.Loss.Set(0)
	return nil
})

// TrainTensorFlow trains in an image that has TensorFlow, which writes its loss
// to a path of its own.
var TrainTensorFlow = dsl.Container("train-tensorflow", func(in TrainIn, out TrainOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   "ghcr.io/acme/mnist-tensorflow:2.16",
		Command: []string{"python", "/train.py"},
		Args: dsl.Args(
			"--digits", in.Digits.Path(),
			"--epochs", in.Epochs,
			"--rate", in.Rate,
			"--model", out.Model.Path(),
			"--metrics", out.Metrics.Path(),
		),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Loss, "/results/loss.txt")},
	}
}).OnLocal(TrainGo.Func())

type PickIn struct {
	Models dsl.List[dsl.Model]
	Losses dsl.Param[[]float64]
}

type PickOut struct {
	Model dsl.Model
}

// Pick keeps the model with the least loss.
var Pick = dsl.Func("pick", func(context.Context, PickIn, *PickOut) error { return nil })

type EvaluateIn struct {
	Digits dsl.Dataset
	Model  dsl.Model
}

type EvaluateOut struct {
	Accuracy  dsl.Param[float64]
	Confusion dsl.ClassificationMetrics
}

// Evaluate is a Python function that is sent along with the pipeline.
var Evaluate = dsl.Python[EvaluateIn, EvaluateOut]("evaluate", dsl.PythonSource{
	Source:   evaluatePy,
	Function: "evaluate",
	Image:    "python:3.12",
	Packages: []string{"numpy==2.2.0"},
})

type ServeIn struct {
	Name  dsl.Param[string]
	Model dsl.Model
}

type ServeOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

//go:embed serve.yaml
var serveYAML string

// Serve deploys this program as a server for the model.
var Serve = dsl.Resource("serve", func(in ServeIn, _ ServeOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Apply,
		Manifest: fmt.Sprintf(serveYAML, in.Name, dsl.ProgramImage, in.Model.URI()),
		Success:  "status.availableReplicas > 0",
	}
}).OnLocal(func(_ context.Context, in ServeIn, out *ServeOut) error {
	fmt.Println("would serve", in.Model.Path())
	out.Name.Set(in.Name.Get())
	return nil
})

type NotifyIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Day    dsl.Param[time.Time] `kfp:",optional"`
	To     dsl.Param[string]
}

// Notify says how a run ended.
var Notify = dsl.Func("notify", func(_ context.Context, in NotifyIn, _ *dsl.None) error {
	when := ""
	if day, ok := in.Day.Lookup(); ok {
		when = day.Format(" of 2 January")
	}
	fmt.Printf("%s: the run%s: %s\n", in.To.Get(), when, in.Status.Get().State)
	return nil
})
