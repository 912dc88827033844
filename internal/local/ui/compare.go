package ui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// maxCompared is how many runs fit beside each other.
const maxCompared = 8

// A compareView is runs side by side.
type compareView struct {
	Runs      []row
	Groups    []rows
	Results   []results
	Others    []choice // runs that can be added
	Remove    []string // for each run, the address without it
	Different bool     // show those rows alone
	Switch    string   // the address with the other choice
	Hidden    int
}

// rows is a part of the table.
type rows struct {
	Name string
	Rows []compared
}

// A compared is a value in each run.
type compared struct {
	Name, Where string
	Cells       []comparedCell
	Different   bool
}

type comparedCell struct {
	report.Value
	Given bool
	Best  string // "highest" or "lowest"
}

// results are the matrices and curves of a run.
type results struct {
	*report.View
	ID, Href string
}

func (s *Server) compare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	var ids []string
	for _, id := range q["run"] {
		if !slices.Contains(ids, id) && id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) > maxCompared {
		return bad("%d runs were chosen; %d fit beside each other", len(ids), maxCompared)
	}
	v := &compareView{Different: q.Get("only") == "different"}
	v.Switch = compareAddress(ids, !v.Different)
	var runs []*run.Run
	now := s.o.Now()
	for i, id := range ids {
		l, err := s.open(id)
		if err != nil {
			return err
		}
		defer l.close()
		x := &records.Summary{Run: *l.run, Stamp: l.stamp}
		v.Runs = append(v.Runs, newRow(x, now))
		v.Remove = append(v.Remove, compareAddress(slices.Delete(slices.Clone(ids), i, i+1), v.Different))
		runs = append(runs, l.run)
		o := s.options(l)
		o.Prefix, o.Draw = fmt.Sprintf("run-%d-", i+1), nil
		if view := report.New(l.root, l.dir, l.run, nil, o); len(view.Matrices)+len(view.Curves) > 0 {
			v.Results = append(v.Results, results{view, l.run.ID, address(l.run.ID, "")})
		}
	}
	v.add("Parameters", runs, func(r *run.Run) map[key]report.Value { return parameters(r.Params) }, false)
	v.add("Metrics", runs, metricsOf, true)
	v.add("Outputs", runs, func(r *run.Run) map[key]report.Value { return parameters(r.Outputs) }, false)
	v.add("Time", runs, timesOf, false)
	if err := s.others(v, ids); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "compare", page{Title: "Compare runs", Section: "compare", Body: v})
}

func compareAddress(ids []string, different bool) string {
	q := url.Values{"run": ids}
	if different {
		q.Set("only", "different")
	}
	return "/compare?" + q.Encode()
}

// others lists runs that may be added: those of the same pipelines first.
func (s *Server) others(v *compareView, ids []string) error {
	all, err := s.runs.All()
	if err != nil {
		return err
	}
	same := map[string]bool{}
	for _, r := range v.Runs {
		same[r.Name] = true
	}
	all = query{}.choose(all, s.o.Now())
	slices.SortStableFunc(all, func(a, b *records.Summary) int { return cmp.Compare(b2i(!same[a.Pipeline]), b2i(!same[b.Pipeline])) })
	for _, x := range all {
		if !slices.Contains(ids, x.ID) && x.Problem == "" && len(v.Others) < 100 {
			v.Others = append(v.Others, choice{Value: x.ID, Label: x.ID + " (" + kfptype.Word(x.State) + ")"})
		}
	}
	return nil
}

// A key names a value: a name, and for metrics the task that it is of.
type key struct{ where, name string }

// add adds the values that some of the runs have.
func (v *compareView) add(name string, runs []*run.Run, of func(*run.Run) map[key]report.Value, numbers bool) {
	each := make([]map[key]report.Value, len(runs))
	keys := map[key]bool{}
	for i, r := range runs {
		each[i] = of(r)
		for k := range each[i] {
			keys[k] = true
		}
	}
	g := rows{Name: name}
	for _, k := range slices.SortedFunc(maps.Keys(keys), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.where, b.where), cmp.Compare(a.name, b.name))
	}) {
		c := compared{Name: k.name, Where: k.where}
		for i := range runs {
			val, ok := each[i][k]
			c.Cells = append(c.Cells, comparedCell{Value: val, Given: ok})
			if first := c.Cells[0]; ok != first.Given || val.Text != first.Text || val.Note != first.Note {
				c.Different = true
			}
		}
		if numbers && c.Different {
			best(c.Cells)
		}
		if v.Different && !c.Different {
			v.Hidden++
			continue
		}
		g.Rows = append(g.Rows, c)
	}
	if len(g.Rows) > 0 {
		v.Groups = append(v.Groups, g)
	}
}

// best marks the highest and the lowest number.
func best(cells []comparedCell) {
	high, low := -1, -1
	var max, min float64
	for i, c := range cells {
		f, err := strconv.ParseFloat(c.Text, 64)
		if err != nil {
			continue
		}
		if high < 0 || f > max {
			high, max = i, f
		}
		if low < 0 || f < min {
			low, min = i, f
		}
	}
	if high >= 0 && high != low && max > min {
		cells[high].Best, cells[low].Best = "highest", "lowest"
	}
}

func parameters[V ~[]byte](all map[string]V) map[key]report.Value {
	m := map[key]report.Value{}
	for name, b := range all {
		m[key{"", name}] = report.NewValue(name, json.RawMessage(b))
	}
	return m
}

// metricsOf returns the metrics of a run, by the place of the task and its output.
func metricsOf(r *run.Run) map[key]report.Value {
	m := map[key]report.Value{}
	for _, t := range r.Tasks {
		if report.Group(t) || t.Kind == "pipeline" {
			continue
		}
		for port, as := range t.Writes {
			for _, a := range as {
				if a.Type != "system.Metrics" {
					continue
				}
				for name, x := range a.Metadata {
					if len(m) < 2000 {
						m[key{t.Path + ", " + port, name}] = report.Value{Name: name, Text: report.Metric(x)}
					}
				}
			}
		}
	}
	return m
}

// timesOf returns how long the run took, and its steps outside of loops.
func timesOf(r *run.Run) map[key]report.Value {
	m := map[key]report.Value{}
	if !r.Ended.IsZero() {
		m[key{"", "the whole run"}] = report.Value{Text: picture.Duration(r.Ended.Sub(r.Started))}
	}
	for _, t := range r.Tasks {
		if report.Group(t) || report.Where(t) != "" || t.Started.IsZero() || t.Ended.IsZero() || len(m) >= 300 {
			continue
		}
		m[key{t.Path, ""}] = report.Value{Text: picture.Duration(t.Ended.Sub(t.Started))}
	}
	return m
}
