package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A matrix is a confusion matrix: rows are the true classes, columns the
// predicted ones.
type matrix struct {
	ID, Task, Where, Href, Output string
	Labels                        []string
	Rows                          []matrixRow
	Summary                       []string
}

type matrixRow struct {
	Label string
	Cells []cell
}

type cell struct {
	Text, Class, Title string
}

// maxClasses is the most that a table can show.
const maxClasses = 100

// newMatrix reads KFP's form; nil if it isn't a matrix.
func newMatrix(raw any) *matrix {
	data := object(raw)
	m := &matrix{}
	for _, s := range list(data["annotationSpecs"]) {
		name, _ := object(s)["displayName"].(string)
		m.Labels = append(m.Labels, name)
	}
	var counts [][]float64
	for _, r := range list(data["rows"]) {
		row := list(r)
		if row == nil {
			row = list(object(r)["row"])
		}
		numbers := make([]float64, len(row))
		for i, n := range row {
			f, ok := number(n)
			if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
				return nil
			}
			numbers[i] = f
		}
		counts = append(counts, numbers)
	}
	if len(counts) == 0 || len(counts) > maxClasses || len(m.Labels) > maxClasses {
		return nil
	}
	for i, row := range counts {
		if len(row) > maxClasses {
			return nil
		}
		for len(m.Labels) < max(len(row), len(counts)) {
			m.Labels = append(m.Labels, strconv.Itoa(len(m.Labels)))
		}
		m.Rows = append(m.Rows, matrixRow{Label: m.Labels[i]})
	}
	m.fill(counts)
	m.summarize(counts)
	return m
}

// fill gives each cell its heat: what is right in one colour, by its share of the
// row, and mistakes in another, beside the most frequent one.
func (m *matrix) fill(counts [][]float64) {
	worst := 0.0
	for i, row := range counts {
		for j, n := range row {
			if i != j {
				worst = max(worst, n)
			}
		}
	}
	for i, row := range counts {
		total := 0.0
		for _, n := range row {
			total += n
		}
		for j, n := range row {
			c := cell{Text: strconv.FormatFloat(n, 'f', -1, 64), Class: "zero"}
			if n != math.Trunc(n) {
				c.Text = strconv.FormatFloat(n, 'g', 4, 64)
			}
			c.Title = fmt.Sprintf("%s taken for %s: %s", m.Labels[i], m.Labels[j], c.Text)
			if i == j {
				c.Title = fmt.Sprintf("%s recognized: %s", m.Labels[i], c.Text)
			}
			switch {
			case n <= 0:
			case i == j:
				c.Class = fmt.Sprintf("right h%d", heat(n/total))
			default:
				c.Class = fmt.Sprintf("wrong h%d", heat(math.Sqrt(n/worst)))
			}
			m.Rows[i].Cells = append(m.Rows[i].Cells, c)
		}
	}
}

func heat(share float64) int { return min(max(int(math.Ceil(share*10)), 1), 10) }

// summarize says what stands out.
func (m *matrix) summarize(counts [][]float64) {
	type mistake struct {
		i, j int
		n    float64
	}
	var right, total float64
	var mistakes []mistake
	for i, row := range counts {
		for j, n := range row {
			total += n
			if i == j {
				right += n
			} else if n > 0 {
				mistakes = append(mistakes, mistake{i, j, n})
			}
		}
	}
	if total <= 0 {
		return
	}
	show := func(f float64) string {
		if f == math.Trunc(f) {
			return group3(strconv.FormatFloat(f, 'f', 0, 64))
		}
		return strconv.FormatFloat(f, 'g', 4, 64)
	}
	m.Summary = append(m.Summary, fmt.Sprintf("%s of %s right: %.2f %%", show(right), show(total), 100*right/total))
	slices.SortStableFunc(mistakes, func(a, b mistake) int { return cmp.Compare(b.n, a.n) })
	for _, w := range mistakes[:min(len(mistakes), 3)] {
		m.Summary = append(m.Summary, fmt.Sprintf("%s taken for %s: %s", m.Labels[w.i], m.Labels[w.j], show(w.n)))
	}
}

// group3 puts commas into a whole number.
func group3(s string) string {
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
