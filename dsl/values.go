package dsl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// Values is [Const] for a struct, slice or map with Params in it that are
// references: the fields of a struct that are Params, and Params in []any and
// map[string]any. They are filled in at run time; a string that wasn't
// given is empty, and another value null. Its KFP counterpart is a list
// or dict with channels in it, of which KFP makes strings. Go steps, Python steps
// and resources get what the pipeline says on KFP too; for a container or a
// pipeline that is called, what isn't a string goes in with [Sprintf] there, or a
// step makes the whole.
//
//	type Job struct {
//		Machine dsl.Param[string] `json:"machine"`
//		Count   dsl.Param[string] `json:"count"`
//	}
//
//	dsl.Values(Job{Machine: pick.Out.Machine, Count: dsl.Sprintf("%v", in.Count)})
func Values[T any](v T) Param[T] {
	return Param[T]{src: composed(v, reflect.TypeFor[T]()), val: &v}
}

// Items returns a list of Params, references or not, as [Values] does.
func Items[T any](items ...Param[T]) Param[[]T] {
	list := make([]any, len(items))
	known := make([]T, 0, len(items))
	for i, p := range items {
		if list[i] = p; p.val != nil {
			known = append(known, *p.val)
		}
	}
	if _, err := paramType(reflect.TypeFor[[]T](), nil); err != nil {
		return Param[[]T]{src: record.Invalidf("Items: %v", err)}
	}
	out := Param[[]T]{src: composed(list, reflect.TypeFor[[]any]())}
	if out.src.Kind == graph.Const {
		out.val = &known
	}
	return out
}

// composed returns the value of v, of type t: a constant, or JSON with references in it.
func composed(v any, t reflect.Type) *record.Value {
	m := &marker{}
	marked := m.mark(reflect.ValueOf(v))
	if len(m.of) == 0 {
		return constant(v, t)
	}
	for _, of := range m.of {
		if of.Kind == record.Invalid {
			return of
		}
	}
	c := constant(marked.Interface(), t)
	if c.Kind == record.Invalid {
		return c
	}
	out := &record.Value{Kind: graph.Format, Type: c.Type, Text: []string{""}}
	rest := sorted(c.Const)
	for i, seen := 0, map[int]bool{}; ; i++ {
		before, after, ok := bytes.Cut(rest, []byte(holeMark))
		add(out, string(before))
		if !ok {
			return out
		}
		number, after, _ := bytes.Cut(after, []byte(`}}"`))
		var n int
		if _, err := fmt.Sscan(string(number), &n); err != nil || n >= len(m.of) || seen[n] || i >= len(m.of) {
			return record.Invalidf("Values: a string holds %s", holeMark[1:])
		}
		seen[n], rest = true, after
		fillIn(out, m.of[n])
	}
}

func jsonText(s string) json.RawMessage {
	b, _ := encode(s)
	return b
}

// sorted returns JSON with the keys of objects in order, as back ends print it.
func sorted(j json.RawMessage) json.RawMessage {
	var v any
	if jsontext.Decode(j, &v) != nil {
		return j
	}
	b, _ := jsontext.Marshal(v) // it was decoded from JSON
	return b
}

// fillIn adds a reference to JSON in the making: a string in quotes, others bare.
func fillIn(out, of *record.Value) {
	switch {
	case of.Kind == graph.Format && of.Type == kfptype.String:
		add(out, `"`)
		splice(out, of, func(s string) string {
			b := sorted(jsonText(s))
			return string(b[1 : len(b)-1])
		})
		add(out, `"`)
	case of.Kind == graph.Format:
		splice(out, of, func(s string) string { return s })
	case of.Type == kfptype.String:
		add(out, `"`)
		hold(out, of)
		add(out, `"`)
	default:
		hold(out, of)
	}
}

func splice(out, of *record.Value, text func(string) string) {
	for i, t := range of.Text {
		if add(out, text(t)); i < len(of.Of) {
			hold(out, of.Of[i])
		}
	}
}

func add(out *record.Value, text string) { out.Text[len(out.Text)-1] += text }

func hold(out, of *record.Value) {
	out.Of, out.Text = append(out.Of, of), append(out.Text, "")
	out.Owner = cmp.Or(out.Owner, of.Owner)
}

// holeMark starts the JSON that stands for a reference in encoded values.
const holeMark = `"{{kfpgo.hole `

// hole is the kind of value that a marker puts in place of a reference.
const holeKind graph.ValueKind = "hole"

// A marker copies values, with holes in place of the references in them.
type marker struct{ of []*record.Value }

// An unknown is a Param.
type unknown interface {
	field
	reference() *record.Value
	setHole(*record.Value)
}

// reference returns what a Param refers to that has no value yet.
func (p *Param[T]) reference() *record.Value {
	if p.src == nil || p.val != nil && p.src.Kind != graph.Format {
		return nil
	}
	return p.src
}

func (p *Param[T]) setHole(v *record.Value) { p.src, p.val = v, nil }

func (m *marker) mark(v reflect.Value) reflect.Value {
	if !v.IsValid() {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	if p, ok := out.Addr().Interface().(unknown); ok {
		if of := p.reference(); of != nil {
			p.setHole(&record.Value{Kind: holeKind, Text: []string{fmt.Sprintf("%s%d}}\"", holeMark, len(m.of))}})
			m.of = append(m.of, of)
		}
		return out
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(m.mark(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(m.mark(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), m.mark(it.Value()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(m.mark(v.Elem()))
		}
	}
	return out
}

// holeJSON returns what stands for a hole.
func holeJSON(v *record.Value) (json.RawMessage, bool) {
	if v == nil || v.Kind != holeKind {
		return nil, false
	}
	return json.RawMessage(strings.Join(v.Text, "")), true
}
