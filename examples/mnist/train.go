package mnist

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
)

// TrainIn and TrainOut are what both trainers take and make.
type TrainIn struct {
	Digits dsl.Dataset
	Epochs dsl.Param[int]     `default:"5"`
	Rate   dsl.Param[float64] `default:"0.1" doc:"learning rate"`
}

type TrainOut struct {
	Model   dsl.Model // weights, as JSON
	Loss    dsl.Param[float64]
	Metrics dsl.Metrics
}

// TrainGo trains in Go, in the program's own image.
var TrainGo = dsl.Func("train-go", func(ctx context.Context, in TrainIn, out *TrainOut) error {
	digits, err := readDigits(in.Digits.Path())
	if err != nil {
		return err
	}
	var w weights
	for range in.Epochs.Get() {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.Loss.Set(w.epoch(digits, in.Rate.Get()))
	}
	dsl.LogMetric(out.Metrics, "loss", out.Loss.Get())
	f, err := out.Model.Create()
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(w), f.Close())
})

// TrainTensorFlow trains in an image that has TensorFlow. The image writes its
// loss to a path of its own.
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
var Pick = dsl.Func("pick", func(_ context.Context, in PickIn, out *PickOut) error {
	losses := in.Losses.Get()
	if len(losses) == 0 {
		return errors.New("no models to pick from")
	}
	best := in.Models.All()[slices.Index(losses, slices.Min(losses))]
	b, err := os.ReadFile(best.Path())
	if err != nil {
		return err
	}
	f, err := out.Model.Create()
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
})
