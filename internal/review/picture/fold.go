package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Readable is the number of boxes that fit a picture which people read, not only
// search.
const Readable = 120

// A Folding is a program that draws as few boxes, made of one that has more.
type Folding struct {
	Program *program.Program
	Tasks   int // steps that there are
	Boxes   int // boxes and frames that are left
	f       *folder
}

// Fold makes a program that draws as a picture of at most so many boxes, if that can
// be done: tasks of one DAG that run the same, after and before the same, become one box,
// and then groups are, the innermost first. Where nothing has to be done the program is
// the given one.
func Fold(p *program.Program, most int) *Folding {
	f := &folder{from: p, p: p.Clone(), sizes: map[string]int{}, most: 100 * limit, in: map[string]map[string]string{}, stands: map[*program.Task]int{}}
	tasks := f.size(p.Main)
	boxes := f.drawn(p.Main)
	if boxes <= most {
		return &Folding{p, tasks, boxes, nil}
	}
	for boxes > most {
		for _, c := range f.p.Components {
			if c.DAG != nil {
				f.bundle(c)
			}
		}
		if boxes = f.drawn(p.Main); boxes <= most {
			break
		}
		deepest := f.deepest()
		if deepest == nil {
			break
		}
		for _, c := range deepest {
			f.collapse(c)
		}
		boxes = f.drawn(p.Main)
	}
	return &Folding{f.p, tasks, boxes, f}
}

// Folded reports whether a box may stand for several tasks.
func (f *Folding) Folded() bool { return f.f != nil }

type folder struct {
	from, p *program.Program
	sizes   map[string]int               // steps in a component, before anything was folded
	in      map[string]map[string]string // by component and task: the task in whose box it is
	stands  map[*program.Task]int        // for how many tasks one that is left stands, if for several
	most    int
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

// deepest returns the groups with something in them that are deepest inside others.
// It goes by components, since a program may call the same ones more often than can be
// counted.
func (f *folder) deepest() []*program.Component {
	var level []*program.Component
	next := []*program.Component{f.p.Component(f.p.Main)}
	for depth := 0; len(next) > 0 && depth < 50; depth++ {
		within := next
		next = nil
		for _, outer := range within {
			for _, t := range outer.DAG.Tasks {
				if c := f.p.Component(t.Component); c != nil && c.DAG != nil && len(c.DAG.Tasks) > 0 && !slices.Contains(next, c) {
					next = append(next, c)
				}
			}
		}
		if next != nil {
			level = next
		}
	}
	return level
}

// collapse makes a group a box that says how many steps are in it.
func (f *folder) collapse(c *program.Component) {
	c.DAG.Tasks = nil
	for _, call := range f.p.Tasks() {
		if call.Component == c.Name {
			call.Title = fmt.Sprintf("%s, %s", cut(call), count(f.sizes[c.Name]))
		}
	}
}

func cut(t *program.Task) string { return cmp.Or(t.Title, t.Name) }

func count(n int) string {
	if n == 1 {
		return "1 task"
	}
	return fmt.Sprintf("%d tasks", n)
}

// bundle makes one task of those that run the same after and before the same: where
// they and all that leads to and from them can't be distinguished.
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
			for _, other := range m {
				f.stands[one] += max(f.stands[other], 1)
			}
		}
		if len(m) < fewest && f.stands[t] > 1 {
			f.stands[one] = f.stands[t]
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
	if in := f.in[c.Name]; in == nil {
		f.in[c.Name] = map[string]string{}
		for _, t := range tasks {
			f.in[c.Name][t.Name] = first(t.Name)
		}
	} else {
		for name, box := range in {
			in[name] = first(box)
		}
	}
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
