package dsl

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Sprintf formats a string that may hold references, which are filled in at
// run time. References take the format verbs %v and %s. Its KFP counterparts are
// f-strings and ConcatPlaceholder.
func Sprintf(format string, args ...any) Param[string] {
	if false {
		_ = fmt.Sprintf(format, args...) // so that go vet takes Sprintf for printf-like
	}
	out := &record.Value{Kind: graph.Format, Type: kfptype.String}
	wrapped := make([]any, len(args))
	for i, a := range args {
		wrapped[i] = a
		in, ok := a.(Input)
		if !ok {
			continue
		}
		v := in.ref()
		p, isParam := a.(interface{ known() (any, bool) })
		if !isParam {
			return Param[string]{src: record.Invalidf("Sprintf: argument %d is an artifact; a pipeline passes artifacts on whole", i+1)}
		}
		known, ok := p.known()
		switch {
		case v != nil && v.Kind == record.Invalid:
			return Param[string]{src: v}
		case v != nil && v.Kind == graph.Format && v.Type != kfptype.String:
			return Param[string]{src: record.Invalidf("Sprintf: argument %d is a list or struct with references in it; pass the references", i+1)}
		case ok:
			wrapped[i] = known
		case v == nil:
			return Param[string]{src: record.Invalidf("Sprintf: argument %d is not set", i+1)}
		default:
			wrapped[i] = &hole{v, out}
		}
	}
	if blank := fmt.Sprintf(format, blanks(len(args))...); strings.Contains(blank, "%!") {
		return Param[string]{src: record.Invalidf("Sprintf: the format %q doesn't fit its %d arguments", format, len(args))}
	}
	text := fmt.Sprintf(format, wrapped...)
	if len(out.Of) == 0 {
		return Const(text)
	}
	if out.Problem != "" {
		return Param[string]{src: record.Invalidf("%s", out.Problem)}
	}
	if msg, bad := record.Misused(text); bad {
		return Param[string]{src: record.Invalidf("Sprintf: %s", msg)}
	}
	if out.Text = strings.Split(text, holeByte); len(out.Text) != len(out.Of)+1 {
		return Param[string]{src: record.Invalidf("Sprintf: a string has the character NUL")}
	}
	for _, of := range out.Of {
		out.Owner = cmp.Or(out.Owner, of.Owner)
	}
	return Param[string]{src: out}
}

const holeByte = "\x00"

// A hole formats a reference as a mark that Sprintf splits the text at.
type hole struct {
	v   *record.Value
	out *record.Value
}

func (h *hole) Format(f fmt.State, verb rune) {
	if _, wide := f.Width(); wide || verb != 'v' && verb != 's' {
		h.out.Problem = "Sprintf: " + h.v.Describe() + " takes %v or %s without a width"
	}
	h.out.Of = append(h.out.Of, h.v)
	fmt.Fprint(f, holeByte)
}

// A nothing formats as nothing, whatever the format verb.
type nothing struct{}

func (nothing) Format(fmt.State, rune) {}

// blanks returns arguments of which only mistakes of the format are seen.
func blanks(n int) []any {
	args := make([]any, n)
	for i := range args {
		args[i] = nothing{}
	}
	return args
}

func (p Param[T]) known() (any, bool) {
	if p.val == nil {
		return nil, false
	}
	return *p.val, true
}

// Fields returns the fields of a struct-valued parameter, for a struct whose
// fields are themselves Params. KFP's Python has item["rate"] for it.
//
//	type Config struct {
//		Epochs dsl.Param[int]     `json:"epochs"`
//		Rate   dsl.Param[float64] `json:"rate"`
//	}
//
//	dsl.ParallelFor(s, in.Sweep, func(s *dsl.Scope, item dsl.Param[Config]) TrainOut {
//		c := dsl.Fields(item)
//		return Train.Call(s, TrainIn{Epochs: c.Epochs, Rate: c.Rate}).Out
//	})
func Fields[S any](p Param[S]) S {
	if p.val != nil {
		return *p.val
	}
	var s S
	rv := reflect.ValueOf(&s).Elem()
	if rv.Kind() != reflect.Struct {
		bind(rv, record.Invalidf("Fields of %v, which is not a struct", rv.Type()))
		misused(orInvalid(p.src, ""), "Fields of %v, which is not a struct", rv.Type())
		return s
	}
	for _, sf := range jsonFields(rv.Type()) {
		if !bind(rv.FieldByIndex(sf.Index), member(p.src, sf.name)) {
			misused(orInvalid(p.src, ""), "Fields: field %s of %v is not a dsl.Param; use dsl.Field for it", sf.Name, rv.Type())
		}
	}
	return s
}

func bind(rv reflect.Value, v *record.Value) bool {
	f, ok := rv.Addr().Interface().(field)
	if ok {
		f.bind(v)
	}
	return ok
}

// Field returns one field of a struct-valued parameter, for a plain struct. The
// function names the field in a way that the compiler checks:
//
//	dsl.Field(item, func(c *Config) *float64 { return &c.Rate })
func Field[S, T any](p Param[S], field func(*S) *T) Param[T] {
	name, why := fieldName(field)
	if why != "" {
		return Param[T]{src: record.Invalidf("%s", why)}
	}
	if p.val != nil {
		return Values(*field(p.val))
	}
	var out Param[T]
	out.bind(member(p.src, name))
	return out
}

func member(of *record.Value, name string) *record.Value {
	if of == nil {
		return record.Invalidf("field %s of a parameter that is not set", name)
	}
	if of.Kind == graph.Format {
		return record.Invalidf("field %s of a list or struct with references in it; use its fields or items", name)
	}
	return &record.Value{Kind: graph.Member, Owner: of.Owner, Scope: of.Scope, Name: name, Of: []*record.Value{of}}
}
