package progress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// A row is a line of the display before it is cut to the width.
type row struct {
	depth int
	state run.State
	name  string
	time  string
	note  string
	rank  int  // the highest is left out first
	head  bool // the first line, or the one with the number of those left out
}

// The ranks of rows.
const (
	failed = iota
	running
	group // that holds one of those
	waiting
	done
)

// rows are at most n lines: how far the run is, and its tasks.
func (d *Display) rows(n int) []row {
	var c counts
	d.tree.root.count(&c)
	if len(d.tree.root.children) == 0 {
		c = counts{}
	}
	rows := []row{{head: true, name: d.heading(c)}}
	tasks := d.below(&d.tree.root, 0, "", nil)
	if len(tasks) > n-1 && n > 1 {
		tasks = shorten(tasks, n-1)
	}
	if n <= 1 {
		tasks = nil
	}
	return append(rows, tasks...)
}

// heading says how far the run is.
func (d *Display) heading(c counts) string {
	parts := []string{fmt.Sprintf("%d of %d done", c.done, c.all)}
	for _, p := range []struct {
		n    int
		word string
	}{{c.running, "running"}, {c.waiting, "waiting"}, {c.failed, "failed"}, {c.cached, "cached"}, {c.skipped, "skipped"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	parts = append(parts, Seconds(time.Since(d.started)))
	s := strings.Join(parts, ", ")
	if d.o.Title != "" {
		s = printable.Line(d.o.Title) + ": " + s
	}
	return s
}

// below lists the rows of what is in a group. Of a loop only those iterations are
// seen that run or have failed, by what runs in them.
func (d *Display) below(n *node, depth int, prefix string, rows []row) []row {
	for _, c := range n.children {
		name := printable.Line(prefix + c.name)
		s := c.state()
		switch {
		case !c.group():
			if n.loop() && s != run.Running && s != run.Failed {
				continue
			}
			rows = append(rows, d.step(c, depth, name))
		case c.iteration():
			if s == run.Running || s == run.Failed {
				rows = d.inside(c, depth, c.name+"/", rows)
			}
		default:
			rows = append(rows, d.group(c, depth, name))
			rows = d.below(c, depth+1, "", rows)
		}
	}
	return rows
}

// inside lists what runs or has failed in an iteration, under the number of that.
func (d *Display) inside(n *node, depth int, prefix string, rows []row) []row {
	for _, c := range n.children {
		switch s := c.state(); {
		case s != run.Running && s != run.Failed:
		case c.group():
			rows = d.inside(c, depth, prefix+c.name+"/", rows)
		default:
			rows = append(rows, d.step(c, depth, printable.Line(prefix+c.name)))
		}
	}
	return rows
}

func rank(s run.State) int {
	switch s {
	case run.Failed, run.Cancelled:
		return failed
	case run.Running:
		return running
	case run.Pending, "":
		return waiting
	}
	if s.Done() {
		return done
	}
	return waiting // suspended, and what a later server says
}

// step is the row of a step.
func (d *Display) step(n *node, depth int, name string) row {
	t := n.task
	r := row{depth: depth, state: t.State, name: name, rank: rank(t.State)}
	if took, ok := n.took(time.Now()); ok {
		r.time = Duration(took, t.State.Done())
	}
	switch {
	case t.State == run.Running && t.Attempts > 1:
		r.note = fmt.Sprintf("attempt %d", t.Attempts)
		if said := cmp.Or(d.last(t), firstLine(cmp.Or(t.Reason, t.Error))); said != "" {
			r.note += ": " + said
		}
	case t.State == run.Running:
		r.note = cmp.Or(firstLine(t.Reason), d.last(t), firstLine(t.Error))
	case t.State == run.Failed:
		r.note = firstLine(t.Error)
	case t.State == run.Cached:
		r.note = "cached"
	case t.State == run.Succeeded && t.Attempts > 1:
		r.note = fmt.Sprintf("at attempt %d", t.Attempts)
	case t.State == run.Skipped, t.State == run.Cancelled:
		r.note = strings.TrimSuffix(kfptype.Word(t.State)+": "+firstLine(t.Reason), ": ")
	case t.State == run.Pending || t.State == "":
		r.note = firstLine(cmp.Or(t.Reason, t.Error))
	case !t.State.Done():
		r.note = kfptype.Word(t.State)
	}
	return r
}

func (d *Display) last(t run.Task) string {
	if d.o.Last == nil {
		return ""
	}
	return lastLine(d.o.Last(t))
}

// group is the row of a group.
func (d *Display) group(n *node, depth int, name string) row {
	var c counts
	n.count(&c)
	s := n.state()
	r := row{depth: depth, state: s, name: name, rank: rank(s)}
	if r.rank < group {
		r.rank = group
	}
	if took, ok := n.took(time.Now()); ok {
		r.time = Duration(took, s.Done())
	}
	switch {
	case s == run.Skipped:
		r.note = strings.TrimSuffix("skipped: "+firstLine(n.task.Reason), ": ")
	case c.all > 0:
		r.note = fmt.Sprintf("%d of %d", c.done, c.all)
		if c.running > 0 {
			r.note += fmt.Sprintf(", %d running", c.running)
		}
		if c.failed > 0 {
			r.note += fmt.Sprintf(", %d failed", c.failed)
		}
	}
	return r
}

// shorten leaves out rows until there are n, the last of which has the number of those left out.
// Steps in groups that are over go first, then others that are over, then what
// waits; the order of the rest stays.
func shorten(rows []row, n int) []row {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	failures := 0
	weight := make([]int, len(rows))
	for i, r := range rows {
		weight[i] = r.rank * 100
		switch r.rank {
		case failed:
			if failures++; failures > n/2 {
				weight[i] = running*100 + 1 // what runs is not pushed out by what has failed
			}
		case done:
			weight[i] += min(r.depth, 90)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := cmp.Compare(weight[a], weight[b]); d != 0 {
			return d
		}
		if rows[a].rank == done {
			return cmp.Compare(b, a) // the later ones say more
		}
		return cmp.Compare(a, b)
	})
	keep := slices.Clone(order[:max(n-1, 0)])
	slices.Sort(keep)
	short := make([]row, 0, n)
	for _, i := range keep {
		short = append(short, rows[i])
	}
	missing := map[int]int{}
	for _, i := range order[len(keep):] {
		missing[rows[i].rank]++
	}
	var parts []string
	for _, p := range []struct {
		rank int
		word string
	}{{failed, "failed"}, {running, "running"}, {group, "groups"}, {waiting, "waiting"}, {done, "done"}} {
		if k := missing[p.rank]; k > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", k, p.word))
		}
	}
	return append(short, row{head: true, name: "and " + strings.Join(parts, ", ")})
}
