// Package nulls finds null in decoded JSON, where a list or a map of objects has it.
//
// Decoders leave a nil pointer there, which nobody looks for who goes through the list.
package nulls

import (
	"fmt"
	"reflect"
	"strings"
)

// Check reports the first null among the objects of a list or a map, by its path in
// terms of JSON. It takes a pointer to what a decoder has filled in.
func Check(v any) error {
	if path, found := find(reflect.ValueOf(v)); found {
		return fmt.Errorf("%s is null, where an object belongs", strings.TrimPrefix(path, "."))
	}
	return nil
}

func find(v reflect.Value) (path string, found bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return find(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || plain(f.Type) {
				continue
			}
			if path, found := find(v.Field(i)); found {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "" && !f.Anonymous {
					name = f.Name
				}
				return "." + name + path, true
			}
		}
	case reflect.Slice:
		if plain(v.Type().Elem()) {
			return "", false
		}
		for i := range v.Len() {
			if path, found := element(v.Index(i)); found {
				return fmt.Sprintf("[%d]%s", i, path), true
			}
		}
	case reflect.Map:
		if plain(v.Type().Elem()) {
			return "", false
		}
		for key, e := range v.Seq2() {
			if path, found := element(e); found {
				return fmt.Sprintf("[%v]%s", key, path), true
			}
		}
	}
	return "", false
}

func element(e reflect.Value) (string, bool) {
	if e.Kind() == reflect.Pointer && e.IsNil() {
		return "", true
	}
	return find(e)
}

// plain reports whether values of a type hold no objects.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return plain(t.Elem())
	case reflect.Struct, reflect.Map:
		return false
	}
	return true
}
