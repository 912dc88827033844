package lower

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// A source is where a value can be read directly: an input, an output of a task
// or a final status, in the DAG of a group. KFP's Python calls it a channel.
type source struct {
	group *group
	kind  program.ValueKind
	task  string // of an output or status
	name  string // of an input or output
	field string // a member of it, by JSON names with dots
}

// A detail is other data about a source.
type detail struct {
	full     string // what its channel is called after
	read     string // what the inputs are called after that read it, if not full
	typ      graph.Type
	optional bool // it may have no value
}

func channel(full string) string {
	if strings.HasPrefix(full, contract.Channel) {
		return full
	}
	return contract.Channel + full
}

// source returns where a value that isn't made on the spot comes from.
func (p *pipelineLowering) source(id graph.ValueID, pos graph.Pos) source {
	if src, ok := p.sources[id]; ok {
		return src
	}
	v := p.g.Value(id)
	var src source
	d := &detail{typ: p.typeOf(id)}
	switch v.Kind {
	case graph.Input:
		root := p.root(id)
		src = source{group: root, kind: program.Input, name: v.Name}
		d.full = v.Name
		if in := root.comp.Input(v.Name); in != nil {
			d.optional = in.Optional && in.Default == nil
		}
	case graph.Output:
		t := p.tasks[v.Task]
		src = source{group: p.homes[v.Task], kind: program.Output, task: t.Name, name: v.Name}
		d.full = t.Name + "-" + v.Name
	case graph.Item:
		loop := p.loops[p.climb(v.Scope, graph.For).ID]
		src = source{group: loop, kind: program.Input, name: loop.task.Each.Item}
		d.full = loop.task.Each.Item
	case graph.Status:
		if v.Task != 0 {
			t := p.tasks[v.Task]
			src = source{group: p.homes[v.Task], kind: program.Status, task: t.Name}
			d.full = t.Name + "-status"
			break
		}
		guard := p.guards[p.climb(v.Scope, graph.Exit).ID]
		if guard == nil {
			p.errorf(pos, "the final status is known only in an exit handler")
			return source{}
		}
		src = source{group: guard.parent, kind: program.Status, task: guard.task.Name}
		d.full = guard.task.Name + "-status"
	case graph.Member:
		base := p.source(v.Of[0], pos)
		src = base
		src.field = strings.TrimPrefix(base.field+"."+v.Name, ".")
		d.full = p.details[base].full + "-subvar-" + v.Name
	case graph.OneOf:
		return p.remember(id, p.oneOf(id, pos))
	case graph.Collected:
		loop := p.loops[p.climb(p.g.Value(v.Of[0]).Scope, graph.For).ID]
		src := p.lift(p.source(v.Of[0], pos), loop.parent, pos)
		if d := p.details[src]; d != nil {
			d.read = src.task + "-" + src.name
		}
		return p.remember(id, src)
	default:
		p.errorf(pos, "%s can't be passed to a group", p.g.Describe(id))
		return source{}
	}
	p.details[src] = d
	return p.remember(id, src)
}

func (p *pipelineLowering) remember(id graph.ValueID, src source) source {
	p.sources[id] = src
	return src
}

// root returns the group of the pipeline that an input belongs to.
func (p *pipelineLowering) root(id graph.ValueID) *group {
	g := p.groups[p.g.Value(id).Scope]
	for g.parent != nil {
		g = g.parent
	}
	return g
}

// climb returns the innermost scope of a kind around a scope, or an empty one.
func (p *pipelineLowering) climb(id graph.ScopeID, kind graph.ScopeKind) *graph.Scope {
	for id != 0 {
		s := p.g.Scope(id)
		if s.Kind == kind {
			return s
		}
		id = s.Parent
	}
	return &graph.Scope{}
}

// read returns a source as a value of the DAG of group at, for a task in it.
func (p *pipelineLowering) read(src source, at *group, t *program.Task) program.Value {
	d := p.details[src]
	if d == nil { // a mistake that was reported
		return program.Value{}
	}
	src = p.released(src, at, t.Pos)
	if d = p.details[src]; d == nil {
		return program.Value{}
	}
	if at != src.group {
		if item := itemOf(src); item != src {
			return program.Value{Kind: program.Input, Name: p.thread(item, at), Type: d.typ, Field: strings.Split(src.field, ".")}
		}
		return program.Value{Kind: program.Input, Name: p.thread(src, at), Type: d.typ}
	}
	if src.kind == program.Output || src.kind == program.Status {
		after(t, src.task)
	}
	v := program.Value{Kind: src.kind, Task: src.task, Name: src.name, Type: d.typ}
	if src.field != "" {
		v.Field = strings.Split(src.field, ".")
	}
	return v
}

// released returns where outputs in groups with exit handlers are read outside
// of them.
func (p *pipelineLowering) released(src source, at *group, pos graph.Pos) source {
	for g := src.group; g != nil && g.kind == program.Guarded && !at.within(g); g = src.group {
		whole := src
		whole.field = ""
		out := p.lift(whole, g.parent, pos)
		if d := p.details[src]; src.field != "" && d != nil && p.details[out] != nil {
			out.field = src.field
			p.details[out] = d
		}
		src = out
	}
	return src
}

