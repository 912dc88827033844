package raise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// linkAfter finds the tasks that a node waits for without reading from them.
func (b *builder) linkAfter(n *node) {
	read := map[string]bool{}
	for _, v := range n.task.Values() {
		if v.Kind == program.Output || v.Kind == program.Status {
			read[v.Task] = true
		}
	}
	for _, a := range n.task.After {
		first := n.in.byName[a]
		switch {
		case read[a]:
			continue
		case first == nil:
			b.taskErrorf(n.task, "it waits for the task %q, which isn't in its DAG", a)
			continue
		case n.exitOf != nil && first.group == n.exitOf:
			continue
		}
		waits := first.call()
		by := n.call()
		if waits == nil || by == nil {
			continue
		}
		if g := first.group; g != nil && (g.kind == program.Branches || g.kind == program.Condition) {
			b.taskErrorf(n.task, "it waits for %s, whose tasks may not run; the language waits for tasks that do", a)
			continue
		}
		if waits.class.importer() {
			b.taskErrorf(n.task, "it waits for the import %s without reading its artifact", a)
			continue
		}
		waits.used = true
		waits.away = waits.away || first != waits
		by.waits = append(by.waits, waits)
	}
}

// call returns the node itself, or the first call in its group.
func (n *node) call() *node {
	if n.group == nil {
		return n
	}
	for _, sub := range n.group.nodes {
		if c := sub.call(); c != nil {
			return c
		}
	}
	return nil
}

// A writer writes the body of one pipeline.
type writer struct {
	*builder
	strings.Builder
	locals *names
}

