package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/program"
)

// Readable is the number of boxes that fit a picture which people read, not only
// search.
const Readable = 120

// Fold returns a program that draws as a picture of at most so many boxes, if that can
// be done: tasks of one DAG that run the same, after and before the same, become one box,
// and then groups are, the innermost first. Tasks is how many there are, and boxes how
// many are left; where nothing had to be done they are the same.
func Fold(p *program.Program, most int) (_ *program.Program, tasks, boxes int) {
	f := &folder{p: p.Clone(), sizes: map[string]int{}, most: 100 * limit}
	tasks = f.size(p.Main)
	if boxes = f.drawn(p.Main); boxes <= most {
		return p, tasks, boxes
	}
	for {
		for _, c := range f.p.Components {
			if c.DAG != nil {
				f.bundle(c)
			}
		}
		if boxes = f.drawn(p.Main); boxes <= most {
			return f.p, tasks, boxes
		}
		deepest, level := []*program.Task(nil), 0
		f.walk(p.Main, 0, func(t *program.Task, d int) {
			if d > level {
				deepest, level = nil, d
			}
			if d == level {
				deepest = append(deepest, t)
			}
		})
		if deepest == nil {
			return f.p, tasks, boxes
		}
		for _, t := range deepest {
			f.collapse(t)
		}
	}
}

type folder struct {
	p     *program.Program
	sizes map[string]int // steps in a component, before anything was folded
	most  int
}

// size counts the steps in a component.
func (f *folder) size(name string) int {
	if n, ok := f.sizes[name]; ok {
		return n
	}
	c := f.p.Component(name)
	n := 1
	if c != nil && c.DAG != nil {
		n = 0
		for _, t := range c.DAG.Tasks {
			n = min(n+f.size(t.Component), f.most)
		}
	}
	f.sizes[name] = n
	return n
}

// drawn counts boxes and frames.
func (f *folder) drawn(name string) int {
	c := f.p.Component(name)
	if c == nil || c.DAG == nil {
		return 0
	}
	n := 0
	for _, t := range c.DAG.Tasks {
		if n += 1 + f.drawn(t.Component); n > f.most {
			return f.most
		}
	}
	return n
}

// walk calls see for the groups with something in them.
func (f *folder) walk(name string, depth int, see func(*program.Task, int)) {
	for _, t := range f.p.Component(name).DAG.Tasks {
		if c := f.p.Component(t.Component); c != nil && c.DAG != nil && len(c.DAG.Tasks) > 0 && depth < 50 {
			see(t, depth+1)
			f.walk(t.Component, depth+1, see)
		}
	}
}

// collapse makes a group a box that says how many steps are in it.
func (f *folder) collapse(t *program.Task) {
	c := f.p.Component(t.Component)
	if c == nil || len(c.DAG.Tasks) == 0 {
		return // by another task of the same component
	}
	c.DAG.Tasks = nil
	for _, other := range f.p.Components {
		if other.DAG == nil {
			continue
		}
		for _, call := range other.DAG.Tasks {
			if call.Component == c.Name {
				call.Title = fmt.Sprintf("%s, %s", cut(call), count(f.sizes[c.Name]))
			}
		}
	}
}

func cut(t *program.Task) string {
	if t.Title != "" {
		return t.Title
	}
	return t.Name
}

func count(n int) string {
	if n == 1 {
		return "1 task"
	}
	return fmt.Sprintf("%d tasks", n)
}

// bundle makes one task of those that run the same after and before the same: where
// they and all that leads to and from them can't be told apart.
func (f *folder) bundle(c *program.Component) {
	tasks := c.DAG.Tasks
	next := map[string][]string{} // what follows a task
	for _, t := range tasks {
		for _, name := range t.After {
			next[name] = append(next[name], t.Name)
		}
	}
	class := map[string]string{}
	for _, t := range tasks {
		class[t.Name] = f.runs(t)
	}
	for before, n := 0, -1; n != before; { // until no class falls apart any more
		before = n
		finer := map[string]string{}
		ids := map[string]string{}
		for _, t := range tasks {
			key := class[t.Name] + "\x00" + strings.Join(classes(class, t.After), ",") + "\x00" + strings.Join(classes(class, next[t.Name]), ",")
			if ids[key] == "" {
				ids[key] = fmt.Sprint(len(ids))
			}
			finer[t.Name] = ids[key]
		}
		class, n = finer, len(ids)
	}
	members := map[string][]*program.Task{}
	for _, t := range tasks {
		members[class[t.Name]] = append(members[class[t.Name]], t)
	}
	first := func(name string) string {
		if m := members[class[name]]; len(m) >= fewest {
			return m[0].Name
		}
		return name
	}
	var kept []*program.Task
	for _, t := range tasks {
		m := members[class[t.Name]]
		if len(m) >= fewest && m[0] != t {
			continue
		}
		one := t.Map(func(v program.Value) program.Value {
			if v.Task != "" {
				v.Task = first(v.Task)
			}
			return v
		})
		if len(m) >= fewest {
			one.Title, one.When = fmt.Sprintf("%s × %d", cut(t), len(m)), nil // which each has of its own
		}
		one.After = nil
		for _, name := range t.After {
			if name = first(name); !slices.Contains(one.After, name) {
				one.After = append(one.After, name)
			}
		}
		kept = append(kept, one)
	}
	c.DAG.Tasks = kept
}

// fewest are the tasks for which one box is better.
const fewest = 3

// runs says what a task runs: its component, or what kind of group it is, if that is
// folded.
func (f *folder) runs(t *program.Task) string {
	c := f.p.Component(t.Component)
	if c != nil && c.DAG != nil && len(c.DAG.Tasks) == 0 {
		return fmt.Sprintf("%s of %d", c.DAG.Kind, f.sizes[c.Name])
	}
	return fmt.Sprint(t.Component, t.When != nil, t.Each != nil, badges(&node{task: t, component: c}))
}

func classes(class map[string]string, names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, class[name])
	}
	slices.Sort(all)
	return slices.Compact(all)
}