// within reports whether a group is another one, or in it.
func (g *group) within(outer *group) bool {
	for ; g != nil; g = g.parent {
		if g == outer {
			return true
		}
	}
	return false
}

// itemOf returns the item of a loop that a source is a member of, which KFP's
// Python passes to groups in its place; or else the source.
func itemOf(src source) source {
	if g := src.group; g != nil && g.kind == program.Loop && src.kind == program.Input && g.task.Each != nil && src.name == g.task.Each.Item {
		src.field = ""
	}
	return src
}

// thread declares an input of a group, and of those around it, for a source
// further out, and returns its name.
func (p *pipelineLowering) thread(src source, g *group) string {
	if name, ok := g.inputs[src]; ok {
		return name
	}
	d := p.details[src]
	if d == nil {
		return ""
	}
	if g.parent == nil {
		p.errorf(g.comp.Pos, "%s is used outside the group that makes it", d.full)
		return ""
	}
	name := freename.Take(g.names, channel(cmp.Or(d.read, d.full)))
	g.inputs[src] = name
	g.comp.Inputs = append(g.comp.Inputs, program.Port{Name: name, Type: d.typ, Optional: d.optional})
	g.task.Args[name] = p.read(src, g.parent, g.task)
	return name
}

// lift exports a task's output from the groups around it, up to group to, and
// returns where it is read there. A loop makes a list of it.
func (p *pipelineLowering) lift(src source, to *group, pos graph.Pos) source {
	for src.group != nil && src.group != to {
		g, d := src.group, p.details[src]
		if d == nil || g.parent == nil || src.kind != program.Output || src.field != "" {
			p.errorf(pos, "only outputs of tasks can leave a group")
			return source{}
		}
		typ := d.typ
		if g.kind == program.Loop {
			typ = listOf(typ)
		}
		key := channel(d.full)
		p.export(g, key, typ, program.From{Task: src.task, Output: src.name})
		src = source{group: g.parent, kind: program.Output, task: g.task.Name, name: key}
		p.details[src] = &detail{full: d.full, typ: typ}
	}
	return src
}

func (p *pipelineLowering) export(g *group, key string, typ graph.Type, from ...program.From) {
	if g.comp.DAG.Outputs == nil {
		g.comp.DAG.Outputs = map[string]program.Export{}
	}
	if _, ok := g.comp.DAG.Outputs[key]; !ok {
		g.comp.Outputs = append(g.comp.Outputs, program.Port{Name: key, Type: typ})
	}
	g.comp.DAG.Outputs[key] = program.Export{From: from}
}

// oneOf joins the values of branches into an output of the group around them.
func (p *pipelineLowering) oneOf(id graph.ValueID, pos graph.Pos) source {
	v := p.g.Value(id)
	var wrapper *group
	var from []program.From
	for _, of := range v.Of {
		arm := p.armOf(p.g.Value(of).Scope, v.Scope)
		if arm == nil {
			p.errorf(pos, "a branch of a one-of returns %s, which is made outside of it; make it in the branch", p.g.Describe(of))
			return source{}
		}
		wrapper = arm.parent
		src := p.lift(p.source(of, pos), wrapper, pos)
		from = append(from, program.From{Task: src.task, Output: src.name})
	}
	if wrapper == nil {
		p.errorf(pos, "a one-of of no values")
		return source{}
	}
	if wrapper.kind != program.Branches { // a plain If, which has no group around its arm
		return p.lift(p.source(v.Of[0], pos), wrapper, pos)
	}
	wrapper.oneofs++
	key := fmt.Sprintf("%s-oneof-%d", channel(wrapper.task.Name), wrapper.oneofs)
	p.export(wrapper, key, p.typeOf(id), from...)
	src := source{group: wrapper.parent, kind: program.Output, task: wrapper.task.Name, name: key}
	p.details[src] = &detail{full: wrapper.task.Name + "-" + key, typ: p.typeOf(id)}
	return src
}

// armOf returns the group of the arm around a scope whose branches are in scope outer.
func (p *pipelineLowering) armOf(id, outer graph.ScopeID) *group {
	for id != 0 {
		s := p.g.Scope(id)
		if g := p.arms[id]; g != nil && s.Parent != 0 && p.g.Scope(s.Parent).Parent == outer {
			return g
		}
		id = s.Parent
	}
	return nil
}

// result sets an output of the pipeline.
func (p *pipelineLowering) result(root *group, name string, id graph.ValueID) {
	src := p.lift(p.source(id, root.comp.Pos), root, root.comp.Pos)
	if root.comp.DAG.Outputs == nil {
		root.comp.DAG.Outputs = map[string]program.Export{}
	}
	root.comp.DAG.Outputs[name] = program.Export{From: []program.From{{Task: src.task, Output: src.name}}}
}

// after makes t wait for a sibling.
func after(t *program.Task, sibling string) {
	if i, found := slices.BinarySearch(t.After, sibling); !found {
		t.After = slices.Insert(t.After, i, sibling)
	}
}
