package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// The keys of KFP's metadata for classifications.
const (
	confusionMatrix   = "confusionMatrix"
	confidenceMetrics = "confidenceMetrics"
	evaluationSlices  = "evaluationSlices"
)

// metrics is one table of all Metrics artifacts.
type metrics struct {
	Names []string
	Rows  []metricsRow
}

type metricsRow struct {
	Task, Where, Href, Output string
	Cells                     []string
}

// maxMetrics is the number of columns that are one table; more are left to the
// artifacts' own places.
const maxMetrics = 24

func (v *View) addResults(r *run.Run) {
	m := &metrics{}
	names := map[string]bool{}
	type found struct {
		row  metricsRow
		data map[string]any
	}
	var rows []found
	for _, t := range r.Tasks {
		shown := v.anchors[t.Path]
		if shown == nil || Group(t) || t.Kind == "pipeline" {
			continue // groups pass on what their tasks wrote
		}
		n := 0
		for _, port := range slices.Sorted(maps.Keys(t.Writes)) {
			for _, a := range t.Writes[port] {
				i := n
				n++
				if a.Type == "system.Metrics" && len(a.Metadata) > 0 {
					row := metricsRow{Task: shown.Name, Where: shown.Where, Href: shown.Href, Output: port}
					rows = append(rows, found{row, a.Metadata})
					for name := range a.Metadata {
						names[name] = true
					}
				}
				v.addClassification(shown, i, port, a.Metadata, "")
			}
		}
	}
	m.Names = slices.Sorted(maps.Keys(names))
	m.Names = m.Names[:min(len(m.Names), maxMetrics)]
	for _, f := range rows {
		for _, name := range m.Names {
			f.row.Cells = append(f.row.Cells, Metric(f.data[name]))
		}
		m.Rows = append(m.Rows, f.row)
	}
	if len(m.Rows) > 0 {
		v.Metrics = m
	}
}

// addClassification adds the confusion matrix and the curve in an artifact's
// metadata, and those of its slices. The artifact then links to them.
func (v *View) addClassification(t *task, artifact int, port string, data map[string]any, slice string) {
	name := port
	if slice != "" {
		name += ", slice " + slice
	}
	add := func(id, text string) {
		t.Writes[artifact].Links = append(t.Writes[artifact].Links, link{v.o.Page + "#" + id, text})
	}
	if raw, ok := data[confusionMatrix]; ok {
		if m := newMatrix(raw); m != nil {
			m.ID = fmt.Sprintf("%smatrix-%d", v.o.Prefix, len(v.Matrices)+1)
			m.Task, m.Where, m.Href, m.Output = t.Name, t.Where, t.Href, name
			v.Matrices = append(v.Matrices, m)
			add(m.ID, "confusion matrix")
		}
	}
	if raw, ok := data[confidenceMetrics]; ok {
		if c := newCurve(raw); c != nil {
			c.ID = fmt.Sprintf("%scurve-%d", v.o.Prefix, len(v.Curves)+1)
			c.Task, c.Where, c.Href, c.Output = t.Name, t.Where, t.Href, name
			v.Curves = append(v.Curves, c)
			add(c.ID, "ROC curve")
		}
	}
	if slice != "" {
		return
	}
	for i, s := range list(data[evaluationSlices]) {
		s := object(s)
		name, _ := s["slice"].(string)
		v.addClassification(t, artifact, port, object(s["sliceClassificationMetrics"]), cmp.Or(name, strconv.Itoa(i)))
	}
}

// object and list take a value out of the wrappers that KFP puts around values.
func object(v any) map[string]any {
	for range 4 {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		inner, ok := wrapped(m)
		if !ok {
			return m
		}
		v = inner
	}
	return nil
}

func list(v any) []any {
	for range 4 {
		if l, ok := v.([]any); ok {
			return l
		}
		m, _ := v.(map[string]any)
		inner, ok := wrapped(m)
		if !ok {
			return nil
		}
		v = inner
	}
	return nil
}

func wrapped(m map[string]any) (any, bool) {
	if len(m) == 1 {
		for _, key := range []string{"struct", "structValue", "list", "listValue", "values", "fields"} {
			if inner, ok := m[key]; ok {
				return inner, true
			}
		}
	}
	return nil, false
}

// number reads a number of JSON, also one written as text.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	case string:
		f, err := strconv.ParseFloat(n, 64)
		return f, err == nil
	}
	return 0, false
}

// Metric prints a number of a run's record as people read it.
func Metric(v any) string {
	switch n := v.(type) {
	case nil:
		return ""
	case json.Number:
		f, err := n.Float64()
		if _, whole := strconv.ParseInt(n.String(), 10, 64); whole == nil || err != nil {
			return n.String()
		}
		return strconv.FormatFloat(f, 'g', 6, 64)
	case string:
		return n
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}
