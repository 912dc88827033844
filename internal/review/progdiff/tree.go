package progdiff

import (
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A side is one of the two programs.
type side struct {
	p       *program.Program
	callers map[string]int
	units   map[*program.Component]*unit
}

// A unit is a pipeline with its groups opened. Nested pipelines are units of
// their own, since many tasks may share one.
type unit struct {
	s    *side
	comp *program.Component
	root *node
	all  []*node // groups before what they hold
}

// A node is a task of a unit.
type node struct {
	path     string // in the unit
	task     *program.Task
	comp     *program.Component // nil: the program has none of that name
	parent   *node
	children []*node
	index    map[string]*node // children by name
	to       *node            // what it is in the other program
	id       int
}

func newSide(p *program.Program) *side {
	s := &side{p: p, callers: map[string]int{}, units: map[*program.Component]*unit{}}
	for _, t := range p.Tasks() {
		s.callers[t.Component]++
	}
	return s
}

// opened reports whether the tasks of a component belong to its caller's unit: a group
// with one caller. A file may call in circles, but a circle has two ways in, or is the main one.
func (s *side) opened(c *program.Component) bool {
	return c != nil && c.DAG != nil && c.DAG.Kind != program.Pipeline && s.callers[c.Name] == 1 && c.Name != s.p.Main
}

func (s *side) unit(c *program.Component) *unit {
	if u := s.units[c]; u != nil {
		return u
	}
	u := &unit{s: s, comp: c, root: &node{comp: c}}
	s.units[c] = u
	open := []*node{u.root}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if n != u.root {
			u.all = append(u.all, n)
			n.id = len(u.all)
		}
		if n != u.root && !s.opened(n.comp) {
			continue
		}
		n.index = map[string]*node{}
		for _, t := range n.comp.DAG.Tasks {
			child := &node{path: join(n.path, t.Name), task: t, comp: s.p.Component(t.Component), parent: n}
			n.children = append(n.children, child)
			n.index[t.Name] = child
		}
		for i := len(n.children) - 1; i >= 0; i-- {
			open = append(open, n.children[i])
		}
	}
	return u
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "/" + name
}

// group reports whether n was opened.
func (n *node) group() bool { return n.index != nil && n.task != nil }

// kind says what n runs.
func (n *node) kind() string { return n.comp.Kind() }

// numbered are the names that KFP gives to groups.
var numbered = lazyregexp.New(`^(?:for-loop|condition|condition-branches|exit-handler)-[0-9]+$`)
