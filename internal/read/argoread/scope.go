package argoread

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// A scope is a DAG or steps that are being read.
type scope struct {
	*reader
	m     *made
	calls map[string]*call // by the name of the task
	taken map[string]bool  // names of tasks and groups
	kind  program.DAGKind  // of the DAG that the next task calls; empty: a pipeline
}

// A call is a task, with the groups that it is put into: of what it is repeated
// for, what it depends on, and what is there even if it is skipped.
type call struct {
	at    pos
	name  string // of the outermost task
	inner *made
	task  *program.Task // that calls the component
	wraps []*program.Component
	tasks []*program.Task // the outermost first; the last is task
	loop  bool
	when  bool
}

// item is the kind of value that stands for the item of the loop around a task,
// until the loop is made.
const item program.ValueKind = "item"

// value returns what a string is: a constant, a reference, or a string with references.
// With is what inputs of the template are given, where the text is in its terms.
func (s *scope) value(at pos, text string, with func(ref *ref) (program.Value, bool)) program.Value {
	ps := pieces(text)
	if len(ps) == 0 {
		return program.Value{Kind: program.Const, Const: jsonText("")}
	}
	v := program.Value{Kind: program.Format, Text: []string{""}, Type: graph.Type{Name: kfptype.String}}
	for _, p := range ps {
		if p.ref == nil {
			v.Text[len(v.Text)-1] += p.text
			continue
		}
		of, ok := s.ref(at, p.ref, with)
		if !ok {
			return program.Value{Kind: program.Const, Const: jsonText(text)}
		}
		v = join(v, of)
	}
	switch {
	case len(v.Of) == 0:
		return program.Value{Kind: program.Const, Const: jsonText(v.Text[0])}
	case len(v.Of) == 1 && v.Text[0] == "" && v.Text[1] == "":
		return v.Of[0]
	}
	return v
}

// join puts a value at the end of a string.
func join(v, of program.Value) program.Value {
	last := len(v.Text) - 1
	if text, ok := of.Constant(); ok && len(of.Field) == 0 {
		v.Text[last] += text
		return v
	}
	if of.Kind == program.Format {
		v.Text[last] += of.Text[0]
		v.Text, v.Of = append(v.Text, of.Text[1:]...), append(v.Of, of.Of...)
		return v
	}
	v.Text, v.Of = append(v.Text, ""), append(v.Of, of)
	return v
}

// ref returns what a tag in a DAG names.
func (s *scope) ref(at pos, ref *ref, with func(ref *ref) (program.Value, bool)) (program.Value, bool) {
	if with != nil && len(ref.path) > 1 && ref.path[0] == "inputs" {
		return with(ref)
	}
	key := strings.Join(ref.path, ".")
	switch {
	case ref.is("inputs", "parameters", "*"):
		if name := s.m.in[ref.path[2]]; name != "" {
			return program.Value{Kind: program.Input, Name: name}, true
		}
	case ref.is("inputs", "artifacts", "*"):
		if name := s.m.art[ref.path[2]]; name != "" {
			return program.Value{Kind: program.Input, Name: name, Type: fileType}, true
		}
	case ref.is("workflow", "parameters", "*"):
		if v, ok := s.globalValue(key); ok {
			return v, true
		}
	case runTags[key] != "":
		return program.Value{Kind: program.Run, Name: runTags[key], Type: graph.Type{Name: kfptype.String}}, true
	case ref.is("item"):
		return program.Value{Kind: item}, true
	case ref.is("item", "*"):
		return program.Value{Kind: item, Field: []string{ref.path[1]}}, true
	case len(ref.path) > 3 && (ref.path[0] == "steps" || ref.path[0] == "tasks") && ref.path[2] == "outputs":
		return s.output(at, ref)
	}
	s.unknown(at, ref)
	return program.Value{}, false
}

// globalValue returns what all templates see as a value of the DAG.
func (s *scope) globalValue(key string) (program.Value, bool) {
	g := s.globals[key]
	if g == nil {
		return program.Value{}, false
	}
	if s.m.c.Name == s.p.Main {
		return g.value, true
	}
	return program.Value{Kind: program.Input, Name: s.global(s.m, key)}, true
}

