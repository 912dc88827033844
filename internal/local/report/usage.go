package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/usage"
)

// A used is a row about what a task used, with its curve over time.
type used struct {
	Name, Text string
	Label      string // the curve, for those who don't see it
	Path       string
}

// usages returns the rows of a task that was measured.
func usages(s *usage.Samples) (rows []used) {
	if s == nil {
		return nil
	}
	add := func(name string, list []float64, text func(float64) string) {
		if len(list) == 0 {
			return
		}
		sum := 0.0
		for _, v := range list {
			sum += v / float64(len(list))
		}
		text1, text2 := text(sum), text(slices.Max(list))
		rows = append(rows, used{
			Name: name, Text: fmt.Sprintf("%s on average, %s at most", text1, text2), Path: polyline(list),
			Label: fmt.Sprintf("%s over %.3g seconds, from 0 to %s", name, s.Interval*float64(len(list)), text2),
		})
	}
	add("CPUs", s.CPUs, func(v float64) string { return fmt.Sprintf("%.2f", v) })
	add("Memory", numbers(s.Memory), mebibytes)
	add("GPU", s.GPU, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) })
	add("GPU memory", numbers(s.GPUMemory), mebibytes)
	return rows
}

func numbers(list []int64) []float64 {
	out := make([]float64, len(list))
	for i, n := range list {
		out[i] = float64(n)
	}
	return out
}

func mebibytes(v float64) string { return fmt.Sprintf("%.0f MiB", v/(1<<20)) }

// polyline returns a curve of 240 by 40 units from 0 to the largest value.
func polyline(list []float64) string {
	list = list[:min(len(list), maxPoints)]
	high := slices.Max(list)
	var b strings.Builder
	for i, v := range list {
		x, y := 240.0*float64(i)/float64(max(1, len(list)-1)), 39.5
		if high > 0 {
			y -= 38 * min(max(v/high, 0), 1)
		}
		fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(i, 1)], x, y)
	}
	return b.String()
}
