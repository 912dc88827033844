// Package metrics compares predictions with labels.
//
//	metrics.Classify.Call(s, metrics.In{Predictions: asked.Out.Predictions, Labels: test.Out.Labels})
package metrics

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// In is predictions and what is right.
type In struct {
	Predictions dsl.Dataset         `doc:"a line for each: the class, or an array with a score for each class, as JSON"`
	Labels      dsl.Dataset         `doc:"a line for each: the class, or its number where predictions are scores"`
	Classes     dsl.Param[[]string] `kfp:",optional" doc:"names of the classes; default: what is in the labels, or their numbers"`
	Positive    dsl.Param[string]   `kfp:",optional" doc:"the class of the ROC curve, which needs scores; default: the last of two"`
	MinAccuracy dsl.Param[float64]  `default:"0" doc:"the task fails below it" check:"share"`
}

// Out is what they say.
type Out struct {
	Report   dsl.ClassificationMetrics `doc:"confusion matrix, and ROC curve where there are scores"`
	Metrics  dsl.Metrics               `doc:"accuracy, macro_f1, auc, count"`
	Accuracy dsl.Param[float64]
}

// Classify makes a confusion matrix of predictions, and a ROC curve of one class
// where there are scores.
var Classify = work.Check(dsl.Func("classification-metrics", func(ctx context.Context, in In, out *Out) error {
	predicted, err := lines(in.Predictions.Path())
	if err != nil {
		return fmt.Errorf("input predictions: %w", err)
	}
	labels, err := lines(in.Labels.Path())
	if err != nil {
		return fmt.Errorf("input labels: %w", err)
	}
	if len(predicted) != len(labels) || len(labels) == 0 {
		return fmt.Errorf("there are %d predictions and %d labels", len(predicted), len(labels))
	}
	scores, err := scoresOf(predicted)
	if err != nil {
		return err
	}
	names, err := classes(in, scores, predicted, labels)
	if err != nil {
		return err
	}
	matrix := make([][]int, len(names))
	for i := range matrix {
		matrix[i] = make([]int, len(names))
	}
	right := 0
	truth := make([]int, len(labels))
	for i := range labels {
		t, err := index(names, labels[i], scores != nil)
		if err != nil {
			return fmt.Errorf("label %d: %w", i+1, err)
		}
		p := 0
		if scores != nil {
			p = slices.Index(scores[i], slices.Max(scores[i]))
		} else if p, err = index(names, predicted[i], false); err != nil {
			return fmt.Errorf("prediction %d: %w", i+1, err)
		}
		truth[i] = t
		matrix[t][p]++
		if t == p {
			right++
		}
	}
	if err := dsl.SetConfusionMatrix(out.Report, names, matrix); err != nil {
		return err
	}
	accuracy := float64(right) / float64(len(labels))
	out.Accuracy.Set(accuracy)
	dsl.LogMetric(out.Metrics, "accuracy", accuracy)
	dsl.LogMetric(out.Metrics, "macro_f1", macroF1(matrix))
	dsl.LogMetric(out.Metrics, "count", float64(len(labels)))
	if scores != nil && (len(names) == 2 || in.Positive.Get() != "") {
		positive := len(names) - 1
		if name := in.Positive.Get(); name != "" {
			if positive = slices.Index(names, name); positive < 0 {
				return fmt.Errorf("input positive is %q; the classes are %s", name, strings.Join(names, ", "))
			}
		}
		c := roc(scores, truth, positive)
		if err := dsl.LogROC(out.Report, c.fpr, c.tpr, c.threshold); err != nil {
			return err
		}
		dsl.LogMetric(out.Metrics, "auc", c.area())
	}
	if accuracy < in.MinAccuracy.Get() {
		return fmt.Errorf("accuracy %.4f is below %.4f: %d of %d are right", accuracy, in.MinAccuracy.Get(), right, len(labels))
	}
	return ctx.Err()
}), func(c *work.Call) {
	names, ok := work.Arg[[]string](c, "classes")
	if !ok || !c.Given("classes") {
		return
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			c.Errorf("input classes: there are two called %q", name)
		}
	}
	if p, ok := work.Arg[string](c, "positive"); ok && c.Given("positive") && !slices.Contains(names, p) {
		c.Errorf("input positive: %q is not one of the classes %s", p, strings.Join(names, ", "))
	}
})

