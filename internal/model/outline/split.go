package outline

import (
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/order"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// maxPorts is how many inputs or outputs a new component should have.
const maxPorts = 400

// Split returns a program with the same meaning in which no DAG has more than max
// tasks, as far as that can be had. Tasks go together if they wait for the same
// tasks and the same tasks wait for them, or if one follows the other alone: that
// changes nothing about when a task runs. Where that isn't enough, tasks go
// together that were written one after the other. The arms of an If stay, and
// so do tasks that run after a failure.
func Split(p *program.Program, max int) *program.Program {
	wide := func(c *program.Component) bool {
		return c.DAG != nil && c.DAG.Kind != program.Branches && len(c.DAG.Tasks) > max
	}
	if !slices.ContainsFunc(p.Components, wide) {
		return p
	}
	p = p.Clone()
	for again := true; again; {
		again = false
		for _, c := range slices.Clone(p.Components) {
			if wide(c) && split(p, c, max) {
				again = true
			}
		}
	}
	return p
}

// split splits one DAG, and reports whether it has fewer tasks now.
func split(p *program.Program, c *program.Component, max int) bool {
	before := len(c.DAG.Tasks)
	size := max
	for before > size*max { // its parts are split again
		size *= max
	}
	tasks, outputs, components := c.DAG.Tasks, c.DAG.Outputs, p.Components
	for ; ; size /= 2 {
		m := &mover{p: p, c: c}
		ports := 0
		for i, g := range plan(c.DAG, max, size) {
			made := m.group(fmt.Sprintf("part-%d", i+1), g)
			ports = slices.Max([]int{ports, len(made.Inputs), len(made.Outputs)})
		}
		if ports <= maxPorts || size < 8 {
			break
		}
		c.DAG.Tasks, c.DAG.Outputs = tasks, outputs
		*p = *p.With(components)
	}
	return len(c.DAG.Tasks) < before
}

// A node is tasks that go together.
type node struct {
	tasks       []string
	pinned      bool // stays where it is
	may         bool // may not run: it has a condition or waits for what has one
	preds, succ map[int]bool
}

type planner struct {
	nodes     []*node // in topological order; nil: was merged into another
	count     int
	max, size int
}

// plan returns the tasks that are to go together, so that max remain.
func plan(d *program.DAG, max, size int) [][]string {
	pl := &planner{max: max, size: size}
	at := map[string]int{}
	for i, t := range d.Tasks {
		at[t.Name] = i
		pl.nodes = append(pl.nodes, &node{tasks: []string{t.Name}, preds: map[int]bool{}, succ: map[int]bool{}})
	}
	pl.count = len(pl.nodes)
	for i, t := range d.Tasks {
		n := pl.nodes[i]
		n.may = t.When != nil || t.WhenText != ""
		n.pinned = t.Always || t.Exit
		for _, v := range t.Values() {
			if j, ok := at[v.Task]; ok && v.Kind == program.Status {
				n.pinned, pl.nodes[j].pinned = true, true
			}
		}
		for _, a := range t.After {
			j, ok := at[a]
			if !ok {
				continue
			}
			n.preds[j], pl.nodes[j].succ[i] = true, true
			n.may = n.may || pl.nodes[j].may && !t.Always
			if t.Always { // it looks at how that one ends
				pl.nodes[j].pinned = true
			}
		}
	}
	for _, n := range pl.nodes {
		n.pinned = n.pinned || n.may && len(n.succ) > 0
	}
	for pl.count > max && (pl.beside() || pl.inRow()) {
	}
	if pl.count > max {
		pl.asWritten()
	}
	var groups [][]string
	for _, n := range pl.nodes {
		if n != nil && len(n.tasks) > 1 {
			groups = append(groups, n.tasks)
		}
	}
	return groups
}

// merge puts node j into node i.
func (pl *planner) merge(i, j int) {
	a, b := pl.nodes[i], pl.nodes[j]
	a.tasks = append(a.tasks, b.tasks...)
	a.may = a.may || b.may
	for p := range b.preds {
		delete(pl.nodes[p].succ, j)
		if p != i {
			a.preds[p], pl.nodes[p].succ[i] = true, true
		}
	}
	for s := range b.succ {
		delete(pl.nodes[s].preds, j)
		if s != i {
			a.succ[s], pl.nodes[s].preds[i] = true, true
		}
	}
	delete(a.preds, j)
	delete(a.succ, j)
	pl.nodes[j] = nil
	pl.count--
}

func (pl *planner) fits(a, b *node) bool {
	return !a.pinned && !b.pinned && len(a.tasks)+len(b.tasks) <= pl.size
}

// beside merges nodes that wait for the same and that the same wait for.
func (pl *planner) beside() bool {
	last, before := map[string]int{}, pl.count
	for j, n := range pl.nodes {
		if n == nil || n.pinned {
			continue
		}
		key := fmt.Sprint(sorted(n.preds), "|", sorted(n.succ))
		if i, ok := last[key]; ok && pl.fits(pl.nodes[i], n) {
			pl.merge(i, j)
			continue
		}
		last[key] = j
	}
	return pl.count < before
}

// inRow merges nodes of which one alone follows the other alone.
func (pl *planner) inRow() bool {
	before := pl.count
	for j, n := range pl.nodes {
		if n == nil || len(n.preds) != 1 {
			continue
		}
		i := sorted(n.preds)[0]
		if a := pl.nodes[i]; len(a.succ) == 1 && pl.fits(a, n) {
			pl.merge(i, j)
		}
	}
	return pl.count < before
}

// asWritten merges nodes that follow each other in an order that respects what
// waits for what.
func (pl *planner) asWritten() {
	i := -1
	for _, j := range pl.topological() {
		n := pl.nodes[j]
		if n.pinned || n.may {
			i = -1
			continue
		}
		if i >= 0 && pl.fits(pl.nodes[i], n) {
			pl.merge(i, j)
			continue
		}
		i = j
	}
}

// topological returns the nodes so that each comes after those it waits for.
func (pl *planner) topological() []int {
	var all []int
	for i, n := range pl.nodes {
		if n != nil {
			all = append(all, i)
		}
	}
	return order.Of(all, func(i int) []int { return sorted(pl.nodes[i].preds) })
}

func sorted(set map[int]bool) []int {
	out := make([]int, 0, len(set))
	for i := range set {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}
