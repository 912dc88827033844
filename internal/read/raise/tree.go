package raise

import (
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A scope is a DAG as the author wrote it: the body of a pipeline, or a group in
// one, whose tasks read what is around it.
type scope struct {
	kind   program.DAGKind
	parent *scope // nil: a pipeline
	class  *class // of the pipeline
	comp   *program.Component
	task   *program.Task // that runs the group, in its parent
	nodes  []*node       // in the order to write them
	byName map[string]*node
	exits  []*node // of a guarded group: its exit handler

	gives   map[string]*give // values that are read outside, by the outputs of comp
	given   []*give          // the same, in order
	loopVar *ref             // of a loop: the item
	view    *typ             // of a loop: the struct that the item is taken for

	// Of a pipeline.
	hashes map[string]string // of the components of all its tasks, by task

	itemVar, statusVar string
	result             string // the variable with what leaves it
	usesItem           bool
	usesStatus         bool
}

// A node is a task of a scope: a call, or a group.
type node struct {
	task   *program.Task
	in     *scope
	class  *class // of a call
	group  *scope // or
	exitOf *scope // the guarded group whose exit handler it is part of

	used  bool     // something reads the task's outputs or waits for it
	away  bool     // from outside of the group that it is in
	varn  string   // of a call
	wants string   // a name that the numbering doesn't give
	waits []*node  // tasks that it must follow
	keys  []string // names and numbers below it
}

// A give is a value that leaves a scope.
type give struct {
	of    []*ref // in the scope; of branches: one for each arm
	typ   *typ
	art   string // Go type of an artifact
	field string
	varn  string // of a condition or a guarded group: the variable that carries it
}

// mainName is what the main component is called.
func (b *builder) mainName() string {
	if b.p.Title != "" && b.p.Title != b.p.Name && program.CleanName(b.p.Title) == b.p.Name {
		return b.p.Title
	}
	return b.p.Name
}

// pipeline makes a class of a pipeline, and of all that it calls.
func (b *builder) pipeline(c *program.Component, name string) *class {
	cl := b.newClass(c, name)
	root := &scope{kind: program.Pipeline, class: cl, comp: c, hashes: map[string]string{}}
	cl.root = root
	b.allHashes(root.hashes, c)
	b.fill(root)
	b.order = append(b.order, cl)
	return cl
}

// allHashes gathers the hashes of the components of the tasks of a pipeline.
func (b *builder) allHashes(to map[string]string, c *program.Component) {
	for _, t := range c.DAG.Tasks {
		sub := b.p.Component(t.Component)
		if sub == nil {
			continue
		}
		if isGroup(sub) {
			b.allHashes(to, sub)
			continue
		}
		to[t.Name] = b.hash(t.Component)
	}
}

func isGroup(c *program.Component) bool { return c.DAG != nil && c.DAG.Kind != program.Pipeline }

func (s *scope) top() *scope {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// fill makes the nodes of a scope and of those in it.
func (b *builder) fill(s *scope) {
	b.scopes = append(b.scopes, s)
	s.byName, s.gives = map[string]*node{}, map[string]*give{}
	top := s.top()
	for _, t := range s.comp.DAG.Tasks {
		n := &node{task: t, in: s}
		c := b.p.Component(t.Component)
		if c != nil && isGroup(c) {
			n.group = &scope{kind: c.DAG.Kind, parent: s, class: s.class, comp: c, task: t}
			b.group(n)
			b.fill(n.group)
		} else {
			if t.When != nil || t.WhenText != "" {
				b.taskErrorf(t, "a condition on a task that is not a group: the language has conditions of groups only; put the task in a component with a DAG of its own")
			}
			if t.Each != nil {
				b.taskErrorf(t, "a loop of a task that is not a group: the language has loops over groups only; put the task in a component with a DAG of its own")
			}
			if n.class = b.class(t, top.hashes); n.class == nil {
				continue
			}
			n.class.uncached = n.class.uncached || t.Settings.NoCache
		}
		s.nodes = append(s.nodes, n)
		s.byName[t.Name] = n
	}
	b.exits(s)
	b.sort(s)
}

// group checks what a group is.
func (b *builder) group(n *node) {
	t, g := n.task, n.group
	switch g.kind {
	case program.Loop:
		if t.Each == nil {
			b.taskErrorf(t, "a loop over nothing")
		}
	case program.Condition:
		if t.WhenText != "" {
			b.taskErrorf(t, "the condition %s: the language can't say it", t.WhenText)
		} else if t.When == nil {
			b.taskErrorf(t, "a group without a condition, a loop or an exit handler")
		}
	case program.Branches, program.Guarded:
		if t.When != nil || t.WhenText != "" {
			b.taskErrorf(t, "a condition on a group that is not a branch")
		}
	default:
		b.taskErrorf(t, "a group of the kind %q", g.kind)
	}
	if g.kind == program.Branches && t.Title != "" {
		b.taskErrorf(t, "the name %q for branches as a whole: the language names each of them", t.Title)
	}
	if len(g.comp.DAG.Tasks) == 0 {
		b.taskErrorf(t, "a group without tasks; take it out of the file")
	}
	if t.Settings.Pod(nil) {
		b.taskErrorf(t, "settings of pods on a group, which has none; move them to the tasks inside, in the file")
	}
	if t.Settings.Retry != nil {
		b.taskErrorf(t, "a retryPolicy on a group: the language retries steps and pipelines that are called; move it to the tasks inside, in the file")
	}
	if g.kind != program.Loop && t.Each != nil {
		b.taskErrorf(t, "a loop and a condition on one group; put the one in the other")
	}
}

// exits finds the exit handlers of the guarded groups of a scope: the tasks that
// run however the group ended, and wait for nothing else.
func (b *builder) exits(s *scope) {
	for _, n := range s.nodes {
		if !n.task.Always {
			continue
		}
		var guard *node
		only := true
		for _, a := range n.task.After {
			switch other := s.byName[a]; {
			case other == nil:
			case other.group != nil && other.group.kind == program.Guarded && guard == nil:
				guard = other
			case !other.task.Exit || !n.task.Exit:
				only = false
			}
		}
		if guard != nil && only {
			n.exitOf = guard.group
			guard.group.exits = append(guard.group.exits, n)
		}
	}
	for _, n := range s.nodes {
		if n.group != nil && n.group.kind == program.Guarded && len(n.group.exits) == 0 {
			b.taskErrorf(n.task, "a group with no exit handler: no task of the DAG runs when it has ended whatever happened")
		}
	}
}

// unsaid reports what the program says of itself that the language has no word for.
func (b *builder) unsaid() {
	for _, r := range b.p.Residue {
		switch path := strings.Join(r.Path, "/"); {
		case r.Form() != "":
		case r.Doc == 0 && len(r.Path) == 3 && r.Path[1] == "executors" && b.unused(r.Path[2]):
		case r.Set == nil:
			b.errorf(b.p.Component(b.p.Main).Pos, "pipeline %s: the file doesn't have %s, which the language can't leave out", b.p.Name, path)
		default:
			b.errorf(b.p.Component(b.p.Main).Pos, "pipeline %s: kfpgo has no word for %s: %s", b.p.Name, path, short(r.Set))
		}
	}
}

// unused reports whether no component has an executor.
func (b *builder) unused(label string) bool {
	return !slices.ContainsFunc(b.p.Components, func(c *program.Component) bool { return c.Label == label })
}

// link resolves every value, so that it is known what leaves which scope, and
// which types go together.
func (b *builder) link() {
	for _, s := range b.scopes {
		for _, n := range s.nodes {
			t := n.task
			t.Settings.Each(func(v *program.Value) { b.ref(s, *v, t) })
			if t.Each != nil && n.group != nil {
				b.loopItem(n.group)
			}
			if t.Each != nil {
				if text := placeholder.In(t.Each.Items.Const); text != "" {
					b.taskErrorf(t, "the items of the loop have %s in them, which KFP's servers pass on unchanged; in the file, take it out of the items, and pass the value of the run to the tasks as an input", text)
				}
			}
			if t.When != nil && n.group != nil {
				b.linkCond(n, t.When)
			}
			if n.class == nil {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(t.Args)) {
				p := n.class.ins[name]
				if p == nil {
					b.taskErrorf(t, "component %s has no input %q", n.class.Name, name)
					continue
				}
				r := b.ref(s, t.Args[name], t)
				if r == nil || p.typ == nil {
					continue
				}
				if r.kind == refConst {
					p.typ.root().samples = append(p.typ.root().samples, r.lit)
				} else if r.kind == refValues {
					p.typ.root().samples = append(p.typ.root().samples, r.sample)
				} else if r.typ != nil {
					b.merges = append(b.merges, merge{p.typ, r.typ})
				}
			}
		}
		if s.parent == nil {
			b.linkOutputs(s)
		}
	}
	for _, s := range b.scopes {
		for _, n := range s.nodes {
			b.linkAfter(n)
		}
	}
}

func (b *builder) linkOutputs(s *scope) {
	for i := range s.comp.Outputs {
		out := &s.comp.Outputs[i]
		r := b.result(s, out.Name)
		if p := s.class.outs[out.Name]; r != nil && p.typ != nil && r.typ != nil {
			b.merges = append(b.merges, merge{p.typ, r.typ})
		}
	}
}

// result returns an output of a pipeline.
func (b *builder) result(s *scope, name string) *ref {
	e := s.comp.DAG.Outputs[name]
	if len(e.From) != 1 {
		b.errorf(s.comp.Pos, "pipeline %s: output %s comes from %d tasks; the language takes one, or one of each branch of a condition", s.class.base, name, len(e.From))
		return nil
	}
	t := &program.Task{Name: "output " + name, Pos: s.comp.Pos}
	return b.output(s, e.From[0].Task, e.From[0].Output, t)
}

func (b *builder) linkCond(n *node, e *expr.Expr) {
	if e.Op == "name" {
		r := b.operand(n, e)
		if r != nil && r.typ != nil && scalarName(e.Type) != "" {
			b.merges = append(b.merges, merge{r.typ, &typ{ir: e.Type, usable: true}})
		}
	}
	for _, a := range e.Args {
		b.linkCond(n, a)
	}
}

// A merge is two types that are to be one.
type merge struct{ a, b *typ }

// infer finds the Go types.
func (b *builder) infer() {
	b.link()
	spread := func() {
		for _, m := range b.merges {
			m.a.spread()
			m.b.spread()
		}
		for _, t := range b.consts {
			t.spread()
		}
		for _, c := range b.order {
			for _, p := range c.ins {
				if p.typ != nil {
					p.typ.spread()
				}
			}
		}
	}
	composite := func(m merge) bool {
		return m.a.root().ir == kfptype.List || m.a.root().ir == kfptype.Struct || m.b.root().ir == kfptype.List || m.b.root().ir == kfptype.Struct
	}
	for _, first := range []bool{true, false} {
		for _, m := range b.merges {
			if composite(m) == first {
				unify(m.a, m.b)
			}
		}
		spread()
	}
}
