package argoread

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

func (f *inference) ports(c *program.Component, ports []program.Port, out bool) {
	for i := range ports {
		p := &ports[i]
		if p.Type.Artifact {
			continue
		}
		if p.Type.Name = f.cell(c, out, p.Name).typ; p.Type.Name == "" {
			p.Type.Name = kfptype.String
		}
		if p.Default != nil {
			p.Default = f.typed(p.Default, p.Type.Name, c, "input "+p.Name)
		}
		for i, text := range p.Enum {
			if p.Type.Name != kfptype.String {
				p.Enum[i] = string(f.typed(jsonText(text), p.Type.Name, c, "an allowed value of "+p.Name))
			}
		}
	}
}

// typed returns a string as a value of a type.
func (f *inference) typed(j json.RawMessage, typ string, c *program.Component, what string) json.RawMessage {
	var s string
	if json.Unmarshal(j, &s) != nil {
		return j // it has a type already
	}
	text := strings.TrimSpace(s)
	switch typ {
	case kfptype.String:
		return j
	case kfptype.Boolean:
		switch strings.ToLower(text) {
		case "true", "1", "yes":
			return json.RawMessage("true")
		case "false", "0", "no":
			return json.RawMessage("false")
		}
	case kfptype.Integer:
		if _, err := strconv.ParseInt(text, 10, 64); err == nil && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	case kfptype.Double:
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
			if json.Valid([]byte(text)) {
				return json.RawMessage(text)
			}
			return json.RawMessage(strconv.FormatFloat(n, 'g', -1, 64))
		}
	case kfptype.List, kfptype.Struct:
		open := map[string]string{kfptype.List: "[", kfptype.Struct: "{"}[typ]
		if json.Valid([]byte(text)) && strings.HasPrefix(text, open) {
			return json.RawMessage(text)
		}
	}
	f.errorf(pos{line: c.Pos.Line}, "a value of another kind", "%s of %s is %q, which is not a %s, as it is used", what, c.Name, s, typ)
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
			if port.Type.Name != kfptype.String {
				f.errorf(pos{line: t.Pos.Line}, "a value of another kind", "task %s: %s is used as a %s, and is given a %s", t.Name, name, port.Type.Name, v.Type.Name)
				continue
			}
			v = program.Value{Kind: program.Format, Type: port.Type, Text: []string{"", ""}, Of: []program.Value{v}}
		}
		t.Args[name] = v
	}
	if t.Each != nil {
		t.Each.Items = f.value(c, t.Each.Items, kfptype.List)
	}
	t.Settings.Each(func(v *program.Value) { *v = f.value(c, *v, kfptype.String) })
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
			v.Type.Name = kfptype.String
		}
	case program.Format:
		for i := range v.Of {
			v.Of[i] = f.value(c, v.Of[i], "")
		}
	case program.Input, program.Output:
		if len(v.Field) > 0 {
			if v.Type.Name = f.member(f.source(c, v), v.Field[0]); v.Type.Name == "" {
				v.Type.Name = kfptype.String
			}
			break
		}
		if v.Type.Name = f.source(c, v).typ; v.Type.Name == "" {
			v.Type.Name = kfptype.String
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
		if k.Type == kfptype.Integer && typ == kfptype.Double {
			k.Type = kfptype.Double
		}
		if k.Type != typ {
			if k.Type != kfptype.String { // a number that is compared with a string
				k.Const = jsonText(string(k.Const))
			}
			k.Type, k.Const = typ, f.typed(k.Const, typ, sub, "a value in the condition")
		}
	}
}
