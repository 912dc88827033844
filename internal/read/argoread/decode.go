package argoread

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/near"
)

// maxNodes is the most values that a file may have, with those that aliases repeat.
const maxNodes = 500_000

// A decoder fills in the types of this package. What they have no field for is
// refused, so that nothing of a Workflow is lost.
type decoder struct {
	*log
	left int
}

// A raw is a value that is kept unchanged, as JSON.
type raw struct {
	At   pos
	JSON json.RawMessage
	node *yaml.Node
}

// text is a scalar with its position.
type text struct {
	At pos
	S  string
}

func (d *decoder) follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func (d *decoder) wrong(n *yaml.Node, path, want string) {
	d.errorf(pos{n.Line, n.Column}, "", "%s: %s belongs here", path, want)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// decode fills in v; path says where in the file it is.
func (d *decoder) decode(n *yaml.Node, v reflect.Value, path string) {
	n = d.follow(n)
	if d.left--; d.left <= 0 {
		if d.left == 0 {
			d.errorf(pos{n.Line, n.Column}, "", "with its aliases put in, the file has more than %d values", maxNodes)
		}
		return
	}
	if isNull(n) {
		return
	}
	at := pos{n.Line, n.Column}
	switch p := v.Addr().Interface().(type) {
	case *raw:
		j, err := json.Marshal(d.plain(n, 0))
		if err != nil {
			d.errorf(at, "", "%s: %v", path, err)
			return
		}
		*p = raw{at, j, n}
		return
	case *text:
		if n.Kind != yaml.ScalarNode {
			d.errorf(at, "a value that is not a string", "%s: a string belongs here", path)
			return
		}
		*p = text{at, n.Value}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.decode(n, v.Elem(), path)
	case reflect.String:
		if n.Kind != yaml.ScalarNode {
			d.wrong(n, path, "a string")
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		b, err := strconv.ParseBool(n.Value)
		if n.Kind != yaml.ScalarNode || err != nil {
			d.wrong(n, path, "true or false")
			return
		}
		v.SetBool(b)
	case reflect.Int64:
		i, err := strconv.ParseInt(n.Value, 10, 64)
		if n.Kind != yaml.ScalarNode || err != nil {
			d.wrong(n, path, "a whole number")
			return
		}
		v.SetInt(i)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.wrong(n, path, "a list")
			return
		}
		for _, e := range n.Content {
			elem := reflect.New(v.Type().Elem()).Elem()
			// A group of steps may be written as a single step.
			inner := d.follow(e)
			if isNull(inner) {
				d.wrong(inner, path, "null is in the list; "+element(elem))
				continue
			}
			if elem.Kind() == reflect.Slice && inner.Kind == yaml.MappingNode {
				e = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: inner.Line, Column: inner.Column, Content: []*yaml.Node{inner}}
			}
			d.decode(e, elem, path)
			v.Set(reflect.Append(v, elem))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for k, e := range d.members(n, path) {
			elem := reflect.New(v.Type().Elem()).Elem()
			d.decode(e, elem, path+"."+k.Value)
			v.SetMapIndex(reflect.ValueOf(k.Value), elem)
		}
	case reflect.Struct:
		d.object(n, v, path)
	}
}

// element names what belongs into a list.
func element(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// members goes through the keys of an object, with those that << brings in.
func (d *decoder) members(n *yaml.Node, path string) func(func(k, v *yaml.Node) bool) {
	return func(yield func(k, v *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			d.wrong(n, path, "an object")
			return
		}
		seen := map[string]bool{}
		for _, merged := range []bool{false, true} {
			for i := 0; i+1 < len(n.Content); i += 2 {
				k, v := d.follow(n.Content[i]), n.Content[i+1]
				if (k.ShortTag() == "!!merge") != merged {
					continue
				}
				if !merged {
					if seen[k.Value] {
						d.errorf(pos{k.Line, k.Column}, "", "the key %q is there twice", k.Value)
						continue
					}
					seen[k.Value] = true
					if !yield(k, v) {
						return
					}
					continue
				}
				from := d.follow(v)
				for j := 0; j+1 < len(from.Content) && from.Kind == yaml.MappingNode; j += 2 {
					if k := d.follow(from.Content[j]); !seen[k.Value] {
						seen[k.Value] = true
						if !yield(k, from.Content[j+1]) {
							return
						}
					}
				}
			}
		}
	}
}

func (d *decoder) object(n *yaml.Node, v reflect.Value, path string) {
	t := v.Type()
	fields := map[string]int{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "At" {
			v.Field(i).Set(reflect.ValueOf(pos{n.Line, n.Column}))
			continue
		}
		name := strings.ToLower(f.Name[:1]) + f.Name[1:]
		if tag := f.Tag.Get("yaml"); tag != "" {
			name = tag
		}
		fields[name] = i
	}
	for k, e := range d.members(n, path) {
		at := pos{k.Line, k.Column}
		i, known := fields[k.Value]
		switch {
		case known:
			d.decode(e, v.Field(i), strings.TrimPrefix(path+"."+k.Value, "."))
		case isNull(d.follow(e)) || empty(d.follow(e)):
		default:
			if name := near.Name(k.Value, slices.Collect(maps.Keys(fields))); name != "" {
				d.errorf(at, "", "%s has no field %s; did you mean %s?", path, k.Value, name)
				continue
			}
			d.refuse(at, strings.TrimPrefix(path+"."+k.Value, "."), "a program has no word for it")
		}
	}
}

// empty reports whether a value says nothing.
func empty(n *yaml.Node) bool {
	return len(n.Content) == 0 && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode)
}

// plain returns a value as encoding/json takes it, with the digits of numbers.
func (d *decoder) plain(n *yaml.Node, depth int) any {
	n = d.follow(n)
	if d.left--; d.left <= 0 || depth > 100 {
		if d.left >= 0 { // once
			d.errorf(pos{n.Line, n.Column}, "", "nested more than 100 deep, or, with its aliases put in, more than %d values", maxNodes)
			d.left = 0
		}
		return nil
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, e := range n.Content {
			list = append(list, d.plain(e, depth+1))
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		for k, e := range d.members(n, "") {
			m[k.Value] = d.plain(e, depth+1)
		}
		return m
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value)
		}
		var f float64
		if n.Decode(&f) == nil && f == f && f < 1e300 && f > -1e300 {
			return f
		}
	}
	return n.Value
}
