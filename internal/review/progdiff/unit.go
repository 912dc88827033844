package progdiff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A unitDiff compares the tasks of two pipelines, which are matched already.
type unitDiff struct {
	*differ
	path    string
	a, b    *unit
	renamed map[string]string
}

// resolver returns what follows values of one side, in the names of b.
func (u *unitDiff) resolver(old bool) *resolver {
	r := &resolver{
		node: func(n *node) string { return "b" + strconv.Itoa(n.id) },
		port: func(n *node, name string) string { return name },
		in:   func(name string) string { return name },
	}
	if old {
		r.node = func(n *node) string {
			if n.to != nil {
				return "b" + strconv.Itoa(n.to.id)
			}
			return "a" + strconv.Itoa(n.id)
		}
		r.port = func(n *node, name string) string {
			if n.to != nil && n.comp != nil && n.to.comp != nil {
				return renamedTo(u.portNames(n.comp, n.to.comp), "out ", name)
			}
			return name
		}
		r.in = func(name string) string { return renamedTo(u.renamed, "in ", name) }
	}
	return r
}

// blank returns the settings of a task without the names of other tasks, for
// finding out which tasks are the same.
func (d *differ) blank(n *node) []leaf {
	r := &resolver{
		node: func(*node) string { return "" }, in: func(name string) string { return name },
		port: func(_ *node, name string) string { return name },
	}
	return taskLeaves(r, n, nil)
}

func (u *unitDiff) compare() {
	u.outputs()
	for _, x := range u.a.all {
		switch {
		case x.to != nil:
			u.task(x, x.to)
		case x.parent.task == nil || x.parent.to != nil:
			u.add(Change{Path: join(u.path, x.path), Kind: kindOf(x), Op: Removed, Old: with(x)})
		}
	}
	for _, y := range u.b.all {
		if y.to == nil && (y.parent.task == nil || y.parent.to != nil) {
			u.add(Change{Path: join(u.path, y.path), Kind: kindOf(y), Op: Added, New: with(y)})
		}
	}
}

func kindOf(n *node) string {
	if n.group() {
		return "group"
	}
	return "task"
}

// with says what a task runs, and how many are in a group that aren't elsewhere.
func with(n *node) string {
	s := runs(n)
	total := 0
	var inside func(g *node)
	inside = func(g *node) {
		for _, c := range g.children {
			if !c.group() && c.to == nil {
				total++
			}
			inside(c)
		}
	}
	if inside(n); total > 0 {
		s += " with " + count(total, "task")
	}
	return s
}

// outputs compares where the outputs of the pipeline come from.
func (u *unitDiff) outputs() {
	of := func(un *unit, old bool) (ls []leaf) {
		r := u.resolver(old)
		for _, name := range slices.Sorted(maps.Keys(un.comp.DAG.Outputs)) {
			r.left = limit
			var keys, texts []string
			for _, f := range un.comp.DAG.Outputs[name].From {
				one := r.follow(un.root, program.Value{Kind: program.Output, Task: f.Task, Name: f.Output})
				keys, texts = append(keys, one.key), append(texts, one.text)
			}
			if old {
				name = renamedTo(u.renamed, "out ", name)
			}
			ls = append(ls, leaf{name, ref{strings.Join(keys, " or "), strings.Join(texts, " or ")}})
		}
		return ls
	}
	for _, c := range compare(of(u.a, true), of(u.b, false)) {
		if c.Old == "" || c.New == "" {
			continue // the port came or went, which has been said
		}
		c.Path, c.Kind = u.path, "output"
		u.add(c)
	}
}

// task compares two tasks that are the same.
func (u *unitDiff) task(x, y *node) {
	path := join(u.path, y.path)
	kind := kindOf(y)
	if x.task.Name != y.task.Name {
		op := Renamed
		if x.group() && numbered.MatchString(x.task.Name) && numbered.MatchString(y.task.Name) {
			op = Renumbered
		}
		u.add(Change{Path: path, Kind: kind, Op: op, Old: x.task.Name, New: y.task.Name})
	}
	moved := x.parent.to != y.parent && !(x.parent.task == nil && y.parent.task == nil)
	if moved {
		u.add(Change{Path: path, Kind: kind, Op: Moved, Old: where(x), New: where(y)})
	}
	names := map[string]string{}
	if x.comp != nil && y.comp != nil && !x.group() {
		names = u.portNames(x.comp, y.comp)
	}
	u.settings(path, kind, taskLeaves(u.resolver(true), x, names), taskLeaves(u.resolver(false), y, nil))
	if !moved {
		u.after(path, kind, x, y)
	}
	switch {
	case x.group() || x.comp == nil || y.comp == nil:
	case x.comp.DAG != nil && y.comp.DAG != nil:
		u.nested(pair{x.comp, y.comp}, path)
	default:
		u.runs(pair{x.comp, y.comp}, path, x, y)
	}
}

func where(n *node) string {
	if n.parent.task == nil {
		return "the pipeline"
	}
	return n.parent.path
}

func (u *unitDiff) nested(p pair, path string) {
	if done := u.units[p]; done != nil {
		if done.path != path {
			done.also = append(done.also, path)
		}
		return
	}
	u.units[p] = &place{pair: p, path: path}
	u.queue = append(u.queue, func() { u.unit(p.a, p.b, path) })
}

// runs compares what two tasks run, once for all tasks that share it.
func (u *unitDiff) runs(p pair, path string, x, y *node) {
	done := u.leaves[p]
	if done == nil {
		done = &place{pair: p, path: path, diff: u.component(p.a, p.b)}
		u.leaves[p] = done
	}
	for _, c := range done.diff {
		if strings.HasPrefix(c.What, "component ") && c.Op == Renamed && follows(c.Old, x) && follows(c.New, y) {
			continue // the component is named as its task is, which has been said
		}
		c.Path = path
		u.add(c)
	}
}

