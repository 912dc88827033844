package kfpread

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// decode fills in a value of a type of package kfpspec from a node, and reports
// what is of the wrong kind or misspelt. What the type has no field for stays in
// the node alone.
func (l *log) decode(n *node, v reflect.Value) {
	if n == nil || n.kind == null {
		return
	}
	if v.Type() == rawType {
		v.SetBytes(n.json())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		l.decode(n, v.Elem())
	case reflect.Struct:
		l.fields(n, v)
	case reflect.Map:
		if !l.want(n, object) {
			return
		}
		v.Set(reflect.MakeMapWithSize(v.Type(), len(n.keys)))
		for i, k := range n.keys {
			e := reflect.New(v.Type().Elem()).Elem()
			if e.Kind() == reflect.Pointer {
				e.Set(reflect.New(e.Type().Elem())) // an empty one is there too
			}
			if e.Type() == rawType {
				e.SetBytes(n.items[i].json()) // null is a value among others
			}
			l.decode(n.items[i], e)
			v.SetMapIndex(reflect.ValueOf(k.text), e)
		}
	case reflect.Slice:
		if !l.want(n, list) {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
		for i, e := range n.items {
			l.decode(e, v.Index(i))
		}
	case reflect.String:
		if n.kind == number && onlyText.MatchString(n.text) {
			n.kind = text // to PyYAML, which wrote it without quotes
		}
		if l.want(n, text) {
			v.SetString(n.text)
		}
	case reflect.Bool:
		if l.want(n, boolean) {
			v.SetBool(n.text == "true")
		}
	default:
		l.number(n, v)
	}
}

// onlyText matches numbers of YAML 1.2 that YAML 1.1, as PyYAML writes it, takes for strings.
var onlyText = lazyregexp.New(`^-?[0-9]+[eE]|[eE][0-9]`)

var rawType = reflect.TypeFor[json.RawMessage]()

// want reports a node of the wrong kind.
func (l *log) want(n *node, k kind) bool {
	if n.kind != k {
		l.errorf(n, "%s, where %s belongs", n.kind, k)
	}
	return n.kind == k
}

// number sets an integer or float. As in protobuf's JSON, it may stand in quotes.
func (l *log) number(n *node, v reflect.Value) {
	if n.kind != number && (n.kind != text || !plainNumber.MatchString(n.text)) {
		l.want(n, number)
		return
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if v.Kind() == reflect.Float64 {
		if err != nil {
			l.errorf(n, "%s is too large for a number", n.text)
		}
		v.SetFloat(f)
		return
	}
	i, ok := integer(n.text)
	if !ok || v.OverflowInt(i) {
		l.errorf(n, "%s is not a whole number of %d bits", n.text, v.Type().Bits())
		return
	}
	v.SetInt(i)
}

// integer returns the value of a number that is whole, such as 3.0.
func integer(s string) (int64, bool) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	i, acc := big.NewFloat(f).Int64()
	return i, acc == big.Exact
}

// fields fills in a struct.
func (l *log) fields(n *node, v reflect.Value) {
	if !l.want(n, object) {
		return
	}
	known := names(v.Type())
	for i, k := range n.keys {
		if f, ok := known[k.text]; ok {
			l.decode(n.items[i], v.Field(f))
			continue
		}
		if name := near.Name(k.text, sorted(known)); name != "" && n.get(name) == nil {
			l.errorf(k, "there is no field %q; did you mean %q?", k.text, name)
			continue
		}
		if l.unread == nil {
			l.unread = map[*node]string{}
		}
		l.unread[k] = v.Type().Name() + "." + k.text
	}
}

// names returns the fields of a struct by their names in JSON.
func names(t reflect.Type) map[string]int {
	m := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		m[name] = i
	}
	return m
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
