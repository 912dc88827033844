package picture

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Marks puts together the marks of tasks that are in one box, and leaves out those of
// tasks in groups that are boxes: the group's own says how they went.
func (f *Folding) Marks(marks map[string]Mark) map[string]Mark {
	if !f.Folded() {
		return marks
	}
	together := map[string][]Mark{}
	for _, path := range slices.Sorted(maps.Keys(marks)) {
		if box, ok := f.box(path); ok {
			together[box] = append(together[box], marks[path])
		}
	}
	out := make(map[string]Mark, len(together))
	for box, all := range together {
		out[box] = joinMarks(all)
	}
	return out
}

// box returns the path of the box that a task is in; false if its group is one.
func (f *Folding) box(path string) (string, bool) {
	parts := strings.Split(path, "/")
	at := f.f.from.Main
	for i, name := range parts {
		c := f.f.from.Component(at)
		if c == nil || c.DAG == nil {
			break
		}
		if len(f.Program.Component(at).DAG.Tasks) == 0 {
			return "", false
		}
		t := c.DAG.Task(name)
		if t == nil {
			break
		}
		parts[i], at = f.f.in[at][name], t.Component
	}
	return strings.Join(parts, "/"), true
}

// joinMarks is the mark of a box that stands for several tasks.
func joinMarks(all []Mark) Mark {
	if len(all) == 1 {
		return all[0]
	}
	m, n := all[0], 0
	runs := 0
	for _, other := range all {
		if weight[other.State] > weight[m.State] {
			m = other
		}
		runs += other.Runs
	}
	for _, other := range all {
		if other.State == m.State {
			n++
		}
	}
	if m.Runs, m.Note = runs, ""; n < len(all) {
		m.Note = fmt.Sprintf("%d %s", n, kfptype.Word(m.State))
	}
	return m
}

// several reports whether a box stands for more than one task.
func (f *Folding) several(n *node) bool { return f.Folded() && f.f.stands[n.task] > 1 }
