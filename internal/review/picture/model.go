package picture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A node is a task of the picture: a box, or a group around others.
type node struct {
	id        int
	path      string
	task      *program.Task
	component *program.Component // nil if the program has none of that name
	parent    *node
	children  []*node
	after     []*node // siblings
	words     string  // of a group: what it means
}

// build makes the tree of a program. Nested pipelines are opened unless that
// makes too many boxes.
func build(p *program.Program) (*node, error) {
	main := p.Component(p.Main)
	if main == nil || main.DAG == nil {
		return nil, fmt.Errorf("the program has no pipeline %q", p.Main)
	}
	for _, open := range []bool{true, false} {
		b := &builder{p: p, open: open}
		root := &node{component: main}
		b.fill(root)
		if b.count <= limit {
			root.walk(func(n *node) { n.words = words(n) })
			return root, nil
		}
	}
	return nil, fmt.Errorf("pipeline %s: %w: there are more than %d", p.Name, ErrTooLarge, limit)
}

type builder struct {
	p     *program.Program
	open  bool // nested pipelines
	count int
}

func (b *builder) fill(parent *node) {
	byName := map[string]*node{}
	for _, t := range parent.component.DAG.Tasks {
		if b.count++; b.count > limit {
			return // a program may be deep and wide: its size is exponential in its text
		}
		n := &node{id: b.count, path: t.Name, task: t, component: b.p.Component(t.Component), parent: parent}
		if parent.path != "" {
			n.path = parent.path + "/" + t.Name
		}
		for _, name := range t.After {
			if before := byName[name]; before != nil {
				n.after = append(n.after, before)
			}
		}
		byName[t.Name] = n
		parent.children = append(parent.children, n)
		if c := n.component; c != nil && c.DAG != nil && (b.open || c.DAG.Kind != program.Pipeline) {
			b.fill(n)
		}
	}
}

// walk calls f for all nodes below n, groups before what they hold.
func (n *node) walk(f func(*node)) {
	for _, c := range n.children {
		f(c)
		c.walk(f)
	}
}

// group reports whether n is drawn around others.
func (n *node) group() bool { return len(n.children) > 0 }

// folded reports whether n is a group that is drawn as a box.
func (n *node) folded() bool {
	return n.component != nil && n.component.DAG != nil && len(n.component.DAG.Tasks) == 0
}

func (n *node) kind() string { return n.component.Kind() }

func (n *node) title() string { return cmp.Or(n.task.Title, n.task.Name) }

// needed is what n waits for, less what those wait for themselves: an arrow for
// each would hide the ones that matter.
func (n *node) needed() []*node {
	implied := map[*node]bool{}
	var mark func(*node)
	mark = func(m *node) {
		for _, a := range m.after {
			if !implied[a] {
				implied[a] = true
				mark(a)
			}
		}
	}
	for _, a := range n.after {
		mark(a)
	}
	return slices.DeleteFunc(slices.Clone(n.after), func(a *node) bool { return implied[a] })
}

// sources are the boxes in n that wait for no other one in n; sinks those that
// none in n waits for.
func (n *node) sources() []*node {
	if !n.group() {
		return []*node{n}
	}
	var all []*node
	for _, c := range n.children {
		if len(c.after) == 0 {
			all = append(all, c.sources()...)
		}
	}
	return all
}

func (n *node) sinks() []*node {
	if !n.group() {
		return []*node{n}
	}
	var all []*node
	for _, c := range n.children {
		if !slices.ContainsFunc(n.children, func(other *node) bool { return slices.Contains(other.after, c) }) {
			all = append(all, c.sinks()...)
		}
	}
	return all
}
