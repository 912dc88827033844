package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/kfpgo/kfpgo/dsl"
)

type EvaluateIn struct {
	Data  dsl.Dataset
	Model dsl.Model
}

type EvaluateOut struct {
	Accuracy  dsl.Param[float64]
	Metrics   dsl.Metrics
	Confusion dsl.ClassificationMetrics
}

// Evaluate measures a model on the 10,000 test images.
var Evaluate = dsl.Func("evaluate", func(_ context.Context, in EvaluateIn, out *EvaluateOut) error {
	test, err := readDigits(in.Data, testImages, testLabels)
	if err != nil {
		return err
	}
	m, err := readModel(in.Model.Path())
	if err != nil {
		return err
	}
	rows := m.network().confusion(test)
	out.Accuracy.Set(accuracy(rows))
	fmt.Printf("accuracy %.4f on %d test images\n", out.Accuracy.Get(), test.len())
	dsl.LogMetric(out.Metrics, "accuracy", out.Accuracy.Get())
	dsl.LogMetric(out.Metrics, "images", float64(test.len()))
	labels := make([]string, classes)
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	return dsl.SetConfusionMatrix(out.Confusion, labels, rows)
})

// accuracy returns the share of images on the diagonal of a confusion matrix.
func accuracy(rows [][]int) float64 {
	right, all := 0, 0
	for i, row := range rows {
		right += row[i]
		for _, n := range row {
			all += n
		}
	}
	return float64(right) / float64(max(all, 1))
}
