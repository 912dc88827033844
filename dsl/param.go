package dsl

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// A Param is a small value that is passed between tasks: a string, number, bool
// or [time.Time], or a slice, map or struct of them. T's JSON form is
// passed, with json tags as always in Go.
//
// While a pipeline is defined it is a reference to a value (KFP calls it a
// PipelineParameterChannel, and a PipelineParam in v1). While a component runs
// it is the value. The zero Param is "not given". Two Params can't be compared by
// Go's ==: in a pipeline [EqRef] compares their values.
type Param[T any] struct {
	_   [0]func()     // so that == of two doesn't compile: it would compare references, and [EqRef] their values
	src *record.Value // while defining: where the value comes from
	val *T            // while running, and of a constant
}

// Const returns a Param with a value that is known now.
func Const[T any](v T) Param[T] {
	return Param[T]{src: constant(v, reflect.TypeFor[T]()), val: &v}
}

// Get returns the value, or T's zero value where none was given. Only a running
// component can call it, or anyone on a constant: while a pipeline is defined
// the other values are not known yet.
func (p Param[T]) Get() T {
	v, _ := p.lookup("Get")
	return v
}

// Lookup returns the value and whether there is one, for inputs that are
// optional. In a pipeline use [Given].
func (p Param[T]) Lookup() (T, bool) { return p.lookup("Lookup") }

func (p Param[T]) lookup(method string) (v T, ok bool) {
	switch {
	case p.val != nil:
		return *p.val, true
	case p.src != nil:
		misused(p.src, "%s on %s: its value is known only at run time; use dsl.If to branch on it", method, p.src.Describe())
	}
	return v, false
}

// Set sets an output. Only a running component can call it.
func (p *Param[T]) Set(v T) {
	if p.src != nil {
		misused(p.src, "Set on %s: outputs are set by the running component", p.src.Describe())
		return
	}
	p.val = &v
}

// Path returns the placeholder for the file that a container writes an output
// parameter to. See [OutputAt] for an image that has a path of its own.
func (p Param[T]) Path() string {
	switch {
	case p.src == nil:
		return record.Bad("Path of a Param that is not set")
	case p.src.Path == "":
		misused(p.src, "Path on %s: only a container's output parameter has a path", p.src.Describe())
	}
	return p.src.Path
}

// String returns the value as text, or the placeholder for it in a container's
// arguments. In a pipeline use [Sprintf], which keeps track of references.
func (p Param[T]) String() string {
	switch {
	case p.val != nil:
		return text(*p.val)
	case p.src == nil:
		return ""
	case p.src.Path != "":
		misused(p.src, "output %s has no value in its own container; use its Path", p.src.Name)
	}
	return p.src.String()
}

// MarshalJSON lets a constant hold structs whose fields are Params.
func (p Param[T]) MarshalJSON() ([]byte, error) {
	if hole, ok := holeJSON(p.src); ok {
		return hole, nil
	}
	switch {
	case p.val != nil:
		return encode(*p.val)
	case p.src != nil:
		return nil, fmt.Errorf("%s is a reference; a constant holds only constants: use dsl.Values", p.src.Describe())
	}
	return nil, errors.New("a field has no value; set it, or tag it json:\",omitzero\"")
}

// UnmarshalJSON reads a value.
func (p *Param[T]) UnmarshalJSON(b []byte) error {
	p.val = new(T)
	return json.Unmarshal(b, p.val)
}

func misused(v *record.Value, format string, args ...any) {
	if v.Owner != nil {
		v.Owner.Errorf(source.Caller(), format, args...)
	}
}

func (p Param[T]) ref() *record.Value    { return p.src }
func (p *Param[T]) value() *record.Value { return p.src }
func (p *Param[T]) bind(v *record.Value) { p.src, v.Type = v, typeName(reflect.TypeFor[T]()) }
func (p *Param[T]) typ() (graph.Type, error) {
	return paramType(reflect.TypeFor[T](), nil)
}
func (p *Param[T]) load(b []byte) error { return p.UnmarshalJSON(b) }
func (p *Param[T]) store() (json.RawMessage, error) {
	if p.val == nil {
		return nil, nil
	}
	return encode(*p.val)
}

// An Input is any [Param], [Artifact] or [List].
type Input interface{ ref() *record.Value }

// orInvalid returns v, or a value that is reported as not set.
func orInvalid(v *record.Value, what string) *record.Value {
	if v == nil {
		return record.Invalidf("%s is not set", what)
	}
	return v
}
