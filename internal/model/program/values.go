package program

import (
	"maps"
	"reflect"
	"slices"
)

var valueType = reflect.TypeFor[Value]()

// Values returns all values that a task reads: its arguments, what it loops over
// and its settings, with those in strings.
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
	t.Settings.Each(func(v *Value) { add(*v) })
	return all
}

// Each calls f with each value in the settings.
func (s *Settings) Each(f func(*Value)) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Type() == valueType:
			if v := v.Addr().Interface().(*Value); v.Kind != "" {
				f(v)
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
	walk(reflect.ValueOf(s).Elem())
}

// Map returns a copy of a task that reads f(v) wherever the task reads v. The
// values in a string come before the text.
func (t *Task) Map(f func(Value) Value) *Task {
	var one func(v Value) Value
	one = func(v Value) Value {
		v.Of = slices.Clone(v.Of)
		for i := range v.Of {
			v.Of[i] = one(v.Of[i])
		}
		return f(v)
	}
	out := *t
	out.After = slices.Clone(t.After)
	out.Args = maps.Clone(t.Args)
	for _, name := range slices.Sorted(maps.Keys(out.Args)) {
		out.Args[name] = one(out.Args[name])
	}
	if t.Each != nil {
		e := *t.Each
		e.Items = one(e.Items)
		out.Each = &e
	}
	out.Settings = mapped(reflect.ValueOf(t.Settings), one).Interface().(Settings)
	return &out
}

// mapped returns a copy of a part of the settings.
func mapped(v reflect.Value, f func(Value) Value) reflect.Value {
	switch {
	case v.Type() == valueType:
		if of := v.Interface().(Value); of.Kind != "" {
			return reflect.ValueOf(f(of))
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(mapped(v.Elem(), f))
		return out
	case v.Kind() == reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			out.Field(i).Set(mapped(v.Field(i), f))
		}
		return out
	case v.Kind() == reflect.Slice && !v.IsNil():
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(mapped(v.Index(i), f))
		}
		return out
	}
	return v
}
