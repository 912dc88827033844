package digits

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/kfpgo/kfpgo/dsl"
)

type EvaluateIn struct {
	Data  dsl.Dataset
	Model dsl.Model
}

type EvaluateOut struct {
	Accuracy    dsl.Param[float64]
	Metrics     dsl.Metrics
	Confusion   dsl.ClassificationMetrics
	Predictions dsl.Dataset `doc:"CSV: each image, what it shows, and what the model takes it for"`
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
	predicted := m.network().predict(test)
	rows := confusion(test.labels, predicted)
	out.Accuracy.Set(accuracy(rows))
	fmt.Printf("accuracy %.4f on %d test images\n", out.Accuracy.Get(), test.len())
	dsl.LogMetric(out.Metrics, "accuracy", out.Accuracy.Get())
	dsl.LogMetric(out.Metrics, "images", float64(test.len()))
	if err := writePredictions(out.Predictions, test.labels, predicted); err != nil {
		return err
	}
	labels := make([]string, classes)
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	return dsl.SetConfusionMatrix(out.Confusion, labels, rows)
})

func writePredictions(to dsl.Dataset, labels, predicted []byte) error {
	f, err := to.Create()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "image,label,predicted")
	for i, label := range labels {
		fmt.Fprintf(w, "%d,%d,%d\n", i, label, predicted[i])
	}
	to.SetMetadata("images", len(labels))
	return errors.Join(w.Flush(), f.Close())
}

// confusion counts digits by what they show (rows) and what they are taken for
// (columns).
func confusion(labels, predicted []byte) [][]int {
	rows := make([][]int, classes)
	for i := range rows {
		rows[i] = make([]int, classes)
	}
	for i, label := range labels {
		rows[label][predicted[i]]++
	}
	return rows
}

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
