package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A curve is an ROC curve, in a square of side points.
type curve struct {
	ID, Task, Where, Href, Output string
	Path                          string
	AUC                           string
	Points                        int
}

const (
	side      = 240.0
	maxPoints = 400
)

// newCurve reads KFP's list of confidence metrics; nil if there is no curve in it.
func newCurve(raw any) *curve {
	type point struct{ fpr, tpr float64 }
	var points []point
	for _, p := range list(raw) {
		m := object(p)
		fpr, ok1 := number(m["falsePositiveRate"])
		tpr, ok2 := number(m["recall"])
		if !ok1 || !ok2 || math.IsNaN(fpr+tpr) {
			continue
		}
		points = append(points, point{min(max(fpr, 0), 1), min(max(tpr, 0), 1)})
	}
	if len(points) < 2 {
		return nil
	}
	slices.SortStableFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.fpr, b.fpr), cmp.Compare(a.tpr, b.tpr))
	})
	c := &curve{Points: len(points)}
	auc := 0.0
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		auc += (b.fpr - a.fpr) * (a.tpr + b.tpr) / 2
	}
	if points[0].fpr <= 0.05 && points[len(points)-1].fpr >= 0.95 {
		c.AUC = fmt.Sprintf("%.3f", auc)
	}
	var path strings.Builder
	step := max(1, len(points)/maxPoints)
	for i, p := range points {
		if i%step != 0 && i != len(points)-1 {
			continue
		}
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], p.fpr*side, side-p.tpr*side)
	}
	c.Path = path.String()
	return c
}
