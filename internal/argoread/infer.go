package argoread

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/expr"
	"github.com/kfpgo/kfpgo/internal/program"
)

// A cell is the type of ports that values pass between.
type cell struct {
	up   *cell
	typ  string
	elem *cell // of a list
}

func (c *cell) root() *cell {
	for c.up != nil {
		c = c.up
	}
	return c
}

// rank orders types: of two that a value is used as, the higher one holds. Every
// value of Argo's is a text, and how it is used says what kind of text.
var rank = map[string]int{"": 0, "BOOLEAN": 1, "STRING": 2, "NUMBER_INTEGER": 3, "NUMBER_DOUBLE": 4, "STRUCT": 5, "LIST": 6}

func (c *cell) is(typ string) {
	c = c.root()
	if rank[typ] > rank[c.typ] {
		c.typ = typ
	}
}

func (c *cell) join(o *cell) {
	c, o = c.root(), o.root()
	if c != o {
		o.up = c
		c.is(o.typ)
		if o.elem != nil {
			c.item().join(o.elem)
		}
	}
}

// item returns the type of the items of a list.
func (c *cell) item() *cell {
	c = c.root()
	if c.elem == nil {
		c.elem = &cell{}
	}
	return c.elem
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
			return &cell{typ: "LIST", elem: f.cell(sub, true, v.Name)}
		}
		return f.cell(sub, true, v.Name)
	}
	return nil
}

// infer finds the types of all ports and values, and says constants in them.
func (r *reader) infer() {
	f := &inference{r, map[cellKey]*cell{}}
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
				f.argument(c, t.Each.Items, &cell{typ: "LIST", elem: f.cell(sub, false, t.Each.Item)})
			}
		}
		for _, out := range sortedKeys(c.DAG.Outputs) {
			for _, from := range c.DAG.Outputs[out].From {
				if src := f.source(c, program.Value{Kind: program.Output, Task: from.Task, Name: from.Output}); src != nil {
					f.cell(c, true, out).join(src)
				}
			}
		}
	}
	for _, c := range r.p.Components {
		f.ports(c, c.Inputs, false)
		f.ports(c, c.Outputs, true)
	}
	for _, c := range r.p.Components {
		if c.DAG == nil {
			continue
		}
		for _, t := range c.DAG.Tasks {
			f.task(c, t)
		}
	}
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
			to.is("STRING")
		}
	case len(v.Field) > 0:
		src.is("STRUCT")
	default:
		to.join(src)
	}
}

func (f *inference) ports(c *program.Component, ports []program.Port, out bool) {
	for i := range ports {
		p := &ports[i]
		if p.Type.Artifact {
			continue
		}
		if p.Type.Name = f.cell(c, out, p.Name).root().typ; p.Type.Name == "" {
			p.Type.Name = "STRING"
		}
		if p.Default != nil {
			p.Default = f.typed(p.Default, p.Type.Name, c, "input "+p.Name)
		}
	}
}

// typed returns a text as a value of a type.
func (f *inference) typed(j json.RawMessage, typ string, c *program.Component, what string) json.RawMessage {
	var s string
	if json.Unmarshal(j, &s) != nil {
		return j // it has a type already
	}
	text := strings.TrimSpace(s)
	switch typ {
	case "STRING":
		return j
	case "BOOLEAN":
		switch strings.ToLower(text) {
		case "true", "1", "yes":
			return json.RawMessage("true")
		case "false", "0", "no":
			return json.RawMessage("false")
		}
	case "NUMBER_INTEGER":
		if _, err := strconv.ParseInt(text, 10, 64); err == nil && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	case "NUMBER_DOUBLE":
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
			if json.Valid([]byte(text)) {
				return json.RawMessage(text)
			}
			return json.RawMessage(strconv.FormatFloat(n, 'g', -1, 64))
		}
	case "LIST", "STRUCT":
		open := map[string]string{"LIST": "[", "STRUCT": "{"}[typ]
		if json.Valid([]byte(text)) && strings.HasPrefix(text, open) {
			return json.RawMessage(text)
		}
	}
	f.errs = append(f.errs, &Refusal{"a value of another kind", f.name, pos{line: c.Pos.Line}, what + " of " + c.Name + " is " + strconv.Quote(s) + ", which is no " + typ + ", as it is used"})
	return j
}

// task sets the types of what a task is given.
func (f *inference) task(c *program.Component, t *program.Task) {
	sub := f.p.Component(t.Component)
	for _, name := range sortedKeys(t.Args) {
		v := t.Args[name]
		port := sub.Input(name)
		if port == nil {
			continue
		}
		if v.Kind == program.Const {
			v.Const, v.Type = f.typed(v.Const, port.Type.Name, c, "the value of "+name+" for task "+t.Name+" in"), port.Type
		}
		v = f.value(c, v, port.Type.Name)
		if !v.Type.Artifact && v.Type.Name != port.Type.Name {
			if port.Type.Name != "STRING" {
				f.errs = append(f.errs, &Refusal{"a value of another kind", f.name, pos{line: t.Pos.Line}, "task " + t.Name + ": " + name + " is used as a " + port.Type.Name + ", and is given a " + v.Type.Name})
				continue
			}
			v = program.Value{Kind: program.Format, Type: port.Type, Text: []string{"", ""}, Of: []program.Value{v}}
		}
		t.Args[name] = v
	}
	if t.Each != nil {
		t.Each.Items = f.value(c, t.Each.Items, "LIST")
	}
	eachValue(&t.Settings, func(v *program.Value) { *v = f.value(c, *v, "STRING") })
	f.condition(sub, t.When)
}

// value sets the types in a value that is read in c.
func (f *inference) value(c *program.Component, v program.Value, want string) program.Value {
	if v.Type.Artifact {
		return v
	}
	switch v.Kind {
	case program.Const:
		if v.Type.Name == "" {
			v.Type.Name = "STRING"
		}
	case program.Format:
		for i := range v.Of {
			v.Of[i] = f.value(c, v.Of[i], "")
		}
	case program.Input, program.Output:
		if len(v.Field) > 0 {
			v.Type.Name = "STRING"
			break
		}
		if v.Type.Name = f.source(c, v).root().typ; v.Type.Name == "" {
			v.Type.Name = "STRING"
		}
	}
	return v
}

// condition sets the types of operands, and says constants in them.
func (f *inference) condition(sub *program.Component, e *expr.Expr) {
	if e == nil {
		return
	}
	for _, a := range e.Args {
		f.condition(sub, a)
		if a.Op == "name" {
			a.Type = sub.Input(a.Name).Type.Name
		}
	}
	if len(e.Args) == 2 && e.Args[0].Op == "name" && e.Args[1].Op == "const" {
		k := e.Args[1]
		typ := e.Args[0].Type
		if k.Type == expr.Int && typ == expr.Double {
			k.Type = expr.Double
		}
		if k.Type != typ {
			if k.Type != expr.String { // a number that is compared with a text
				k.Const = jsonText(string(k.Const))
			}
			k.Type, k.Const = typ, f.typed(k.Const, typ, sub, "a value in the condition")
		}
	}
}