func lines(file string) (list []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		if b := bytes.TrimSpace(s.Bytes()); len(b) > 0 {
			list = append(list, string(b))
		}
	}
	return list, s.Err()
}

// scoresOf returns the scores of each prediction, or nil if those are classes.
func scoresOf(predicted []string) ([][]float64, error) {
	var all [][]float64
	for i, p := range predicted {
		if !strings.HasPrefix(p, "[") {
			if i > 0 && all != nil {
				return nil, fmt.Errorf("prediction %d is a class, and those before are scores", i+1)
			}
			continue
		}
		var s []float64
		if err := json.Unmarshal([]byte(p), &s); err != nil || len(s) < 2 || i > 0 && (all == nil || len(s) != len(all[0])) {
			return nil, fmt.Errorf("prediction %d: %s is not as many scores as the others", i+1, p)
		}
		all = append(all, s)
	}
	return all, nil
}

// classes returns the names of the classes, in order.
func classes(in In, scores [][]float64, predicted, labels []string) ([]string, error) {
	if names := in.Classes.Get(); len(names) > 0 {
		if scores != nil && len(names) != len(scores[0]) {
			return nil, fmt.Errorf("there are %d classes and %d scores", len(names), len(scores[0]))
		}
		return names, nil
	}
	if scores != nil {
		names := make([]string, len(scores[0]))
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		return names, nil
	}
	var names []string
	for _, s := range slices.Concat(labels, predicted) {
		names = append(names, plain(s))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// plain returns a class as a person writes it: without JSON's quotes.
func plain(s string) string {
	var text string
	if json.Unmarshal([]byte(s), &text) == nil {
		return text
	}
	return s
}

// index returns the place of a class; beside scores it may be a number.
func index(names []string, class string, numbers bool) (int, error) {
	if i := slices.Index(names, plain(class)); i >= 0 {
		return i, nil
	}
	if n, err := strconv.Atoi(class); numbers && err == nil && n >= 0 && n < len(names) {
		return n, nil
	}
	return 0, fmt.Errorf("%s is not one of the classes %s", class, strings.Join(names, ", "))
}

func macroF1(matrix [][]int) float64 {
	sum := 0.0
	for c := range matrix {
		hit, other := matrix[c][c], 0
		for i := range matrix {
			if i != c {
				other += matrix[c][i] + matrix[i][c]
			}
		}
		if hit > 0 {
			sum += 2 * float64(hit) / float64(2*hit+other)
		}
	}
	return sum / float64(len(matrix))
}

// A curve is the points of a ROC curve, from the highest threshold on.
type curve struct{ fpr, tpr, threshold []float64 }

// maxPoints is how many points a curve has, which a page has to draw.
const maxPoints = 500

func roc(scores [][]float64, truth []int, positive int) curve {
	type point struct {
		score float64
		right bool
	}
	var ps []point
	yes, no := 0, 0
	for i, s := range scores {
		is := truth[i] == positive
		if is {
			yes++
		} else {
			no++
		}
		ps = append(ps, point{s[positive], is})
	}
	slices.SortFunc(ps, func(a, b point) int { return cmp.Compare(b.score, a.score) })
	share := func(n, of int) float64 { return float64(n) / math.Max(1, float64(of)) }
	c := curve{fpr: []float64{0}, tpr: []float64{0}, threshold: []float64{ps[0].score + 1}}
	tp, fp := 0, 0
	for i, p := range ps {
		if p.right {
			tp++
		} else {
			fp++
		}
		last := i == len(ps)-1
		if !last && (ps[i+1].score == p.score || len(ps) > maxPoints && i%(len(ps)/maxPoints+1) != 0) {
			continue
		}
		c.fpr, c.tpr, c.threshold = append(c.fpr, share(fp, no)), append(c.tpr, share(tp, yes)), append(c.threshold, p.score)
	}
	return c
}

// area returns the area under a curve.
func (c curve) area() (sum float64) {
	for i := 1; i < len(c.fpr); i++ {
		sum += (c.fpr[i] - c.fpr[i-1]) * (c.tpr[i] + c.tpr[i-1]) / 2
	}
	return sum
}
