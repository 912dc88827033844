package main

import (
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

// TestReal goes through the steps with the real data: the true labels and, as a
// control, shuffled ones.
func TestReal(t *testing.T) {
	source := realMNIST(t)
	for shuffle, good := range map[bool]func(accuracy float64) bool{
		false: func(a float64) bool { return a > 0.94 },
		true:  func(a float64) bool { return a < 0.3 },
	} {
		mount(t, dataPath)
		data, err := Download.Run(t.Context(), DownloadIn{Source: dsl.Const("file://" + source), ShuffleLabels: dsl.Const(shuffle)})
		if err != nil {
			t.Fatal(err)
		}
		trained, err := TrainGo.Run(t.Context(), TrainIn{Data: data.Data, Epochs: dsl.Const(1), Rate: dsl.Const(0.2)})
		if err != nil {
			t.Fatal(err)
		}
		evaluated, err := Evaluate.Run(t.Context(), EvaluateIn{Data: data.Data, Model: trained.Model})
		if err != nil {
			t.Fatal(err)
		}
		if a := evaluated.Accuracy.Get(); !good(a) {
			t.Errorf("shuffled labels %v: accuracy %v", shuffle, a)
		}
		queried, err := Query.Run(t.Context(), QueryIn{Host: dsl.Const(""), Data: data.Data, Model: trained.Model})
		if err != nil {
			t.Fatal(err)
		}
		if a := queried.Accuracy.Get(); !good(a) {
			t.Errorf("shuffled labels %v: served accuracy %v", shuffle, a)
		}
	}
}
