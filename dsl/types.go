package dsl

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// typeName returns the KFP type of t, or "" if it has none.
func typeName(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[FinalStatus]():
		return kfptype.FinalStatus
	case reflect.TypeFor[TaskConfig]():
		return kfptype.TaskConfig
	case reflect.TypeFor[time.Time]():
		return kfptype.String // RFC 3339
	}
	switch t.Kind() {
	case reflect.String:
		return kfptype.String
	case reflect.Bool:
		return kfptype.Boolean
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return kfptype.Integer
	case reflect.Float32, reflect.Float64:
		return kfptype.Double
	case reflect.Slice, reflect.Array:
		return kfptype.List
	case reflect.Map, reflect.Struct:
		return kfptype.Struct
	}
	return ""
}

// paramType describes t. Seen are the struct types around it.
func paramType(t reflect.Type, seen []reflect.Type) (graph.Type, error) {
	gt := graph.Type{Name: typeName(t), Go: t.String()}
	switch {
	case isAny(t):
		return gt, nil
	case gt.Name == "":
		return gt, fmt.Errorf("%v can't be a parameter", t)
	case t == reflect.TypeFor[time.Time]() || gt.Name == kfptype.FinalStatus || gt.Name == kfptype.TaskConfig:
		return gt, nil
	case t == reflect.TypeFor[json.Number]():
		return gt, errors.New("json.Number can't be a parameter; use int or float64")
	case gt.Name == kfptype.List && t.Elem().Kind() == reflect.Uint8:
		return gt, fmt.Errorf("%v can't be a parameter; use string, or an artifact for bytes", t)
	case encodesItself(t):
		return gt, fmt.Errorf("%v can't be a parameter: it has its own JSON form; use a plain type", t)
	case (gt.Name == kfptype.List || t.Kind() == reflect.Map) && isAny(t.Elem()): // as with KFP's list and dict
		return gt, nil
	case gt.Name == kfptype.List || t.Kind() == reflect.Map:
		elem, err := paramType(t.Elem(), seen)
		gt.Elem = &elem
		return gt, err
	case t.Kind() != reflect.Struct || slices.Contains(seen, t):
		return gt, nil
	}
	for _, sf := range jsonFields(t) {
		var ft graph.Type
		var err error
		if f, ok := reflect.New(sf.Type).Interface().(field); ok {
			ft, err = f.typ()
		} else {
			ft, err = paramType(sf.Type, append(seen, t))
		}
		if err == nil && textOption(sf.StructField) {
			err = errors.New("its json tag makes a string of it; remove the option string")
		}
		if err != nil || ft.Artifact {
			return gt, fmt.Errorf("field %s of %v: %w", sf.Name, t, cmp.Or(err, errors.New("an artifact can't be in a parameter")))
		}
		gt.Fields = append(gt.Fields, graph.TypeField{Name: sf.name, Type: ft})
	}
	return gt, nil
}

// isAny reports whether t is any, the type of values of unknown type: elements
// of lists and maps, and fields of structs.
func isAny(t reflect.Type) bool { return t.Kind() == reflect.Interface && t.NumMethod() == 0 }

func encodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// constant returns the value of a constant of type t.
func constant(v any, t reflect.Type) *record.Value {
	if _, err := paramType(t, nil); err != nil {
		return record.Invalidf("constant: %v", err)
	}
	b, err := encode(v)
	if err != nil {
		return record.Invalidf("constant: %v", err)
	}
	if msg, bad := record.Misused(string(b)); bad {
		return record.Invalidf("constant: %s", msg)
	}
	if bytes.Contains(b, []byte(`\ufffd`)) && !validText(reflect.ValueOf(v)) {
		return record.Invalidf("constant: a string is not valid UTF-8; use an artifact for bytes")
	}
	if bytes.Contains(b, []byte(`\u0000`)) && bytes.Contains(bytes.ReplaceAll(b, []byte(`\\`), nil), []byte(`\u0000`)) {
		return record.Invalidf("constant: a string has the character NUL, which arguments and environment variables of programs can't have; use an artifact for bytes")
	}
	return &record.Value{Kind: graph.Const, Type: typeName(t), Const: b}
}

// validText reports whether all strings in v are UTF-8. JSON would change others.
func validText(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !validText(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !validText(it.Key()) || !validText(it.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !validText(v.Field(i)) {
				return false
			}
		}
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || validText(v.Elem())
	}
	return true
}

// encode returns the JSON of v, with [] for a nil slice and {} for a nil map.
func encode(v any) (json.RawMessage, error) {
	switch rv := reflect.ValueOf(v); {
	case rv.Kind() == reflect.Slice && rv.IsNil():
		return json.RawMessage("[]"), nil
	case rv.Kind() == reflect.Map && rv.IsNil():
		return json.RawMessage("{}"), nil
	}
	b, err := json.Marshal(v)
	var m *json.MarshalerError
	if errors.As(err, &m) {
		err = m.Unwrap()
	}
	return b, err
}

// text returns v as it reads in a sentence: a string as it is, others as JSON.
func text(v any) string {
	b, err := encode(v)
	if err != nil {
		return record.Bad(err.Error())
	}
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}
