package digits

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
)

// TrainIn and TrainOut are what both trainers take and make.
type TrainIn struct {
	Data   dsl.Dataset
	Epochs dsl.Param[int]
	Rate   dsl.Param[float64] `doc:"learning rate"`
	Seed   dsl.Param[int]     `default:"1"`
}

type TrainOut struct {
	Model    dsl.Model
	Metrics  dsl.Metrics
	Accuracy dsl.Param[float64] `doc:"on images that it was not trained on"`
	Device   dsl.Param[string]  `doc:"what it was trained on: CPU, or a GPU and its name"`
}

// held is the number of training images that a trainer sets aside to measure
// the model with, so that the test images stay unseen until the end.
const held = 10000

// TrainGo trains in Go, in the program's own image.
var TrainGo = dsl.Func("train-go", func(ctx context.Context, in TrainIn, out *TrainOut) error {
	if in.Epochs.Get() < 1 || in.Rate.Get() <= 0 {
		return fmt.Errorf("%d epochs at a rate of %v; both must be above 0", in.Epochs.Get(), in.Rate.Get())
	}
	all, err := readDigits(in.Data, trainImages, trainLabels)
	if err != nil {
		return err
	}
	n := all.len() - min(held, all.len()/6)
	train, rest := all.slice(0, n), all.slice(n, all.len())
	net := newNetwork(in.Seed.Get())
	for epoch := range in.Epochs.Get() {
		loss, err := net.epoch(ctx, train, in.Rate.Get())
		if err != nil {
			return err
		}
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return fmt.Errorf("epoch %d: the loss is %v; a rate lower than %v may do", epoch+1, loss, in.Rate.Get())
		}
		out.Accuracy.Set(accuracy(confusion(rest.labels, net.predict(rest))))
		fmt.Printf("epoch %d of %d: loss %.4f, accuracy %.4f\n", epoch+1, in.Epochs.Get(), loss, out.Accuracy.Get())
		dsl.LogMetric(out.Metrics, "loss", loss)
	}
	dsl.LogMetric(out.Metrics, "accuracy", out.Accuracy.Get())
	out.Device.Set("CPU")
	return net.model().write(out.Model)
})

//go:embed train_tensorflow.py
var trainPy string

// TrainTensorFlow trains in TensorFlow, and writes the same kind of model. A run
// on this machine doesn't have the image, and installs TensorFlow once.
var TrainTensorFlow = dsl.Python[TrainIn, TrainOut]("train-tensorflow", dsl.PythonSource{
	Source:        trainPy,
	Function:      "train",
	Image:         "tensorflow/tensorflow:2.16.1-gpu",
	LocalPackages: []string{"tensorflow-cpu==2.16.1"},
})

type PickIn struct {
	Models     dsl.List[dsl.Model]
	Accuracies dsl.Param[[]float64]
}

type PickOut struct {
	Model    dsl.Model
	Accuracy dsl.Param[float64]
}

// Pick keeps the most accurate model.
var Pick = dsl.Func("pick", func(_ context.Context, in PickIn, out *PickOut) error {
	models, accuracies := in.Models.All(), in.Accuracies.Get()
	if len(models) == 0 || len(models) != len(accuracies) {
		return fmt.Errorf("%d models and %d accuracies to pick from", len(models), len(accuracies))
	}
	best := slices.Index(accuracies, slices.Max(accuracies))
	out.Accuracy.Set(accuracies[best])
	fmt.Printf("model %d of %v\n", best+1, accuracies)
	return copyFile(models[best].Path(), out.Model)
})

func copyFile(from string, to dsl.Model) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := to.Create()
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
