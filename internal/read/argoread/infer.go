package argoread

import (
	"encoding/json"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A cell is the type of a port. Every value of Argo's is a string; its type in KFP
// follows from what it is used for, so types go from where a value is read to
// where it is made.
type cell struct {
	typ     string
	elem    *cell             // of a list
	samples []json.RawMessage // constants that reach it
}

// rank orders types: of two that a value is used as, the higher one holds.
var rank = map[string]int{"": 0, kfptype.Boolean: 1, kfptype.String: 2, kfptype.Integer: 3, kfptype.Double: 4, kfptype.Struct: 5, kfptype.List: 6}

// is says what a value is used as, and reports whether that is news.
func (c *cell) is(typ string) bool {
	if rank[typ] > rank[c.typ] {
		c.typ = typ
		return true
	}
	return false
}

// item returns the type of the items of a list.
func (c *cell) item() *cell {
	if c.elem == nil {
		c.elem = &cell{}
	}
	return c.elem
}

// An edge is a value that is passed from one cell to another.
type edge struct{ from, to *cell }

// pass lets uses go back along an edge, and constants forward.
func (e edge) pass() (news bool) {
	news = e.from.is(e.to.typ)
	for _, s := range e.from.samples {
		if !slices.ContainsFunc(e.to.samples, func(have json.RawMessage) bool { return string(have) == string(s) }) {
			e.to.samples = append(e.to.samples, s)
			news = true
		}
	}
	if e.to.elem != nil || e.from.elem != nil {
		news = edge{e.from.item(), e.to.item()}.pass() || news
	}
	return news
}

type cellKey struct {
	c    *program.Component
	out  bool
	name string
}

// An inference finds the types of a program.
type inference struct {
	*reader
	cells map[cellKey]*cell
	edges []edge
}

func (f *inference) cell(c *program.Component, out bool, name string) *cell {
	k := cellKey{c, out, name}
	if f.cells[k] == nil {
		f.cells[k] = &cell{}
		port := c.Input(name)
		if out {
			port = c.Output(name)
		}
		if port != nil {
			f.cells[k].typ = port.Type.Name
		}
	}
	return f.cells[k]
}

// source returns the cell of what a value is read from. It is nil for a constant.
func (f *inference) source(c *program.Component, v program.Value) *cell {
	switch v.Kind {
	case program.Input:
		return f.cell(c, false, v.Name)
	case program.Output:
		t := c.DAG.Task(v.Task)
		sub := f.p.Component(t.Component)
		if t.Each != nil {
			return &cell{typ: kfptype.List, elem: f.cell(sub, true, v.Name)}
		}
		return f.cell(sub, true, v.Name)
	}
	return nil
}

// infer finds the types of all ports and values, and says constants in them.
func (r *reader) infer() {
	f := &inference{reader: r, cells: map[cellKey]*cell{}}
	for _, h := range r.numeric {
		f.cell(h.c, false, h.input).is(h.typ)
	}
	for _, c := range r.p.Components {
		if c.DAG == nil {
			continue
		}
		for _, t := range c.DAG.Tasks {
			sub := r.p.Component(t.Component)
			for _, name := range sortedKeys(t.Args) {
				f.argument(c, t.Args[name], f.cell(sub, false, name))
			}
			if t.Each != nil {
				f.argument(c, t.Each.Items, &cell{typ: kfptype.List, elem: f.cell(sub, false, t.Each.Item)})
			}
		}
		for _, out := range sortedKeys(c.DAG.Outputs) {
			for _, from := range c.DAG.Outputs[out].From {
				if src := f.source(c, program.Value{Kind: program.Output, Task: from.Task, Name: from.Output}); src != nil {
					to := f.cell(c, true, out)
					if c.DAG.Task(from.Task).Each != nil {
						to.is(kfptype.List)
					}
					f.edges = append(f.edges, edge{src, to})
				}
			}
		}
	}
	for _, c := range r.p.Components {
		for _, p := range c.Inputs {
			f.sample(f.cell(c, false, p.Name), p.Default)
		}
		if c.DAG == nil {
			continue
		}
		for _, t := range c.DAG.Tasks {
			for _, name := range sortedKeys(t.Args) {
				if v := t.Args[name]; v.Kind == program.Const {
					f.sample(f.cell(r.p.Component(t.Component), false, name), v.Const)
				}
			}
		}
	}
	f.settle()
	for c, t := range r.p.Tasks() {
		if t.Each != nil {
			f.items(c, t)
		}
	}
	f.settle()
	for _, c := range r.p.Components {
		f.ports(c, c.Inputs, false)
		f.ports(c, c.Outputs, true)
	}
	for c, t := range r.p.Tasks() {
		f.task(c, t)
	}
}

// settle passes known types along until none changes.
func (f *inference) settle() {
	for news := true; news; {
		news = false
		for _, e := range f.edges {
			news = e.pass() || news
		}
	}
}

// sample notes a constant, which is the JSON of a string.
func (f *inference) sample(c *cell, j json.RawMessage) {
	var text string
	if j != nil && json.Unmarshal(j, &text) == nil && json.Valid([]byte(text)) {
		c.samples = append(c.samples, json.RawMessage(text))
	}
}

// items finds the type of the items of a loop from the lists that are known.
func (f *inference) items(c *program.Component, t *program.Task) {
	lists := []json.RawMessage{t.Each.Items.Const}
	if list := f.source(c, t.Each.Items); list != nil {
		lists = list.samples
	}
	sub := f.p.Component(t.Component)
	item := f.cell(sub, false, t.Each.Item)
	typ := ""
	for _, s := range lists {
		var items []json.RawMessage
		if json.Unmarshal(s, &items) != nil {
			continue
		}
		for _, it := range items {
			item.samples = append(item.samples, it)
			if got := kfptype.OfJSON(it); got == "" || got == kfptype.List || typ != "" && got != typ {
				f.errorf(pos{line: t.Pos.Line}, "items of several kinds", "task %s: items of several kinds can't be imported: the list %s has items that aren't of one kind, as %s", t.Name, s, it)
				return
			}
			typ = kfptype.OfJSON(it)
		}
	}
	if typ != "" { // the list says more than what its items are used for
		item.typ = typ
	}
}

// member returns the type of a member of an object, from the objects that are known.
func (f *inference) member(c *cell, field string) string {
	typ := ""
	for _, s := range c.samples {
		var m map[string]json.RawMessage
		if json.Unmarshal(s, &m) != nil || m[field] == nil {
			continue
		}
		if t := kfptype.OfJSON(m[field]); typ == "" {
			typ = t
		} else if t != typ {
			return ""
		}
	}
	return typ
}

// argument says that a value is given to a port.
func (f *inference) argument(c *program.Component, v program.Value, to *cell) {
	if v.Type.Artifact {
		return
	}
	src := f.source(c, v)
	switch {
	case src == nil:
		if v.Kind == program.Format || v.Kind == program.Run {
			to.is(kfptype.String)
		}
	case len(v.Field) > 0:
		src.is(kfptype.Struct)
	default:
		f.edges = append(f.edges, edge{src, to})
	}
}
