package lower

import (
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// task fills a task from the graph's. Exit: it belongs to an exit handler.
func (p *pipelineLowering) task(g *group, gt *graph.Task, t *program.Task, exit bool) {
	gc := p.g.Component(gt.Component)
	if t.Name != gt.Name {
		t.Title = gt.Name
	}
	p.settings(g, gt, t)
	of := p.cachingOf(gt, exit)
	t.Component = p.component(gt.Component, of)
	t.Settings.NoCache = of != cached
	if gc.Kind == graph.Pipeline {
		p.onlySteps(gt, t)
	}
	for _, name := range slices.Sorted(maps.Keys(gt.Args)) {
		if t.Args == nil {
			t.Args = map[string]program.Value{}
		}
		t.Args[name] = p.value(g, gt.Args[name], t)
	}
	p.operands(g)
	for _, id := range gt.After {
		p.after(g, t, p.tasks[id], p.homes[id])
	}
	for _, id := range gt.AfterScopes {
		p.afterScope(g, t, p.g.Scope(id))
	}
}

// value returns a value in terms of the DAG of group g, for task t in it.
func (p *pipelineLowering) value(g *group, id graph.ValueID, t *program.Task) program.Value {
	v := p.g.Value(id)
	switch v.Kind {
	case graph.Const:
		return program.Value{Kind: program.Const, Const: v.Const, Type: p.typeOf(id)}
	case graph.Run:
		if v.Name == workspacePath {
			p.needWorkspace(t.Pos, "task "+t.Name)
		}
		return program.Value{Kind: program.Run, Name: v.Name, Type: graph.Type{Name: v.Type}}
	case graph.Format:
		out := program.Value{Kind: program.Format, Text: v.Text, Type: graph.Type{Name: v.Type}}
		for _, of := range v.Of {
			out.Of = append(out.Of, p.value(g, of, t))
		}
		return out
	case graph.Member:
		out := p.value(g, v.Of[0], t)
		out.Field = append(slices.Clone(out.Field), v.Name)
		out.Type = p.typeOf(id)
		return out
	}
	return p.read(p.source(id, t.Pos), g, t)
}

// afterScope makes t wait for a scope: the group that it is, or all in it.
func (p *pipelineLowering) afterScope(g *group, t *program.Task, s *graph.Scope) {
	if exit := p.exitOf(s); exit != nil {
		guarded := p.guards[exit.ID]
		p.after(g, t, guarded.task, guarded.parent)
		return
	}
	for _, n := range s.Nodes {
		if n.Task != 0 {
			p.after(g, t, p.tasks[n.Task], p.homes[n.Task])
			continue
		}
		inner := p.g.Scope(n.Scope)
		switch {
		case p.wholes[inner.ID] != nil:
			p.after(g, t, p.wholes[inner.ID].task, p.wholes[inner.ID].parent)
		default:
			p.afterScope(g, t, inner)
		}
	}
}

// after makes t wait for another task: the two, or the groups around them, that
// are siblings.
func (p *pipelineLowering) after(g *group, t, before *program.Task, home *group) {
	first, second := before, t
	a, b := home, g
	for a != b {
		if a.depth >= b.depth {
			first, a = a.task, a.parent
		} else {
			second, b = b.task, b.parent
		}
	}
	if first == second {
		p.errorf(t.Pos, "task %s: after %s, which holds it", t.Name, first.Name)
		return
	}
	after(second, first.Name)
}

// onlySteps reports settings that a pipeline called as a task can't have: they
// belong on its own tasks.
func (p *pipelineLowering) onlySteps(gt *graph.Task, t *program.Task) {
	for _, o := range gt.Options {
		switch o.Name {
		case "name", "no-cache", "cache", "retry", "ignore-upstream-failure":
			continue
		}
		p.errorf(gt.Pos, "task %s: option %s is for single steps, and %s is a pipeline; set it on the tasks inside", t.Name, o.Name, p.g.Component(gt.Component).Name)
	}
}
