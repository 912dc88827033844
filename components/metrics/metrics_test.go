package metrics_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/components/metrics"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Predictions, Labels dsl.Param[string] }

var pipeline = dsl.Pipeline("judged", func(s *dsl.Scope, in pipelineIn) dsl.None {
	metrics.Classify.Call(s, metrics.In{Predictions: dsl.Import[dsl.Dataset](s, in.Predictions), Labels: dsl.Import[dsl.Dataset](s, in.Labels)})
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func file(t *testing.T, text string) dsl.Dataset {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dsl.File[dsl.Dataset](path)
}

func near(a any, b float64) bool { v, ok := a.(float64); return ok && math.Abs(v-b) < 1e-9 }

// TestScores: the example of scikit-learn's documentation of roc_auc_score's
// curve, whose area is 0.75.
func TestScores(t *testing.T) {
	out, err := metrics.Classify.Run(t.Context(), metrics.In{
		Predictions: file(t, "[0.9,0.1]\n[0.6,0.4]\n[0.65,0.35]\n[0.2,0.8]\n"), Labels: file(t, "0\n0\n1\n1\n"), Classes: dsl.Const([]string{"no", "yes"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !near(out.Metrics.Metadata("auc"), 0.75) || !near(out.Accuracy.Get(), 0.75) {
		t.Errorf("%s", out.Metrics.MetadataJSON())
	}
	// yes: 1 hit, 1 missed: F1 2/3; no: 2 hits, 1 too many: F1 4/5.
	if !near(out.Metrics.Metadata("macro_f1"), (2.0/3+4.0/5)/2) {
		t.Errorf("macro_f1 %v", out.Metrics.Metadata("macro_f1"))
	}
}

func TestClasses(t *testing.T) {
	out, err := metrics.Classify.Run(t.Context(), metrics.In{Predictions: file(t, "\"cat\"\ndog\ncat\n"), Labels: file(t, "cat\ndog\nbird\n")})
	if err != nil || !near(out.Accuracy.Get(), 2.0/3) {
		t.Error(out.Accuracy.Get(), err)
	}
}

func TestFails(t *testing.T) {
	for _, tt := range []struct {
		predictions, labels, want string
		change                    func(*metrics.In)
	}{
		{"1\n", "1\n2\n", "there are 1 predictions and 2 labels", nil},
		{"[0.1,0.9]\n[1]\n", "0\n1\n", "prediction 2: [1] is not as many scores as the others", nil},
		{"[0.1,0.9]\n1\n", "0\n1\n", "prediction 2 is a class, and those before are scores", nil},
		{"[0.1,0.9]\n", "2\n", "label 1: 2 is not one of the classes 0, 1", nil},
		{"a\n", "b\n", "accuracy 0.0000 is below 0.5000: 0 of 1 are right", func(in *metrics.In) { in.MinAccuracy = dsl.Const(0.5) }},
		{"[0.1,0.9]\n", "1\n", `input positive is "x"; the classes are 0, 1`, func(in *metrics.In) { in.Positive = dsl.Const("x") }},
	} {
		in := metrics.In{Predictions: file(t, tt.predictions), Labels: file(t, tt.labels)}
		if tt.change != nil {
			tt.change(&in)
		}
		_, err := metrics.Classify.Run(t.Context(), in)
		tried.Fails(t, err, tt.want)
	}
}
