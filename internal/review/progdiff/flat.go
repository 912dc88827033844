package progdiff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// A leaf is one setting: what it is in words, and its value.
type leaf struct {
	label string
	ref
}

// A flattener makes leaves of settings. It goes by reflection, so that a setting
// that package program learns of is compared without anything being done here.
type flattener struct {
	value func(program.Value) ref
	all   []leaf
	seen  map[string]int
}

func flatten(x any, value func(program.Value) ref) []leaf {
	f := &flattener{value: value, seen: map[string]int{}}
	f.walk("", reflect.ValueOf(x))
	return f.all
}

func (f *flattener) add(label string, r ref) {
	f.seen[label]++
	if n := f.seen[label]; n > 1 {
		label = fmt.Sprintf("%s, number %d", label, n)
	}
	f.all = append(f.all, leaf{label, r})
}

var (
	valueType = reflect.TypeFor[program.Value]()
	rawType   = reflect.TypeFor[json.RawMessage]()
)

func (f *flattener) walk(label string, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		was := len(f.all)
		if f.walk(label, v.Elem()); len(f.all) == was { // there, though it says nothing
			f.add(label, ref{"set", "set"})
		}
		return
	}
	switch {
	case v.Type() == valueType:
		f.add(label, f.value(v.Interface().(program.Value)))
	case v.Type() == rawType:
		if v.Len() > 0 {
			b := v.Interface().(json.RawMessage)
			f.add(label, ref{canonical(b), string(b)})
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if t := v.Type().Field(i); t.IsExported() {
				f.walk(labelled(label, t), v.Field(i))
			}
		}
	case v.Kind() == reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			f.walk(label+" "+k.String(), v.MapIndex(k))
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && v.Type().Elem() != valueType:
		for i := range v.Len() {
			f.element(label, v.Index(i))
		}
	case v.Kind() == reflect.Slice && v.Type().Elem() == valueType:
		for i := range v.Len() {
			r := f.value(v.Index(i).Interface().(program.Value))
			f.add(label+" "+r.text, ref{"set", "set"})
		}
	case v.Kind() == reflect.Slice:
		if v.Len() > 0 {
			f.add(label, ref{encode(elements(v)), encode(v.Interface())})
		}
	case v.IsZero():
	case v.Kind() == reflect.Bool:
		text := "on"
		if label == "caching" || label == "without cache" {
			label, text = "caching", "off"
		}
		f.add(label, ref{text, text})
	case v.Kind() == reflect.String:
		f.add(label, ref{v.String(), v.String()})
	default:
		text := fmt.Sprint(v.Interface())
		f.add(label, ref{text, text})
	}
}

// element adds one of several, which its name distinguishes from the others.
func (f *flattener) element(label string, v reflect.Value) {
	ident, skip := "", -1
	for _, name := range []string{"Name", "Key", "Path", "Resource", "Object", "JSON"} {
		field := v.FieldByName(name)
		if !field.IsValid() || field.IsZero() {
			continue
		}
		sf, _ := v.Type().FieldByName(name)
		switch x := field.Interface().(type) {
		case string:
			ident = x
		case program.Value:
			ident = f.value(x).text
		case *program.Value:
			ident = f.value(*x).text
		default:
			continue
		}
		skip = sf.Index[0]
		break
	}
	base := strings.TrimSpace(label + " " + ident)
	was := len(f.all)
	for i := range v.NumField() {
		if t := v.Type().Field(i); t.IsExported() && i != skip {
			inner := labelled(base, t)
			if t.Name == "Value" || t.Name == "Count" {
				inner = base
			}
			f.walk(inner, v.Field(i))
		}
	}
	if len(f.all) == was {
		f.add(base, ref{"set", "set"})
	}
}

// elements returns a list, with the JSON of those of its strings that a run expands in
// one form: KFP's SDK writes their keys in another order.
func elements(v reflect.Value) any {
	texts, ok := v.Interface().([]string)
	if !ok {
		return v.Interface()
	}
	out := slices.Clone(texts)
	for i, s := range out {
		if e := placeholder.ParseElement(s); e.If != nil || e.Concat != nil {
			out[i] = canonical([]byte(s))
		}
	}
	return out
}

func encode(v any) string {
	b, _ := jsontext.Marshal(v)
	return graph.WithoutCredentials(string(b))
}

// plain are the fields whose own name says nothing beside those in them.
var plain = map[string]bool{"Container": true, "Python": true, "Resource": true, "Importer": true, "Kubernetes": true}

func labelled(base string, f reflect.StructField) string {
	if f.Anonymous || base == "" && plain[f.Name] && f.Type.Kind() != reflect.String {
		return base
	}
	return strings.TrimSpace(base + " " + cmp.Or(f.Tag.Get("diff"), split(f.Name)))
}

// split makes words of a name: MaxBackoff is max backoff, SubPath sub path.
func split(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte(' ')
		}
		if unicode.IsUpper(r) && !(i+1 < len(runes) && unicode.IsUpper(runes[i+1])) && !(i > 0 && unicode.IsUpper(runes[i-1])) {
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

func quoted(s string) string { return strconv.Quote(graph.WithoutCredentials(s)) }