// output returns an output of a task.
func (s *scope) output(at pos, ref *ref) (program.Value, bool) {
	c := s.calls[ref.path[1]]
	if c == nil {
		if len(s.errs) == 0 {
			s.errorf(at, "", "%s: there is no task %s before it", ref.tag, ref.path[1])
		}
		return program.Value{}, false
	}
	what := strings.Join(ref.path[3:], "/")
	out := c.inner.out[what]
	if out == "" {
		if what == "parameters" {
			s.refuse(at, "all outputs of a loop as one", "%s; take one output", ref.tag)
		} else {
			s.errorf(at, "", "%s: the template %s has no such output", ref.tag, c.inner.t.Name)
		}
		return program.Value{}, false
	}
	if c.when {
		s.refuse(at, "an output of a task with a when", "%s isn't there if the task %s is skipped", ref.tag, ref.path[1])
		return program.Value{}, false
	}
	c.export(out)
	v := program.Value{Kind: program.Output, Task: c.name, Name: out}
	if strings.HasPrefix(what, "artifacts/") {
		v.Type = fileType
		v.Type.List = c.loop
	}
	return v, true
}

// export lets an output leave the groups around a task.
func (c *call) export(out string) {
	for i := len(c.wraps) - 1; i >= 0; i-- {
		w, t := c.wraps[i], c.tasks[i+1]
		if w.Output(out) != nil {
			continue
		}
		port := program.Port{Name: out}
		if inner := c.inner.c.Output(out); inner != nil {
			port.Type = inner.Type
		}
		if w.DAG.Outputs == nil {
			w.DAG.Outputs = map[string]program.Export{}
		}
		w.DAG.Outputs[out] = program.Export{From: []program.From{{Task: t.Name, Output: out}}}
		w.Outputs = append(w.Outputs, port)
	}
}

// wrap puts a call into a group: the arguments become the group's own.
func (s *scope) wrap(c *call, kind program.DAGKind, name string) *program.Task {
	inner := c.tasks[0]
	w := s.newComponent(name, c.at)
	w.DAG = &program.DAG{Kind: kind, Tasks: []*program.Task{inner}}
	outer := &program.Task{Name: freename.Take(s.taken, w.Name), Component: w.Name, Pos: s.source(c.at), Args: map[string]program.Value{}}
	for _, k := range sortedKeys(inner.Args) {
		inner.Args[k] = lift(w, outer, k, inner.Args[k])
	}
	inner.Settings.Each(func(v *program.Value) { *v = lift(w, outer, "setting", *v) })
	if e := inner.Each; e != nil {
		e.Items = lift(w, outer, "items", e.Items)
	}
	outer.After, inner.After = inner.After, nil
	c.tasks = append([]*program.Task{outer}, c.tasks...)
	c.wraps = append([]*program.Component{w}, c.wraps...)
	c.name = outer.Name
	return outer
}

// lift returns a value of the DAG around w as one inside it: an input of w that
// outer is given.
func lift(w *program.Component, outer *program.Task, hint string, v program.Value) program.Value {
	switch v.Kind {
	case program.Const, program.Run:
		return v
	case program.Format:
		of := slices.Clone(v.Of)
		for i := range of {
			of[i] = lift(w, outer, hint, of[i])
		}
		v.Of = of
		return v
	}
	source := v
	source.Field = nil
	for _, name := range sortedKeys(outer.Args) {
		if same(outer.Args[name], source) {
			return program.Value{Kind: program.Input, Name: name, Field: v.Field, Type: v.Type}
		}
	}
	name := hint
	switch v.Kind {
	case program.Input:
		name = v.Name
	case item:
		name = "item"
	}
	name = free(w.Inputs, name)
	outer.Args[name] = source
	port := program.Port{Name: name}
	if v.Type.Artifact {
		port.Type = v.Type
	}
	w.Inputs = append(w.Inputs, port)
	return program.Value{Kind: program.Input, Name: name, Field: v.Field, Type: v.Type}
}

func same(a, b program.Value) bool {
	x, _ := json.Marshal(a) // values can't fail
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
