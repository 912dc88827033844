package lower

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// A group is a DAG in the making: a pipeline, or a scope that becomes one.
type group struct {
	kind   program.DAGKind
	parent *group
	depth  int
	scope  *graph.Scope
	comp   *program.Component
	task   *program.Task // that runs the group, in its parent; nil for the pipeline
	nodes  []node        // in order of writing

	inputs map[source]string // the values passed in, with their names
	names  map[string]bool   // of inputs
	chans  []source          // of a condition: what it reads
	around []source          // what the conditions around its tasks read, each once; see operands
	known  bool              // around is complete, and threaded in

	itemName string // of a loop: the input that gets the item
	oneofs   int    // of branches: how many values are joined
	exit     bool   // belongs to an exit handler, at any depth
}

// A node is a task or a group in its parent's DAG.
type node struct {
	task  *graph.Task
	group *group
	exit  bool // belongs to an exit handler
}

// A pipelineLowering lowers the body of one pipeline.
type pipelineLowering struct {
	*lowering
	caching                          // of every task that doesn't say more
	ids     int                      // the counter that names groups
	taken   map[string]bool          // names of tasks
	groups  map[graph.ScopeID]*group // where the nodes of a scope are
	loops   map[graph.ScopeID]*group // by for scope
	arms    map[graph.ScopeID]*group // by if, elif and else scope
	guards  map[graph.ScopeID]*group // by exit scope: what it guards
	wholes  map[graph.ScopeID]*group // by for and branches scope: all of it
	tasks   map[graph.TaskID]*program.Task
	homes   map[graph.TaskID]*group
	sources map[graph.ValueID]source
	details map[source]*detail
}

// pipeline lowers a pipeline and returns the name of its component.
func (l *lowering) pipeline(gc *graph.Component, of caching) string {
	c := l.add(clean(gc.Name), gc.Pos)
	l.leaves[variant{gc.ID, of}] = c.Name
	l.describe(c, gc)
	p := &pipelineLowering{
		lowering: l, caching: of, taken: map[string]bool{},
		groups: map[graph.ScopeID]*group{}, loops: map[graph.ScopeID]*group{}, arms: map[graph.ScopeID]*group{}, guards: map[graph.ScopeID]*group{}, wholes: map[graph.ScopeID]*group{},
		tasks: map[graph.TaskID]*program.Task{}, homes: map[graph.TaskID]*group{},
		sources: map[graph.ValueID]source{}, details: map[source]*detail{},
	}
	root := &group{kind: program.Pipeline, comp: c, inputs: map[source]string{}, names: map[string]bool{}}
	c.DAG = &program.DAG{Kind: program.Pipeline}
	if gc.Body == 0 {
		l.errorf(gc.Pos, "pipeline %s has no body", gc.Name)
		return c.Name
	}
	root.scope = l.g.Scope(gc.Body)
	p.fill(root, root.scope)
	if len(root.nodes) == 0 {
		l.errorf(gc.Pos, "pipeline %s has no task", gc.Name)
	}
	p.emit(root)
	for name, id := range gc.Results {
		p.result(root, name, id)
	}
	return c.Name
}

// fill adds the nodes of a scope to a group, in order, and numbers the groups
// below it.
func (p *pipelineLowering) fill(in *group, s *graph.Scope) {
	p.groups[s.ID] = in
	nodes := s.Nodes
	if exit := p.exitOf(s); exit != nil {
		guarded := p.group(in, program.Guarded, fmt.Sprintf("exit-handler-%d", p.next()), s)
		p.guards[exit.ID] = guarded
		p.groups[s.ID] = guarded
		for _, n := range nodes[1:] {
			p.node(guarded, n)
		}
		p.groups[exit.ID] = in
		before := len(in.nodes)
		for _, n := range exit.Nodes {
			p.node(in, n)
		}
		for i := before; i < len(in.nodes); i++ {
			in.nodes[i].exit = true
		}
		return
	}
	for _, n := range nodes {
		p.node(in, n)
	}
}

// exitOf returns the exit handler of a scope, which is its first node.
func (p *pipelineLowering) exitOf(s *graph.Scope) *graph.Scope {
	if len(s.Nodes) > 0 && s.Nodes[0].Scope != 0 {
		if first := p.g.Scope(s.Nodes[0].Scope); first.Kind == graph.Exit {
			return first
		}
	}
	return nil
}

func (p *pipelineLowering) node(in *group, n graph.Node) {
	if n.Task != 0 {
		t := p.g.Task(n.Task)
		p.homes[t.ID] = in
		in.nodes = append(in.nodes, node{task: t})
		name := freename.Take(p.taken, taskName(t.Name))
		p.tasks[t.ID] = &program.Task{Name: name, Pos: t.Pos}
		return
	}
	s := p.g.Scope(n.Scope)
	switch s.Kind {
	case graph.Branches:
		p.branches(in, s)
	case graph.For:
		item := p.itemName(s)
		loop := p.group(in, program.Loop, fmt.Sprintf("for-loop-%d", p.next()), s)
		loop.itemName = item
		p.loops[s.ID], p.wholes[s.ID] = loop, loop
		p.fill(loop, s)
	case graph.Group, graph.Body:
		p.fill(in, s)
	case graph.Exit:
		p.errorf(s.Pos, "an exit handler that is not the first of its scope; call dsl.OnExit before the first task")
	default:
		p.errorf(s.Pos, "no such scope: %q", s.Kind)
	}
}

