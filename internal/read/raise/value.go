package raise

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

type refKind int

const (
	refConst    refKind = iota // lit
	refInput                   // name, of the pipeline of scope
	refOutput                  // name, of node
	refItem                    // of the loop scope
	refStatus                  // of the guarded group scope
	refStatusOf                // of node
	refFormat                  // text, of
	refValues                  // lit, with marks for of; sample
	refRun                     // name, of what the run knows
	refMember                  // name, of of[0]
	refGiven                   // what leaves scope: give
	refView                    // of[0] as a struct
)

// A ref is a value as the author wrote it.
type ref struct {
	kind   refKind
	typ    *typ   // of a parameter
	art    string // Go type of an artifact
	lit    json.RawMessage
	name   string
	node   *node
	scope  *scope
	of     []*ref
	text   []string
	sample json.RawMessage // of the form of a refValues
	give   *give
}

// ref returns a value of a scope. Nil: a mistake that was recorded.
func (b *builder) ref(s *scope, v program.Value, t *program.Task) *ref {
	if v.Selector != "" {
		b.taskErrorf(t, "the expression %s: the language has fields of structs only", v.Selector)
		return nil
	}
	var r *ref
	switch v.Kind {
	case program.Const:
		return &ref{kind: refConst, lit: v.Const, typ: b.declared(v.Type)}
	case program.Input:
		r = b.input(s, v.Name, t)
	case program.Output:
		r = b.output(s, v.Task, v.Name, t)
	case program.Status:
		n := s.byName[v.Task]
		if n != nil && n.group == nil {
			n.used = true
			r = &ref{kind: refStatusOf, node: n, typ: &typ{ir: kfptype.FinalStatus, usable: true}}
			break
		}
		if n == nil || n.group == nil || n.group.kind != program.Guarded {
			b.taskErrorf(t, "the final status of task %s, which is not a group with an exit handler", v.Task)
			return nil
		}
		if self := s.byName[t.Name]; self == nil || self.exitOf != n.group {
			b.taskErrorf(t, "the final status of %s outside of its exit handler", v.Task)
			return nil
		}
		n.group.usesStatus = true
		r = &ref{kind: refStatus, scope: n.group, typ: &typ{ir: kfptype.FinalStatus, usable: true}}
	case program.Run:
		if runFuncs[v.Name] == "" {
			b.taskErrorf(t, "the placeholder %s"+unknown, v.Name)
			return nil
		}
		r = &ref{kind: refRun, name: v.Name, typ: &typ{ir: kfptype.String, usable: true}}
	case program.Format:
		if v.JSON() {
			return b.values(s, v, t)
		}
		r = &ref{kind: refFormat, text: v.Text, typ: &typ{ir: kfptype.String, usable: true}}
		for _, of := range v.Of {
			o := b.ref(s, of, t)
			if o == nil {
				return nil
			}
			r.of = append(r.of, o)
		}
	default:
		b.taskErrorf(t, "a value of the kind %q", v.Kind)
	}
	if r != nil && len(v.Field) > 0 {
		r = b.loose(r)
	}
	for i, f := range v.Field {
		if r == nil || r.typ == nil {
			break
		}
		if root := r.typ.root(); root.ir == "" {
			root.ir = kfptype.Struct
		}
		m := &ref{kind: refMember, of: []*ref{r}, name: f, typ: r.typ.field(f)}
		if root := m.typ.root(); i == len(v.Field)-1 && root.ir == "" && v.Type.Name != "" {
			root.ir = v.Type.Name
		}
		r = m
	}
	return r
}

// loose returns the item of a loop as a struct, where KFP's SDK takes the items of
// a plain list for strings and yet has fields of them.
func (b *builder) loose(r *ref) *ref {
	if r.kind != refItem || r.typ == nil {
		return r
	}
	s := r.scope
	p := s.comp.Input(s.task.Each.Item)
	if p == nil || p.Type.Name != kfptype.String {
		return r
	}
	if s.view == nil {
		item := r.typ.root()
		item.open = true
		s.view = &typ{ir: kfptype.Struct, hint: refName(r.of[0]), usable: true}
	}
	return &ref{kind: refView, of: []*ref{r}, typ: s.view}
}

