package report

import (
	"math"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/host/usage"
)

// TestUsages: a row for each kind that was measured, with its mean and its largest value.
func TestUsages(t *testing.T) {
	if usages(nil) != nil || usages(&usage.Samples{}) != nil {
		t.Error("nothing was measured")
	}
	rows := usages(&usage.Samples{
		Interval: 0.5, CPUs: []float64{1, 3, 2}, Memory: []int64{1 << 30, 2 << 30, 3 << 30}, GPU: []float64{0, 1, 0.5}, GPUMemory: []int64{0, 0, 0},
	})
	var got []string
	for _, r := range rows {
		got = append(got, r.Name+": "+r.Text+"; "+r.Label+"; "+r.Path)
	}
	want := `CPUs: 2.00 on average, 3.00 at most; CPUs over 1.5 seconds, from 0 to 3.00; M0.0 26.8L120.0 1.5L240.0 14.2
Memory: 2048 MiB on average, 3072 MiB at most; Memory over 1.5 seconds, from 0 to 3072 MiB; M0.0 26.8L120.0 14.2L240.0 1.5
GPU: 50 % on average, 100 % at most; GPU over 1.5 seconds, from 0 to 100 %; M0.0 39.5L120.0 1.5L240.0 20.5
GPU memory: 0 MiB on average, 0 MiB at most; GPU memory over 1.5 seconds, from 0 to 0 MiB; M0.0 39.5L120.0 39.5L240.0 39.5`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	for _, r := range usages(&usage.Samples{Interval: -1, CPUs: []float64{-math.MaxFloat64, math.MaxFloat64}, Memory: []int64{math.MinInt64}}) { // which a file may say
		if strings.Contains(r.Path, "Inf") || strings.Contains(r.Path, "NaN") {
			t.Errorf("%+v", r)
		}
	}
}