// branches adds an If. One with a single arm is a condition of its own; others
// get a group around the arms, which takes the number that the first arm had.
func (p *pipelineLowering) branches(in *group, s *graph.Scope) {
	first := p.next()
	if len(s.Nodes) == 1 {
		arm := p.g.Scope(s.Nodes[0].Scope)
		g := p.group(in, program.Condition, fmt.Sprintf("condition-%d", first), arm)
		p.arms[arm.ID], p.wholes[s.ID] = g, g
		p.fill(g, arm)
		return
	}
	wrapper := p.group(in, program.Branches, fmt.Sprintf("condition-branches-%d", first), s)
	p.wholes[s.ID] = wrapper
	for i, n := range s.Nodes {
		arm := p.g.Scope(n.Scope)
		g := p.group(wrapper, program.Condition, "", arm)
		p.arms[arm.ID] = g
		if i == 0 { // numbered when the second arm is reached
			p.fill(g, arm)
			p.nameGroup(g, fmt.Sprintf("condition-%d", p.next()))
			continue
		}
		p.nameGroup(g, fmt.Sprintf("condition-%d", p.next()))
		p.fill(g, arm)
	}
}

func (p *pipelineLowering) next() int { p.ids++; return p.ids }

func (p *pipelineLowering) group(parent *group, kind program.DAGKind, name string, s *graph.Scope) *group {
	g := &group{
		kind: kind, parent: parent, depth: parent.depth + 1, scope: s,
		comp: &program.Component{Pos: s.Pos, DAG: &program.DAG{Kind: kind}},
		task: &program.Task{Pos: s.Pos, Title: s.Title, Args: map[string]program.Value{}},

		inputs: map[source]string{}, names: map[string]bool{},
	}
	if name != "" {
		p.nameGroup(g, name)
	}
	parent.nodes = append(parent.nodes, node{group: g})
	return g
}

func (p *pipelineLowering) nameGroup(g *group, name string) {
	g.task.Name = freename.Take(p.taken, name)
	g.comp.Name = freename.Take(p.names, g.task.Name)
	g.task.Component = g.comp.Name
}

// itemName returns the name of a loop's item: that of the list, or a number for
// a constant one, which is taken before the loop's own.
func (p *pipelineLowering) itemName(s *graph.Scope) string {
	v := p.g.Value(s.Items)
	if v.Kind == graph.Const || v.Kind == graph.Format {
		return fmt.Sprintf(contract.Channel+"loop-item-param-%d", p.next())
	}
	return "" // known when the list is resolved
}

// emit fills the DAG of a group from its nodes.
func (p *pipelineLowering) emit(g *group) {
	for _, n := range g.nodes {
		if n.task != nil {
			t := p.tasks[n.task.ID]
			g.comp.DAG.Tasks = append(g.comp.DAG.Tasks, t)
			p.task(g, n.task, t, n.exit || g.exit)
			p.markExit(g, n, t)
			continue
		}
		sub := n.group
		sub.exit = n.exit || g.exit
		p.p.Components = append(p.p.Components, sub.comp)
		g.comp.DAG.Tasks = append(g.comp.DAG.Tasks, sub.task)
		switch sub.kind {
		case program.Loop:
			p.loop(sub)
		case program.Condition:
			p.condition(sub)
		}
		p.emit(sub)
		p.markExit(g, n, sub.task)
	}
}

// markExit makes a task of an exit handler follow what it guards.
func (p *pipelineLowering) markExit(g *group, n node, t *program.Task) {
	if !n.exit {
		return
	}
	t.Exit, t.Always = true, true
	var s *graph.Scope
	if n.task != nil {
		s = p.g.Scope(n.task.Scope)
	} else {
		s = n.group.scope
	}
	for ; s != nil && s.Kind != graph.Exit; s = p.parent(s) {
	}
	if s != nil {
		after(t, p.guards[s.ID].task.Name)
	}
}

func (p *pipelineLowering) parent(s *graph.Scope) *graph.Scope {
	if s.Parent == 0 {
		return nil
	}
	return p.g.Scope(s.Parent)
}

// loop sets what a loop is over.
func (p *pipelineLowering) loop(g *group) {
	s := g.scope
	v := p.g.Value(s.Items)
	e := &program.Each{Parallelism: s.Limit, Artifact: v.List}
	g.task.Each = e
	list := p.typeOf(s.Items)
	item := list
	switch {
	case list.Artifact:
		item.List = false
	case list.Elem != nil:
		item = *list.Elem
	default:
		item = graph.Type{Name: itemType(v.Const)}
	}
	if p.constant(s.Items) {
		e.Items = p.value(g.parent, s.Items, g.task)
		e.Items.Type = list
	} else {
		src := p.source(s.Items, s.Pos)
		e.Items = p.read(src, g.parent, g.task)
		e.List = p.thread(src, g)
		g.itemName = channel(p.details[src].full) + "-loop-item"
		if whole := p.whole(v); whole != v && whole.Kind == graph.Item && !p.constant(p.climb(whole.Scope, graph.For).Items) {
			p.thread(p.source(whole.ID, s.Pos), g) // unused, but KFP's Python passes the item around the field too
		}
	}
	e.Item = freename.Take(g.names, g.itemName)
	g.comp.Inputs = append(g.comp.Inputs, program.Port{Name: e.Item, Type: item})
}

// constant reports whether a list is written down, not read from an input or a task.
func (p *pipelineLowering) constant(items graph.ValueID) bool {
	v := p.g.Value(items)
	return v.Kind == graph.Const || v.Kind == graph.Format
}

// whole returns the value that a member is of.
func (p *pipelineLowering) whole(v *graph.Value) *graph.Value {
	for v.Kind == graph.Member {
		v = p.g.Value(v.Of[0])
	}
	return v
}

// itemType returns the KFP type of the first item of a JSON list.
func itemType(list json.RawMessage) string {
	var items []json.RawMessage
	json.Unmarshal(list, &items)
	if len(items) == 0 {
		return kfptype.String
	}
	return cmp.Or(kfptype.OfJSON(items[0]), kfptype.String)
}