// input follows an input of a scope to where its value comes from.
func (b *builder) input(s *scope, name string, t *program.Task) *ref {
	p := s.comp.Input(name)
	if s.parent == nil {
		if p == nil {
			b.taskErrorf(t, "%s has no input %q", s.comp.Name, name)
			return nil
		}
		r := &ref{kind: refInput, scope: s, name: name}
		if p.Type.Artifact {
			r.art = b.artifact(p.Type)
		} else {
			r.typ = s.class.ins[name].typ
		}
		return r
	}
	if e := s.task.Each; e != nil {
		if name == e.Item {
			s.usesItem = true
			return b.loopItem(s)
		}
		if name == e.List {
			return b.ref(s.parent, e.Items, s.task)
		}
	}
	v, ok := s.task.Args[name]
	if !ok {
		b.taskErrorf(t, "the input %s of %s, which isn't given", name, s.task.Name)
		return nil
	}
	return b.ref(s.parent, v, s.task)
}

// loopItem returns the item of a loop.
func (b *builder) loopItem(s *scope) *ref {
	if s.loopVar != nil {
		return s.loopVar
	}
	e := s.task.Each
	list := b.ref(s.parent, e.Items, s.task)
	if list == nil {
		return nil
	}
	r := &ref{kind: refItem, scope: s, of: []*ref{list}}
	s.loopVar = r
	if e.Artifact {
		if list.art == "" {
			b.taskErrorf(s.task, "a loop over artifacts whose list is a parameter")
			return nil
		}
		r.art = elemArtifact(list.art)
		return r
	}
	if list.typ == nil {
		b.taskErrorf(s.task, "a loop over parameters whose list is an artifact")
		return nil
	}
	if list.kind == refConst {
		list.typ.samples = append(list.typ.samples, list.lit)
		b.consts = append(b.consts, list.typ)
	}
	if list.kind == refValues {
		list.typ.samples = append(list.typ.samples, list.sample)
	}
	if root := list.typ.root(); root.ir == "" {
		root.ir = kfptype.List
	}
	r.typ = list.typ.list()
	r.typ.root().usable = true
	if p := s.comp.Input(e.Item); p != nil {
		it := b.declared(p.Type)
		if root := list.typ.root(); root.hint != "" && it.hint == "" {
			it.hint = root.hint
		}
		b.merges = append(b.merges, merge{r.typ, it})
	}
	return r
}

// output returns an output of a task. An output of a task in a group leaves the group.
func (b *builder) output(s *scope, task, name string, t *program.Task) *ref {
	n := s.byName[task]
	if n == nil {
		b.taskErrorf(t, "it reads the task %q, which isn't in its DAG", task)
		return nil
	}
	if n.group == nil {
		n.used = true
		p := n.class.outs[name]
		if p == nil {
			b.taskErrorf(t, "task %s has no output %q", task, name)
			return nil
		}
		r := &ref{kind: refOutput, node: n, name: name, typ: p.typ}
		if p.typ == nil {
			r.art = b.artifact(p.Type)
		}
		return r
	}
	g := n.group
	gv := g.gives[name]
	if gv == nil {
		if gv = b.leave(g, name, t); gv == nil {
			return nil
		}
		g.gives[name] = gv
		g.given = append(g.given, gv)
	}
	return &ref{kind: refGiven, scope: g, give: gv, typ: gv.typ, art: gv.art}
}

