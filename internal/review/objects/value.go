package objects

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// A value is what an input gets: JSON, values in a string, in a list or a struct, or a hole,
// which only the run fills.
type value struct {
	typ    graph.Type
	json   json.RawMessage
	name   string // of a hole, as people read it: train.model
	format *program.Value
	env    env // of the format
}

func known(j json.RawMessage, t graph.Type) value { return value{typ: t, json: j} }
func hole(name string, t graph.Type) value        { return value{typ: t, name: name} }

// varies reports whether a hole gets two values, to find what depends on it: a string is
// found by itself.
func (v value) varies() bool {
	switch v.typ.Name {
	case kfptype.Integer, kfptype.Double, kfptype.Boolean:
		return !v.typ.Artifact
	}
	return false
}

// whole reports whether a hole is a struct: objects lack what comes from it.
func (v value) whole() bool { return v.typ.Name == kfptype.Struct && v.typ.Elem == nil }

// An env is the values of the inputs of a component. What isn't given isn't there.
type env map[string]value

// value returns the value of an argument, and whether it is given.
func (e env) value(v program.Value) (value, bool) {
	switch v.Kind {
	case program.Const:
		return known(v.Const, v.Type), string(v.Const) != "null"
	case program.Input:
		in, ok := e[v.Name]
		if !ok || !v.Partial() {
			return in, ok
		}
		if in.json != nil && v.Selector == "" {
			j, ok := member(in.json, v.Field)
			return known(j, v.Type), ok
		}
		return hole(strings.Join(append([]string{in.name}, v.Field...), "."), v.Type), true
	case program.Output:
		return hole(strings.Join(append([]string{v.Task, v.Name}, v.Field...), "."), v.Type), true
	case program.Format:
		return value{typ: v.Type, format: &v, env: e}, true
	case program.Status:
		return hole(v.Task+".status", v.Type), true
	}
	return hole("run."+strings.TrimPrefix(v.Name, "pipeline_"), v.Type), true
}

// member returns a field of a struct.
func member(j json.RawMessage, path []string) (json.RawMessage, bool) {
	for _, name := range path {
		var m map[string]json.RawMessage
		if json.Unmarshal(j, &m) != nil || m[name] == nil {
			return nil, false
		}
		j = m[name]
	}
	return j, string(j) != "null"
}

// runs reports whether the condition of a task holds, and whether that is known.
func (e env) runs(t *program.Task) (runs, sure bool) {
	if t.WhenText != "" {
		return true, false
	}
	if t.When == nil {
		return true, true
	}
	sure = true
	runs, err := t.When.Eval(func(name string) (json.RawMessage, bool) {
		v, ok := e.value(t.Args[name])
		if ok && v.json == nil {
			sure = false
		}
		return v.json, ok && v.json != nil
	})
	return runs, sure && err == nil
}

// items returns the items of the loop of a task: one that is nil if the task is not in a loop.
func (e env) items(t *program.Task) []*value {
	if t.Each == nil {
		return []*value{nil}
	}
	var typ graph.Type
	if t.Each.Items.Type.Elem != nil {
		typ = *t.Each.Items.Type.Elem
	}
	list, ok := e.value(t.Each.Items)
	var items []json.RawMessage
	if ok && list.json != nil && json.Unmarshal(list.json, &items) == nil && len(items) <= maxItems {
		all := make([]*value, len(items))
		for i, j := range items {
			v := known(j, typ)
			all[i] = &v
		}
		return all
	}
	if !ok {
		return nil
	}
	if t.Each.Artifact {
		typ = graph.Type{Name: t.Each.Items.Type.Name, Artifact: true}
	} else if typ.Name == "" {
		typ.Name = kfptype.String
	}
	name := list.name
	if name == "" {
		name = t.Name
	}
	item := hole("item of "+name, typ)
	return []*value{&item}
}

// A filling makes JSON of values, in which each hole has a value of its own.
type filling struct {
	holes []value
	vary  int // the hole that gets the other of its two values
	size  int // bytes and parts so far: strings of strings may grow without end
}

// add counts a part of a value, and reports whether there is room for it.
func (f *filling) add(part string) bool {
	f.size += len(part) + 1
	return f.size <= maxValue
}

// mark is the text that stands for a hole: a name as Kubernetes has them, so that it
// passes where one is wanted.
func mark(i int) string { return fmt.Sprintf("kfpgo-hole-%d-end", i) }

// text returns a value in a string.
func (f *filling) text(v value) string {
	if v.name != "" {
		f.holes = append(f.holes, value{name: v.name, typ: graph.Type{Name: kfptype.String}})
		return mark(len(f.holes) - 1)
	}
	if v.format != nil && !v.format.JSON() {
		return f.filled(v)
	}
	j := f.json(v)
	var text string
	if json.Unmarshal(j, &text) == nil {
		return text
	}
	return string(j)
}

// filled returns a string with values in it.
func (f *filling) filled(v value) string {
	var b strings.Builder
	for i, t := range v.format.Text {
		if !f.add(t) {
			break
		}
		b.WriteString(t)
		if i < len(v.format.Of) {
			if of, ok := v.env.value(v.format.Of[i]); ok {
				b.WriteString(f.text(of))
			}
		}
	}
	return b.String()
}

// json returns a value as JSON.
func (f *filling) json(v value) json.RawMessage {
	switch {
	case v.json != nil && f.add(string(v.json)):
		return v.json
	case v.json != nil:
		return json.RawMessage("null")
	case v.format == nil:
		f.holes = append(f.holes, v)
		return f.probe(v.typ, len(f.holes)-1)
	case !v.format.JSON():
		return jsontext.String(f.filled(v))
	}
	var b strings.Builder
	for _, p := range v.format.Pieces() {
		if !f.add(p.JSON) {
			return json.RawMessage("null")
		}
		if p.Value == nil {
			b.WriteString(p.JSON)
		} else if of, ok := v.env.value(*p.Value); ok {
			b.Write(f.json(of))
		} else {
			b.WriteString("null")
		}
	}
	return json.RawMessage(b.String())
}

// probe returns the value of a hole.
func (f *filling) probe(t graph.Type, i int) json.RawMessage {
	other := f.vary == i
	switch {
	case t.Artifact && t.List:
		return json.RawMessage(`[` + string(artifact(i)) + `]`)
	case t.Artifact:
		return artifact(i)
	case t.Name == kfptype.Integer && other:
		return json.RawMessage("3")
	case t.Name == kfptype.Integer:
		return json.RawMessage("2")
	case t.Name == kfptype.Double && other:
		return json.RawMessage("0.75")
	case t.Name == kfptype.Double:
		return json.RawMessage("0.5")
	case t.Name == kfptype.Boolean:
		return json.RawMessage(strconv.FormatBool(other))
	case t.Name == kfptype.List && t.Elem != nil && t.Elem.Name == kfptype.String:
		return json.RawMessage(`["` + mark(i) + `"]`)
	case t.Name == kfptype.List:
		return json.RawMessage(`[]`)
	case t.Name == kfptype.Struct && t.Elem != nil && t.Elem.Name == kfptype.String:
		return json.RawMessage(`{"` + mark(i) + `":"` + mark(i) + `"}`)
	case t.Name == kfptype.Struct:
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(`"` + mark(i) + `"`)
}

// artifact returns one whose place only the run knows. Components refuse a file, which
// no other pod can read.
func artifact(i int) json.RawMessage {
	return json.RawMessage(`{"uri":"` + remote + mark(i) + `"}`)
}

const remote = "s3://"