// inner starts a function: what it declares is not seen outside, and names what
// others declare in theirs. The result ends it.
func (w *writer) inner() (end func()) {
	outer := w.locals
	w.locals = newNames()
	w.locals.up = outer
	return func() { w.locals = outer }
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// body writes the nodes of a scope.
func (w *writer) body(s *scope) {
	if g := onlyGuarded(s); g != nil {
		w.onExit(g)
		w.body(g)
		return
	}
	if s.parent != nil && s.task.Title != "" {
		w.line("dsl.Label(s, %s)", gosrc.Quote(s.task.Title))
	}
	for _, n := range s.nodes {
		switch {
		case n.exitOf != nil: // written with what it guards
		case n.group == nil:
			w.call(n)
		default:
			w.group(n)
		}
	}
}

// onlyGuarded returns the group that holds all of a pipeline but its exit
// handler, and so needs no function of its own.
func onlyGuarded(s *scope) *scope {
	if s.parent != nil {
		return nil
	}
	var g *scope
	for _, n := range s.nodes {
		switch {
		case n.exitOf != nil:
		case g == nil && n.group != nil && n.group.kind == program.Guarded:
			g = n.group
		default:
			return nil
		}
	}
	return g
}

// onExit writes the exit handler of a guarded group.
func (w *writer) onExit(g *scope) {
	status := "_"
	if g.usesStatus {
		g.statusVar = w.locals.pick("status")
		status = g.statusVar
	}
	defer w.inner()()
	w.line("dsl.OnExit(s, func(s *dsl.Scope, %s dsl.Param[dsl.FinalStatus]) {", status)
	for _, n := range g.exits {
		if n.group == nil {
			w.call(n)
		} else {
			w.group(n)
		}
	}
	w.line("})")
}

func (w *writer) group(n *node) {
	g := n.group
	w.hoist(n)
	if g.kind == program.Guarded {
		defer w.inner()()
	}
	switch g.kind {
	case program.Loop:
		w.loop(n)
	case program.Branches:
		w.branches(g, "choice", g.nodes)
		w.line("})")
	case program.Condition:
		end := "})"
		if len(g.given) > 0 {
			end += ".Optional()" // what leaves it is there only if it ran
		}
		w.branches(g, "maybe", []*node{n})
		w.line("%s", end)
	case program.Guarded:
		w.line("dsl.Group(s, func(s *dsl.Scope) {")
		w.onExit(g)
		w.body(g)
		w.assign(g)
		w.line("})")
	}
}

// hoist declares variables that are set in a group and read outside of it, other than by a
// function's result.
func (w *writer) hoist(n *node) {
	if g := n.group; g.kind == program.Guarded {
		if onlyGuarded(n.in) != g {
			for _, gv := range g.given {
				gv.varn = w.locals.pick(gosrc.Local(refName(gv.of[0]), "value"))
				w.line("var %s %s", gv.varn, w.refType(gv.of[0]))
			}
		}
	}
	var find func(*scope)
	find = func(s *scope) {
		for _, sub := range s.nodes {
			if sub.group != nil {
				find(sub.group)
			} else if sub.away && sub.varn == "" {
				sub.varn = w.locals.pick(callName(sub.class))
				w.line("var %s *dsl.Task[%s]", sub.varn, sub.class.outType)
			}
		}
	}
	find(n.group)
}

// assign sets the variables that carry what leaves a group.
func (w *writer) assign(g *scope) {
	for _, gv := range g.given {
		if gv.varn != "" {
			w.line("%s = %s", gv.varn, w.expr(gv.of[0]))
		}
	}
}

func (w *writer) loop(n *node) {
	g, e := n.group, n.task.Each
	list := g.loopVar.of[0]
	returns := len(g.given) > 0
	fn, item := "ForEach", ""
	switch {
	case e.Artifact && returns:
		fn, item = "ParallelForArtifacts", g.loopVar.art
	case e.Artifact:
		fn, item = "ForEachArtifact", g.loopVar.art
	default:
		if returns {
			fn = "ParallelFor"
		}
		item = "dsl.Param[" + w.goType(g.loopVar.typ) + "]"
	}
	var items string
	if list.kind == refConst {
		lit, ok := w.literal(list.typ, list.lit)
		if !ok {
			w.taskErrorf(n.task, "the items %s of its loop are not a list of one type", short(list.lit))
		}
		items = "dsl.Const(" + lit + ")"
	} else {
		items = w.expr(list)
		if !e.Artifact && !strings.HasPrefix(w.goType(list.typ), "[]") { // a member of a struct, of which KFP knows no type
			items = "dsl.As[[]" + w.goType(g.loopVar.typ) + "](" + items + ")"
		}
	}
	head, typ, ret := "", "", func(int) string { return "" }
	if returns {
		typ, ret = w.results(g, "loop")
		g.result = w.locals.pick("loop")
		head = g.result + " := "
	}
	done := w.inner()
	g.itemVar = "_"
	if g.usesItem {
		name := singular(gosrc.Local(refName(list), ""))
		if name == "" || name == "output" {
			name = "item"
		}
		g.itemVar = w.locals.pick(name)
	}
	w.line("%sdsl.%s(s, %s, func(s *dsl.Scope, %s %s) %s {", head, fn, items, g.itemVar, item, typ)
	w.body(g)
	if returns {
		w.line("return %s", ret(0))
	}
	done()
	end := "})"
	if e.Parallelism > 0 {
		end = fmt.Sprintf("}, dsl.Parallelism(%d))", e.Parallelism)
	}
	w.line("%s", end)
}

// choiceName returns what the value of branches is called.
func (w *writer) choiceName(g *scope) string {
	if len(g.given) > 1 || vague(g.given[0].of[0]) {
		return "choice"
	}
	return gosrc.Local(refName(g.given[0].of[0]), "choice")
}

// branches writes an If, or a OneOf of what leaves it, but for its end.
func (w *writer) branches(g *scope, what string, arms []*node) {
	head, typ := "dsl.If", ""
	var ret func(int) string
	if len(g.given) > 0 {
		typ, ret = w.results(g, what)
		typ += " "
		g.result = w.locals.pick(w.choiceName(g))
		head = g.result + " := dsl.OneOf"
	}
	for i, arm := range arms {
		c := arm.task.When
		if g.kind == program.Branches {
			c = own(g, i)
		}
		switch {
		case i == 0:
			w.line("%s(s, %s, func(s *dsl.Scope) %s{", head, w.cond(arm, c), typ)
		case c == nil:
			w.line("}).Else(func(s *dsl.Scope) %s{", typ)
		default:
			w.line("}).Elif(%s, func(s *dsl.Scope) %s{", w.cond(arm, c), typ)
		}
		end := w.inner()
		w.body(arm.group)
		if ret != nil {
			w.line("return %s", ret(i))
		}
		end()
	}
}

// results returns the type of what the function of a scope returns, and the
// expression for arm i.
func (w *writer) results(g *scope, what string) (typ string, ret func(int) string) {
	if len(g.given) == 1 {
		gv := g.given[0]
		typ := w.refType(gv.of[0])
		return typ, func(i int) string { return w.as(typ, gv.of[i]) }
	}
	if cl := oneCall(g); cl != nil {
		for _, gv := range g.given {
			gv.field = cl.outs[gv.of[0].name].field
		}
		return cl.outType, func(i int) string { return g.given[0].of[i].node.varn + ".Out" }
	}
	name := w.taken.pick(what + "Out")
	fields := newNames()
	var decl strings.Builder
	fmt.Fprintf(&decl, "type %s struct {\n", name)
	for _, gv := range g.given {
		gv.field = fields.pick(gosrc.Exported(refName(gv.of[0]), "Value"))
		fmt.Fprintf(&decl, "%s %s\n", gv.field, w.refType(gv.of[0]))
	}
	decl.WriteString("}\n")
	w.decls = append(w.decls, decl.String())
	return name, func(i int) string {
		var parts []string
		for _, gv := range g.given {
			parts = append(parts, gv.field+": "+w.as(w.refType(gv.of[0]), gv.of[i]))
		}
		return braces(name, parts)
	}
}

// oneCall returns the class of the calls that all values come from: one call in
// each arm.
func oneCall(g *scope) *class {
	var cl *class
	for i := range g.given[0].of {
		var n *node
		for _, gv := range g.given {
			r := gv.of[i]
			if r.kind != refOutput || r.name != gv.of[0].name || n != nil && r.node != n || cl != nil && r.node.class != cl || r.node.class.ready {
				return nil
			}
			n, cl = r.node, r.node.class
		}
	}
	return cl
}

// short returns a value for a message.
func short(j []byte) string {
	if len(j) > 60 {
		return string(j[:57]) + "..."
	}
	return string(slices.Clone(j))
}
