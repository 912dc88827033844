package mnist

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

func TestDefinition(t *testing.T) {
	if err := Nightly.Check(); err != nil {
		t.Error(err)
	}
}

// TestTrain trains on two kinds of image, and keeps the better of two models.
func TestTrain(t *testing.T) {
	dir := t.TempDir()
	images, labels := make([]byte, 16), make([]byte, 8)
	for i := range 40 {
		images = append(images, bytes.Repeat([]byte{byte(i%2) * 255}, pixels)...)
		labels = append(labels, byte(i%2))
	}
	os.WriteFile(filepath.Join(dir, "images"), images, 0o644)
	os.WriteFile(filepath.Join(dir, "labels"), labels, 0o644)

	in := TrainIn{Digits: dsl.File[dsl.Dataset](dir), Rate: dsl.Const(0.01)}
	long, err := TrainGo.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	in.Epochs = dsl.Const(1)
	short, err := TrainTensorFlow.Run(t.Context(), in) // its stand-in
	if err != nil {
		t.Fatal(err)
	}
	if long.Loss.Get() >= short.Loss.Get() {
		t.Errorf("loss after 5 epochs %v, after one %v", long.Loss.Get(), short.Loss.Get())
	}
	best, err := Pick.Run(t.Context(), PickIn{
		Models: dsl.ListOf(short.Model, long.Model),
		Losses: dsl.Const([]float64{short.Loss.Get(), long.Loss.Get()}),
	})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(best.Model.Path())
	b, _ := os.ReadFile(long.Model.Path())
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Error("the worse model was picked")
	}
}
