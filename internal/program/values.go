package program

import (
	"maps"
	"reflect"
	"slices"
)

var valueType = reflect.TypeFor[Value]()

// Values returns all values that a task reads: its arguments, what it loops over
// and its settings, with those in texts.
func (t *Task) Values() []Value {
	var all []Value
	var add func(v Value)
	add = func(v Value) {
		all = append(all, v)
		for _, of := range v.Of {
			add(of)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Args)) {
		add(t.Args[name])
	}
	if t.Each != nil {
		add(t.Each.Items)
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Type() == valueType:
			if v := v.Interface().(Value); v.Kind != "" {
				add(v)
			}
		case v.Kind() == reflect.Pointer && !v.IsNil():
			walk(v.Elem())
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case v.Kind() == reflect.Slice && (v.Type().Elem().Kind() == reflect.Struct || v.Type().Elem().Kind() == reflect.Pointer):
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(t.Settings))
	return all
}