var suffix = lazyregexp.New(`-[0-9]+$`)

// follows reports whether the name of a component is that of a task, give or
// take its number.
func follows(name string, n *node) bool {
	bare := func(s string) string { return suffix.ReplaceAllString(strings.TrimPrefix(s, "comp-"), "") }
	return bare(name) == bare(n.task.Name)
}

// after compares what tasks wait for beside what they read.
func (u *unitDiff) after(path, kind string, x, y *node) {
	of := func(n *node, old bool) map[string]string {
		reads := map[string]bool{}
		for _, v := range n.task.Values() {
			reads[v.Task] = true
		}
		r, keys := u.resolver(old), map[string]string{}
		for _, name := range n.task.After {
			if from := n.parent.index[name]; !reads[name] && from != nil {
				keys[r.node(from)] = from.path
			}
		}
		return keys
	}
	old, now := of(x, true), of(y, false)
	for _, k := range slices.Sorted(maps.Keys(old)) {
		if now[k] == "" && !u.readsNow(k, y) {
			u.add(Change{Path: path, Kind: kind, Op: Changed, What: "order", Old: "after " + old[k]})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(now)) {
		if old[k] == "" {
			u.add(Change{Path: path, Kind: kind, Op: Changed, What: "order", New: "after " + now[k]})
		}
	}
}

// readsNow reports whether y waits for a task in any way.
func (u *unitDiff) readsNow(key string, y *node) bool {
	r := u.resolver(false)
	return slices.ContainsFunc(y.task.After, func(name string) bool {
		from := y.parent.index[name]
		return from != nil && r.node(from) == key
	})
}

// taskLeaves returns all that is set on a task but for what it runs and waits
// for. Names are what inputs are called in the other program.
func taskLeaves(r *resolver, n *node, names map[string]string) []leaf {
	t := n.task
	f := &flattener{seen: map[string]int{}, value: func(v program.Value) ref { return r.value(n.parent, v) }}
	if !n.group() {
		args := slices.Collect(maps.Keys(t.Args))
		slices.SortFunc(args, func(a, b string) int {
			return strings.Compare(renamedTo(names, "in ", a), renamedTo(names, "in ", b))
		})
		for _, name := range args {
			if t.Each != nil && name == t.Each.Item {
				continue
			}
			f.add("argument "+renamedTo(names, "in ", name), f.value(t.Args[name]))
		}
	}
	if t.When != nil {
		f.add("condition", whenRef(r, n))
	}
	if e := t.Each; e != nil {
		f.add("loop over", f.value(e.Items))
		if e.Parallelism > 0 {
			f.add("iterations at once", ref{strconv.Itoa(e.Parallelism), strconv.Itoa(e.Parallelism)})
		}
		if e.Artifact {
			f.add("loop over artifacts", ref{"yes", "yes"})
		}
		if !n.group() { // the item of a group is seen where it is used
			f.add("item", ref{renamedTo(names, "in ", e.Item), "input " + e.Item})
		}
	}
	if t.WhenText != "" {
		f.add("condition", ref{t.WhenText, t.WhenText})
	}
	if t.Always {
		f.add("runs although others failed", ref{"yes", "yes"})
	}
	if t.Exit {
		f.add("exit handler", ref{"yes", "yes"})
	}
	if t.Title != "" && t.Title != t.Name {
		f.add("display name", ref{t.Title, quoted(t.Title)})
	}
	for _, l := range flatten(t.Settings, f.value) {
		f.add(l.label, l.ref)
	}
	return f.all
}

// whenRef is the condition of a task. That of an arm holds the negations of the
// arms before it, whose changes are theirs.
func whenRef(r *resolver, n *node) ref {
	e := n.task.When
	say := func(e *expr.Expr) ref {
		name := func(part func(ref) string) func(string) string {
			return func(arg string) string {
				if v, ok := n.task.Args[arg]; ok {
					return part(r.value(n.parent, v))
				}
				return arg
			}
		}
		types := ""
		for _, t := range e.Types() {
			types += " " + t
		}
		return ref{e.Words(name(func(r ref) string { return r.key }), nil) + types, e.Words(name(func(r ref) string { return short(r.text) }), nil)}
	}
	if p := n.parent; p.comp.DAG.Kind != program.Branches || p.children[0] == n || !earlier(n) {
		return say(e)
	}
	if own := e.Arm(); own == nil {
		return ref{"else", "else"}
	} else if own != e {
		own := say(own)
		return ref{"else if " + own.key, "else if " + own.text}
	}
	return say(e)
}

// earlier reports whether the negations in the condition of an arm are those of
// the arms before it.
func earlier(n *node) bool {
	own := expr.Conjuncts(n.task.When)
	i := 0
	for _, arm := range n.parent.children {
		if arm == n {
			break
		}
		if arm.task.When == nil || i >= len(own) || own[i] == nil || own[i].Op != "!" || len(own[i].Args) != 1 {
			return false
		}
		before := arm.task.When
		if a := before.Arm(); a != nil {
			before = a
		}
		if fmt.Sprint(own[i].Args[0].Names()) != fmt.Sprint(before.Names()) {
			return false
		}
		same := func(name string) string { return name }
		if own[i].Args[0].Words(same, nil) != before.Words(same, nil) {
			return false
		}
		i++
	}
	return i == len(own) || i == len(own)-1
}

// short leaves out that a value is an input.
func short(text string) string { return strings.TrimPrefix(text, "input ") }
