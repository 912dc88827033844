package digits

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

// TestTrain trains on a few images, the same model each time, and picks it
// among others.
func TestTrain(t *testing.T) {
	_, data := smallData(t)
	train := func(epochs int, rate float64, seed int) (TrainOut, []byte) {
		out, err := TrainGo.Run(t.Context(), TrainIn{Data: data, Epochs: dsl.Const(epochs), Rate: dsl.Const(rate), Seed: dsl.Const(seed)})
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out.Model.Path())
		if err != nil {
			t.Fatal(err)
		}
		return out, b
	}
	good, a := train(5, 0.5, 1)
	_, b := train(5, 0.5, 1)
	_, c := train(5, 0.5, 2)
	if !bytes.Equal(a, b) || bytes.Equal(a, c) {
		t.Error("a seed gives two models, or two seeds give one")
	}
	if good.Accuracy.Get() != 1 || good.Metrics.Metadata("accuracy") != 1.0 {
		t.Errorf("accuracy %v, metric %v", good.Accuracy.Get(), good.Metrics.Metadata("accuracy"))
	}
	bad, _ := train(1, 1e-9, 1)
	best, err := Pick.Run(t.Context(), PickIn{
		Models:     dsl.ListOf(bad.Model, good.Model),
		Accuracies: dsl.Const([]float64{0.1, 1}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if picked, err := os.ReadFile(best.Model.Path()); err != nil || !bytes.Equal(picked, a) || best.Accuracy.Get() != 1 {
		t.Errorf("picked the worse model, of accuracy %v, %v", best.Accuracy.Get(), err)
	}
	if _, err := Pick.Run(t.Context(), PickIn{Models: dsl.ListOf[dsl.Model](), Accuracies: dsl.Const([]float64{})}); err == nil {
		t.Error("picked one of no models")
	}

	evaluated, err := Evaluate.Run(t.Context(), EvaluateIn{Data: data, Model: best.Model})
	if err != nil || evaluated.Accuracy.Get() != 1 {
		t.Errorf("accuracy %v, %v", evaluated.Accuracy.Get(), err)
	}
	if evaluated.Confusion.Metadata("confusionMatrix") == nil {
		t.Error("no confusion matrix")
	}
}

// TestEmptyVolume shows that data comes from the volume and from nowhere else.
func TestEmptyVolume(t *testing.T) {
	dir, data := smallData(t)
	model := filepath.Join(t.TempDir(), "model.json")
	in := TrainIn{Data: data, Epochs: dsl.Const(1), Rate: dsl.Const(0.1)}
	write(t, filepath.Join(dir, trainLabels), make([]byte, 20))
	if _, err := TrainGo.Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), trainLabels+" in the data volume has changed since the download") {
		t.Errorf("trained on changed labels: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := TrainGo.Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), "the data volume has no "+trainImages+"; the download puts it there") {
		t.Errorf("trained without data: %v", err)
	}
	if _, err := Evaluate.Run(t.Context(), EvaluateIn{Data: data, Model: dsl.File[dsl.Model](model)}); err == nil || !strings.Contains(err.Error(), "the data volume has no "+testImages) {
		t.Errorf("evaluated without data: %v", err)
	}
}

func TestBadRate(t *testing.T) {
	_, data := smallData(t)
	for _, test := range []struct {
		epochs int
		rate   float64
		want   string
	}{
		{0, 0.1, "0 epochs at a rate of 0.1; both must be above 0"},
		{1, -1, "both must be above 0"},
		{9, 1e300, "the loss is NaN; a rate lower than 1e+300 may do"},
	} {
		_, err := TrainGo.Run(t.Context(), TrainIn{Data: data, Epochs: dsl.Const(test.epochs), Rate: dsl.Const(test.rate)})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestCancel(t *testing.T) {
	_, data := smallData(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := TrainGo.Run(ctx, TrainIn{Data: data, Epochs: dsl.Const(1), Rate: dsl.Const(0.1)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
