package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// Known returns a program that does the same in runs of which it is known whether the
// inputs of the pipeline are given; nil: it isn't. An input that is known to be absent isn't passed
// to tasks, conditions that ask for it are constants, and it isn't an input any more, so that
// nobody gives it a value that nothing reads. A pipeline or group that is called with some
// inputs here and others there becomes several.
func (p *Program) Known(inputs map[string]bool) *Program {
	k := &knower{p: p, made: map[string]*Component{}, of: map[string][]*Component{}, names: map[string]bool{}}
	for _, c := range p.Components {
		k.names[c.Name] = true
	}
	main := p.Component(p.Main)
	if main == nil || main.DAG == nil {
		return p
	}
	known := map[string]bool{}
	for _, in := range main.Inputs {
		if is, ok := inputs[in.Name]; in.Default != nil || !in.Optional || is {
			known[in.Name] = true
		} else if inputs != nil && !ok {
			known[in.Name] = false
		}
	}
	k.component(main, known)
	var all []*Component
	for _, c := range p.Components {
		all = append(all, k.of[c.Name]...)
	}
	return p.With(all)
}

// A knower makes components for known states of their inputs: whether they have a value.
type knower struct {
	p     *Program
	made  map[string]*Component   // by the name of the component and the known states
	of    map[string][]*Component // by the name of the component
	names map[string]bool
}

func (k *knower) component(c *Component, known map[string]bool) *Component {
	if c.DAG == nil {
		known = nil
	}
	key := c.Name
	for _, name := range slices.Sorted(maps.Keys(known)) {
		key += fmt.Sprintf(" %s=%v", name, known[name])
	}
	if made := k.made[key]; made != nil {
		return made
	}
	out := *c
	if c.DAG != nil {
		dag := *c.DAG
		dag.Tasks = make([]*Task, len(c.DAG.Tasks))
		for i, t := range c.DAG.Tasks {
			dag.Tasks[i] = k.task(c, t, known)
		}
		out.DAG = &dag
		out.Inputs = ports(k.p, &out, known)
	}
	for _, same := range k.of[c.Name] {
		if reflect.DeepEqual(out.DAG, same.DAG) && reflect.DeepEqual(out.Inputs, same.Inputs) {
			k.made[key] = same
			return same
		}
	}
	if len(k.of[c.Name]) > 0 {
		out.Name = freename.Take(k.names, c.Name)
	}
	k.names[out.Name] = true
	k.of[c.Name] = append(k.of[c.Name], &out)
	k.made[key] = &out
	return &out
}

// ports returns the inputs of a DAG. One of the program or of a group that is known to have
// no value, and that no task takes any more, is left out: a loop of KFP fails for it. An
// artifact that is known to have one isn't optional.
func ports(p *Program, c *Component, known map[string]bool) []Port {
	read := map[string]bool{}
	for _, t := range c.DAG.Tasks {
		for _, v := range t.Values() {
			read[v.Name] = read[v.Name] || v.Kind == Input
		}
	}
	var out []Port
	for _, in := range c.Inputs {
		is, sure := known[in.Name]
		if sure && !is && !read[in.Name] && (c.Name == p.Main || c.DAG.Kind != Pipeline) {
			continue
		}
		in.Optional = in.Optional && !(in.Type.Artifact && is)
		out = append(out, in)
	}
	return out
}

func (k *knower) task(in *Component, t *Task, known map[string]bool) *Task {
	sub := k.p.Component(t.Component)
	if sub == nil {
		return t
	}
	out := *t
	if slices.Contains(slices.Collect(maps.Values(known)), false) {
		out = *t.without(known)
	}
	args := map[string]bool{} // whether each has a value, where that is known
	for _, port := range sub.Inputs {
		v, ok := t.Args[port.Name]
		is, sure := false, true
		if ok {
			is, sure = k.value(in, t, v, known)
		}
		if ok && sure && !is {
			if len(out.Args) == len(t.Args) {
				out.Args = maps.Clone(out.Args) // which have no strings of what is absent any more
			}
			delete(out.Args, port.Name)
		}
		if t.Each != nil && (port.Name == t.Each.Item || port.Name == t.Each.List) {
			continue
		}
		if port.Default != nil {
			is, sure = true, true
		}
		if sure {
			args[port.Name] = is
		}
	}
	out.When = t.When.Fold(func(name string) (is, sure bool) {
		if v, ok := t.Args[name]; ok {
			return k.value(in, t, v, known)
		}
		return false, sub.Input(name) != nil && t.Each == nil
	})
	if out.When.Is(true) {
		out.When = nil
	}
	if out.When.Is(false) {
		args = nil // it isn't run
	}
	out.Component = k.component(sub, args).Name
	return &out
}

// without returns a copy of a task whose strings have nothing in place of what is absent,
// and that sets no variable of it.
func (t *Task) without(known map[string]bool) *Task {
	out := t.Map(func(v Value) Value {
		if v.Kind != Format || v.JSON() {
			return v
		}
		for i, of := range v.Of {
			if of.Kind == Input && absent(known, of) {
				v.Of[i] = Value{Kind: Const, Type: v.Type, Const: json.RawMessage(`""`)}
			}
		}
		return v
	})
	out.Settings.Env = slices.DeleteFunc(slices.Clone(out.Settings.Env), func(e Env) bool { return e.Value.Kind == Input && absent(known, e.Value) })
	return out
}

func absent(known map[string]bool, v Value) bool {
	is, sure := known[v.Name]
	return sure && !is
}

// value reports whether an argument of a task has a value, and whether that is known.
func (k *knower) value(in *Component, t *Task, v Value, known map[string]bool) (is, sure bool) {
	switch v.Kind {
	case Input:
		if is, sure = known[v.Name]; is && len(v.Field) > 0 {
			return false, false
		}
		return is, sure
	case Output:
		return true, !t.Always && len(v.Field) == 0 && !k.p.Nullable(in, v)
	case Const:
		return string(v.Const) != "null", true
	}
	return true, v.Kind != Status
}
