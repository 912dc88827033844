package program

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// An Option sets one thing about a task. Its names are in the tags of a field of
// Settings, or of a struct in it, and nowhere else:
//
//	option  its name in a graph
//	row     its row in the table of features, if it has another name
//	dsl     the functions that set it
//	python  the functions of KFP's SDK that set it
//	file    the field of a file, if it isn't named as in the JSON of a program
//	diff    its name in differences, if it isn't the field's name in words
//
// What comes after a bar is an option that sets the field JSON of an element. The
// fields of an element, in their order, are the operands of its option. They have:
//
//	row    the row of an element that sets the field
//	ref    the row of a reference in the field, beside that of the option; without it
//	       the row is the option's, with .reference after it
//	dsl    the function that sets the field, which is the last operand
//	fixed  the only value that the option sets
type Option struct {
	Name  string   // secret-env
	Row   string   // secret-env
	Go    []string // k8s.SecretEnv
	KFP   []string // kubernetes.use_secret_as_env
	File  string   // secretAsEnv
	JSON  bool     // the value is JSON as a whole
	Ref   string   // the row of a reference, if it has one beside its own
	index []int
}

// Options returns all options, in the order of the fields.
func Options() []*Option { return options().all }

// OptionOf returns the option with a name, or nil.
func OptionOf(name string) *Option { return options().byName[name] }

type optionTable struct {
	all    []*Option
	byName map[string]*Option
	fields [][]*Option // one or two for each field
}

var options = sync.OnceValue(func() *optionTable {
	t := &optionTable{byName: map[string]*Option{}}
	t.add(reflect.TypeFor[Settings](), nil)
	return t
})

func (t *optionTable) add(s reflect.Type, index []int) {
	for i := range s.NumField() {
		f, at := s.Field(i), append(slices.Clone(index), i)
		names, ok := f.Tag.Lookup("option")
		switch {
		case f.Anonymous:
			t.add(f.Type, at)
		case !ok && f.Type.Kind() == reflect.Pointer:
			t.add(f.Type.Elem(), at) // its fields are options
		case ok:
			own := []*Option{}
			for j, name := range strings.Split(names, "|") {
				field, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				o := &Option{Name: name, Row: tagged(f, "row", j, name), Go: words(tagged(f, "dsl", j, "")), KFP: words(tagged(f, "python", j, "")),
					File: tagged(f, "file", j, field), JSON: strings.HasSuffix(name, "-json"), Ref: f.Tag.Get("ref"), index: at}
				own, t.all, t.byName[name] = append(own, o), append(t.all, o), o
			}
			t.fields = append(t.fields, own)
		}
	}
}

// tagged returns the part of a tag that is about the n-th option of a field.
func tagged(f reflect.StructField, key string, n int, otherwise string) string {
	if parts := strings.Split(f.Tag.Get(key), "|"); n < len(parts) && parts[n] != "" {
		return parts[n]
	}
	return otherwise
}

func words(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// In returns the field that an option sets, to be set.
func (o *Option) In(s *Settings) reflect.Value {
	v := reflect.ValueOf(s).Elem()
	for i, n := range o.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v
}

// All returns the values that are set, each with its option, in the order of the fields: a list is
// each of its elements, and a pointer what it points to. Where the option's value is
// JSON, it is a Value.
func (s *Settings) All() iter.Seq2[*Option, any] {
	return func(yield func(*Option, any) bool) {
		for _, own := range options().fields {
			v, err := reflect.ValueOf(s).Elem().FieldByIndexErr(own[0].index)
			switch {
			case err != nil || v.IsZero():
			case v.Kind() == reflect.Slice && v.Type() != rawType:
				for i := range v.Len() {
					o, e := own[0], v.Index(i)
					if len(own) > 1 && !e.FieldByName("JSON").IsNil() {
						o, e = own[1], e.FieldByName("JSON").Elem()
					}
					if !yield(o, e.Interface()) {
						return
					}
				}
			case !yield(own[0], reflect.Indirect(v).Interface()):
				return
			}
		}
	}
}

var rawType = reflect.TypeFor[json.RawMessage]()

// Replaces reports whether an element of the settings is set in place of an earlier
// one of its list.
type Replaces interface{ Replaces(old any) bool }

// Replaces is by the key.
func (kv KeyValue) Replaces(old any) bool { return old.(KeyValue).Key == kv.Key }

// Replaces is by the name.
func (e Env) Replaces(old any) bool { return old.(Env).Name == e.Name }

// Replaces is of JSON, of which there is one, as in Python.
func (a Affinity) Replaces(old any) bool { return a.JSON != nil && old.(Affinity).JSON != nil }
