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
