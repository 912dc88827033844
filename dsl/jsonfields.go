package dsl

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A jsonField is a field of a struct in its JSON form. Its Index leads there through
// embedded structs.
type jsonField struct {
	reflect.StructField
	name string
}

// jsonFields returns the fields that encoding/json reads and writes, by their names there.
func jsonFields(t reflect.Type) []jsonField {
	var all []jsonField
	var walk func(t reflect.Type, index []int, seen []reflect.Type)
	walk = func(t reflect.Type, index []int, seen []reflect.Type) {
		for i := range t.NumField() {
			sf := t.Field(i)
			sf.Index = append(slices.Clone(index), i)
			name, hidden := jsonName(sf)
			switch {
			case hidden:
			case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
				if !slices.Contains(seen, sf.Type) {
					walk(sf.Type, sf.Index, append(seen, sf.Type))
				}
			case sf.IsExported():
				if name == "" {
					name = sf.Name
				}
				all = append(all, jsonField{sf, name})
			}
		}
	}
	walk(t, nil, []reflect.Type{t})
	return slices.DeleteFunc(all, func(f jsonField) bool { // of one name the outer one counts
		return slices.ContainsFunc(all, func(g jsonField) bool { return g.name == f.name && len(g.Index) < len(f.Index) })
	})
}

// jsonName returns the name in a field's json tag, if it is one that encoding/json
// takes, and whether the tag hides the field.
func jsonName(sf reflect.StructField) (name string, hidden bool) {
	tag := sf.Tag.Get("json")
	name, _, _ = strings.Cut(tag, ",")
	odd := func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	if strings.ContainsFunc(name, odd) {
		name = ""
	}
	return name, tag == "-"
}

// textOption reports whether a field's json tag makes a string of what isn't one.
func textOption(sf reflect.StructField) bool {
	_, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
	return slices.Contains(strings.Split(options, ","), "string")
}

// fieldName finds the JSON name of the field whose address fn returns, or says why
// there is none.
func fieldName[S, T any](fn func(*S) *T) (name, why string) {
	t := reflect.TypeFor[S]()
	none := fmt.Sprintf("Field: the function must return the address of a field of %v; for a field of a field, use Field twice", t)
	defer func() {
		if recover() != nil {
			name, why = "", none
		}
	}()
	s := new(S)
	want := reflect.ValueOf(fn(s)).Pointer()
	rv := reflect.ValueOf(s).Elem()
	at := func(index []int, of reflect.Type) bool {
		return of == reflect.TypeFor[T]() && rv.FieldByIndex(index).Addr().Pointer() == want
	}
	for _, f := range jsonFields(t) {
		if at(f.Index, f.Type) {
			return f.name, ""
		}
	}
	for _, sf := range reflect.VisibleFields(t) {
		if at(sf.Index, sf.Type) {
			return "", fmt.Sprintf("Field: field %s of %v is not in its JSON form, and the JSON form is passed", sf.Name, t)
		}
	}
	return "", none
}
