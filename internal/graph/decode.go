package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/jsontree"
)

// decode reads the JSON of a graph. There may be thousands of scopes, tasks and
// values, which are read by hand: encoding/json takes several times as long. The
// rest is left to it.
func decode(b []byte) (*Graph, error) {
	tree, err := jsontree.Parse(b)
	if err != nil {
		return nil, err
	}
	if tree.Kind != jsontree.Object {
		return nil, errors.New("it is no object")
	}
	g := &Graph{}
	rest := map[string]json.RawMessage{}
	var d decoder
	for i := range tree.Nodes {
		switch n := &tree.Nodes[i]; n.Key {
		case "scopes":
			g.Scopes = table(&d, n, d.scope)
		case "tasks":
			g.Tasks = table(&d, n, d.task)
		case "values":
			g.Values = table(&d, n, d.value)
		default:
			rest[n.Key] = json.RawMessage(n.Raw)
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	j, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	return g, json.Unmarshal(j, g)
}

// A decoder keeps the first thing that isn't of the kind it should be.
type decoder struct{ err error }

func (d *decoder) bad(n *jsontree.Node, want string) {
	if d.err == nil {
		d.err = fmt.Errorf("%q is %.40s; want %s", n.Key, n.Raw, want)
	}
}

// is reports whether a value is of a kind. Null is none, of any kind.
func (d *decoder) is(n *jsontree.Node, kind jsontree.Kind, want string) bool {
	if n.Kind != kind && n.Kind != jsontree.Null {
		d.bad(n, want)
	}
	return n.Kind == kind
}

// table reads a list of objects.
func table[T any](d *decoder, n *jsontree.Node, read func(*T, *jsontree.Node)) []*T {
	if !d.is(n, jsontree.List, "a list") {
		return nil
	}
	entries := make([]T, len(n.Nodes))
	all := make([]*T, len(n.Nodes))
	for i := range n.Nodes {
		if d.is(&n.Nodes[i], jsontree.Object, "a list of objects") {
			all[i] = &entries[i]
			read(all[i], &n.Nodes[i])
		}
	}
	return all
}

// list reads a list of anything.
func list[T any](d *decoder, n *jsontree.Node, read func(*jsontree.Node) T) []T {
	if !d.is(n, jsontree.List, "a list") {
		return nil
	}
	all := make([]T, len(n.Nodes))
	for i := range n.Nodes {
		all[i] = read(&n.Nodes[i])
	}
	return all
}

func number[T ~int](d *decoder, n *jsontree.Node) T {
	if !d.is(n, jsontree.Number, "a whole number") {
		return 0
	}
	i, err := strconv.Atoi(n.Text)
	if err != nil {
		d.bad(n, "a whole number")
	}
	return T(i)
}

func ids[T ~int](d *decoder, n *jsontree.Node) []T {
	return list(d, n, func(n *jsontree.Node) T { return number[T](d, n) })
}

func idMap(d *decoder, n *jsontree.Node) map[string]ValueID {
	if !d.is(n, jsontree.Object, "an object") {
		return nil
	}
	m := make(map[string]ValueID, len(n.Nodes))
	for i := range n.Nodes {
		m[n.Nodes[i].Key] = number[ValueID](d, &n.Nodes[i])
	}
	return m
}

func (d *decoder) text(n *jsontree.Node) string {
	if !d.is(n, jsontree.String, "a text") {
		return ""
	}
	return n.Text
}

func (d *decoder) flag(n *jsontree.Node) bool {
	return d.is(n, jsontree.Bool, "true or false") && n.Text == "true"
}

func raw(n *jsontree.Node) json.RawMessage { return json.RawMessage(n.Raw) }

func (d *decoder) pos(n *jsontree.Node) (p Pos) {
	if !d.is(n, jsontree.Object, "a position") {
		return p
	}
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "file":
			p.File = d.text(n)
		case "line":
			p.Line = number[int](d, n)
		}
	}
	return p
}

func (d *decoder) scope(s *Scope, n *jsontree.Node) {
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "id":
			s.ID = number[ScopeID](d, n)
		case "kind":
			s.Kind = d.text(n)
		case "owner":
			s.Owner = number[ComponentID](d, n)
		case "parent":
			s.Parent = number[ScopeID](d, n)
		case "pos":
			s.Pos = d.pos(n)
		case "nodes":
			s.Nodes = list(d, n, d.node)
		case "cond":
			if d.is(n, jsontree.Object, "a condition") {
				s.Cond = d.cond(n)
			}
		case "items":
			s.Items = number[ValueID](d, n)
		case "limit":
			s.Limit = number[int](d, n)
		case "title":
			s.Title = d.text(n)
		}
	}
}

func (d *decoder) node(n *jsontree.Node) (node Node) {
	if !d.is(n, jsontree.Object, "a task or scope") {
		return node
	}
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "task":
			node.Task = number[TaskID](d, n)
		case "scope":
			node.Scope = number[ScopeID](d, n)
		}
	}
	return node
}

func (d *decoder) cond(n *jsontree.Node) *Cond {
	if !d.is(n, jsontree.Object, "a condition") {
		return nil
	}
	c := &Cond{}
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "op":
			c.Op = d.text(n)
		case "values":
			c.Values = ids[ValueID](d, n)
		case "conds":
			c.Conds = list(d, n, d.cond)
		}
	}
	return c
}

func (d *decoder) task(t *Task, n *jsontree.Node) {
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "id":
			t.ID = number[TaskID](d, n)
		case "name":
			t.Name = d.text(n)
		case "component":
			t.Component = number[ComponentID](d, n)
		case "scope":
			t.Scope = number[ScopeID](d, n)
		case "pos":
			t.Pos = d.pos(n)
		case "args":
			t.Args = idMap(d, n)
		case "after":
			t.After = ids[TaskID](d, n)
		case "afterScopes":
			t.AfterScopes = ids[ScopeID](d, n)
		case "options":
			t.Options = list(d, n, d.option)
		}
	}
}

func (d *decoder) option(n *jsontree.Node) (o Option) {
	if !d.is(n, jsontree.Object, "an option") {
		return o
	}
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "name":
			o.Name = d.text(n)
		case "args":
			o.Args = list(d, n, d.operand)
		}
	}
	return o
}

func (d *decoder) operand(n *jsontree.Node) (o Operand) {
	if !d.is(n, jsontree.Object, "an operand") {
		return o
	}
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "const":
			o.Const = raw(n)
		case "value":
			o.Value = number[ValueID](d, n)
		}
	}
	return o
}

func (d *decoder) value(v *Value, n *jsontree.Node) {
	for i := range n.Nodes {
		switch n := &n.Nodes[i]; n.Key {
		case "id":
			v.ID = number[ValueID](d, n)
		case "kind":
			v.Kind = ValueKind(d.text(n))
		case "type":
			v.Type = d.text(n)
		case "list":
			v.List = d.flag(n)
		case "scope":
			v.Scope = number[ScopeID](d, n)
		case "task":
			v.Task = number[TaskID](d, n)
		case "name":
			v.Name = d.text(n)
		case "of":
			v.Of = ids[ValueID](d, n)
		case "const":
			v.Const = raw(n)
		case "text":
			v.Text = list(d, n, d.text)
		}
	}
}