// leave makes a give of an output of a group.
func (b *builder) leave(g *scope, name string, t *program.Task) *give {
	e, ok := g.comp.DAG.Outputs[name]
	if !ok || len(e.From) == 0 {
		b.taskErrorf(t, "%s has no output %q", g.task.Name, name)
		return nil
	}
	gv := &give{}
	if g.kind != program.Branches {
		if len(e.From) > 1 {
			b.taskErrorf(g.task, "the output %s comes from %d tasks of a group that isn't branches", name, len(e.From))
			return nil
		}
		inner := b.output(g, e.From[0].Task, e.From[0].Output, t)
		if inner == nil {
			return nil
		}
		if g.kind == program.Loop && inner.kind == refGiven && inner.scope.kind == program.Guarded {
			b.taskErrorf(g.task, "it collects outputs of %s, which an exit handler guards; the language can't express that", inner.scope.task.Name)
			return nil
		}
		gv.of, gv.typ, gv.art = []*ref{inner}, inner.typ, inner.art
		if g.kind == program.Loop {
			if inner.typ != nil {
				gv.typ = &typ{ir: kfptype.List, elem: inner.typ, usable: true}
			} else {
				gv.art = "dsl.List[" + elemArtifact(inner.art) + "]"
			}
		}
		return gv
	}
	gv.of = make([]*ref, len(g.nodes))
	for _, f := range e.From {
		i := slices.IndexFunc(g.nodes, func(n *node) bool { return n.task.Name == f.Task })
		if i < 0 || g.nodes[i].group == nil || g.nodes[i].group.kind != program.Condition {
			b.taskErrorf(g.task, "a one-of that takes from %s, which is not one of its branches", f.Task)
			return nil
		}
		arm := g.nodes[i].group
		from := arm.comp.DAG.Outputs[f.Output].From
		if len(from) != 1 {
			b.taskErrorf(arm.task, "the output %s comes from %d tasks", f.Output, len(from))
			return nil
		}
		inner := b.output(arm, from[0].Task, from[0].Output, t)
		if inner == nil {
			return nil
		}
		gv.of[i] = inner
		if gv.typ == nil && gv.art == "" {
			gv.typ, gv.art = inner.typ, inner.art
		} else if inner.typ != nil && gv.typ != nil {
			b.merges = append(b.merges, merge{gv.typ, inner.typ})
		}
	}
	for i, r := range gv.of {
		if r == nil {
			b.taskErrorf(g.task, "a one-of that takes nothing from the branch %s: in the language each branch returns a value", g.nodes[i].task.Name)
			return nil
		}
	}
	if last := g.nodes[len(g.nodes)-1]; len(g.nodes) < 2 || !b.isElse(g, last) {
		b.taskErrorf(g.task, "a one-of of branches without an else")
		return nil
	}
	return gv
}

// operand returns the value of a name in the condition of a group.
func (b *builder) operand(n *node, e *expr.Expr) *ref {
	v, ok := n.task.Args[e.Name]
	if !ok {
		b.taskErrorf(n.task, "its condition reads %s, which isn't given", e.Name)
		return nil
	}
	return b.ref(n.in, v, n.task)
}

// artifact returns the Go type of an artifact.
func (b *builder) artifact(t graph.Type) string {
	name := b.artifactKind(t.Name, t.Version)
	if t.List {
		return "dsl.List[" + name + "]"
	}
	return name
}

var systemKinds = map[string]string{
	"system.Artifact": "dsl.Any", "system.Dataset": "dsl.Dataset", "system.Model": "dsl.Model", "system.Metrics": "dsl.Metrics",
	"system.ClassificationMetrics": "dsl.ClassificationMetrics", "system.SlicedClassificationMetrics": "dsl.SlicedClassificationMetrics",
	"system.HTML": "dsl.HTML", "system.Markdown": "dsl.Markdown",
}

func (b *builder) artifactKind(title, version string) string {
	if version == "" {
		version = "0.0.1"
	}
	if name, ok := systemKinds[title]; ok && version == "0.0.1" {
		return name
	}
	key := title + "@" + version
	if name, ok := b.kinds[key]; ok {
		return name
	}
	short := title
	for i := range title {
		if title[i] == '.' {
			short = title[i+1:]
		}
	}
	name := b.taken.pick(gosrc.Exported(short, "Artifact"), "Kind")
	b.kinds[key] = name
	b.decls = append(b.decls, gosrc.Doc("%s is an artifact of the kind %s.", name, title)+fmt.Sprintf(`type %s = dsl.Artifact[%sKind]

// %sKind is the schema of a %s.
type %sKind struct{}

// Schema returns the name and version of the schema.
func (%sKind) Schema() (title, version string) { return %s, %s }
`, name, name, name, name, name, name, gosrc.Quote(title), gosrc.Quote(version)))
	return name
}

func elemArtifact(list string) string {
	if len(list) > len("dsl.List[]") && list[:len("dsl.List[")] == "dsl.List[" {
		return list[len("dsl.List[") : len(list)-1]
	}
	return list
}

// unknown is said of a placeholder that KFP doesn't have, after its name.
const unknown = " is not one of KFP's, and its servers pass it on as a string; in the file, write one that they replace, such as pipeline_job_uuid for the ID of the run, or take it out"
