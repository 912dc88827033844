package objects

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// merge sets what a task does from what it would do: the first of the plans is that with
// the known values, and the others have another value for one that isn't known.
func (t *Task) merge(plans []contract.Planned, holes, varied []value, image string) {
	names := readable(holes, image)
	if plans[0].Error != "" {
		t.Error = names(plans[0].Error)
		return
	}
	base, err := decode(plans[0])
	if err != nil {
		t.Error = names(err.Error())
		return
	}
	others := make([][]other, len(base)) // of each operation
	var more []Operation                 // that are done with another value
	for j, p := range plans[1:] {
		all, err := decode(p)
		if p.Error != "" || err != nil {
			continue // it has no such value
		}
		of := pairs(base, all)
		for i, k := range of {
			if k < 0 {
				base[i].Depends = append(base[i].Depends, varied[j].name)
				continue
			}
			others[i] = append(others[i], other{varied[j].name, all[k].Object})
		}
		for k, o := range all {
			if !slices.Contains(of, k) {
				o.Depends = []string{varied[j].name}
				more = append(more, o)
			}
		}
	}
	for i := range base {
		base[i].Object = merged(base[i].Object, others[i]).(map[string]any) // all of them are maps
	}
	t.Operations = append(base, more...)
	for i, o := range t.Operations {
		t.Operations[i].Object = named(o.Object, names).(map[string]any)
	}
}

func decode(p contract.Planned) (all []Operation, err error) {
	for _, op := range p.Operations {
		o := Operation{Action: op.Action}
		if err := jsontext.Decode(op.Object, &o.Object); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// pairs returns for each operation the one in others that is the same with another value:
// that in its place, if there are as many of the same kinds, and else that of its name.
func pairs(base, others []Operation) []int {
	is := func(named bool) func(a, b Operation) bool {
		return func(a, b Operation) bool {
			api, kind, name, _ := a.Name()
			api2, kind2, name2, _ := b.Name()
			return a.Action == b.Action && api == api2 && kind == kind2 && (name == name2 || !named)
		}
	}
	of := make([]int, len(base))
	inPlace := slices.EqualFunc(base, others, is(false))
	for i, o := range base {
		of[i] = i
		if !inPlace {
			of[i] = slices.IndexFunc(others, func(b Operation) bool { return is(true)(o, b) })
		}
	}
	return of
}

// An other is a value that has come out with another value for a hole.
type other struct {
	name string
	v    any
}

// absent is the value of what isn't there.
type absent struct{}

// merged returns a value with <name> for what is different in others.
func merged(base any, others []other) any {
	if len(others) == 0 {
		return base
	}
	within := func(of func(any) any) (all []other) {
		for _, o := range others {
			all = append(all, other{o.name, of(o.v)})
		}
		return all
	}
	var unlike []string
	for _, o := range others {
		if !alike(base, o.v) {
			unlike = append(unlike, o.name)
		}
	}
	if len(unlike) > 0 {
		return "<" + strings.Join(slices.Compact(unlike), ", ") + ">"
	}
	switch b := base.(type) {
	case map[string]any:
		keys := map[string]bool{}
		for _, o := range append(others, other{v: base}) {
			for key := range o.v.(map[string]any) {
				keys[key] = true
			}
		}
		at := func(key string) func(any) any {
			return func(v any) any {
				if v, ok := v.(map[string]any)[key]; ok {
					return v
				}
				return absent{}
			}
		}
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			out[key] = merged(at(key)(b), within(at(key)))
		}
		return out
	case []any:
		out := make([]any, len(b))
		for i := range b {
			out[i] = merged(b[i], within(func(v any) any { return v.([]any)[i] }))
		}
		return out
	}
	return base
}

// alike reports whether two values are equal, or differ in what is in them only.
func alike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		_, ok := b.(map[string]any)
		return ok
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b)
	}
	return reflect.DeepEqual(a, b)
}

// readable returns a function that names holes, and what a run knows, in a string.
func readable(holes []value, image string) func(string) string {
	pairs := []string{contract.ProgramImage, image}
	for i, h := range holes {
		if h.typ.Artifact {
			pairs = append(pairs, remote+mark(i), "<"+h.name+">")
		}
		pairs = append(pairs, mark(i), "<"+h.name+">")
	}
	r := strings.NewReplacer(pairs...)
	return func(s string) string {
		s = r.Replace(s)
		if !placeholder.Escapes(s) {
			return s
		}
		var b strings.Builder
		for _, p := range placeholder.Parse(s) {
			if p.Kind == placeholder.Text {
				b.WriteString(p.Text)
			} else {
				b.WriteString("<run." + strings.TrimPrefix(p.Name, "pipeline_") + ">")
			}
		}
		return b.String()
	}
}

// named returns a copy of a value in which holes have names.
func named(v any, names func(string) string) any {
	switch v := v.(type) {
	case string:
		return names(v)
	case json.Number:
		return v
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = named(e, names)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, e := range v {
			out[names(key)] = named(e, names)
		}
		return out
	}
	return v
}
