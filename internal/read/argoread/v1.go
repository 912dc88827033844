package argoread

import (
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// What KFP 1 notes of a template: the component, and what it was called with.
const (
	componentNote = "pipelines.kubeflow.org/component_spec"
	argumentsNote = "pipelines.kubeflow.org/arguments.parameters"
)

// kfpType returns the type of a parameter of KFP 1, or "" if it has none in KFP 2.
func kfpType(name string) string { return kfpread.OldTypes[strings.ToLower(name)] }

// old makes the component of a template that KFP 1 compiled.
func (r *reader) old(m *made) {
	t := m.t
	note := t.Metadata.Annotations[componentNote]
	var spec map[string]any
	if err := jsontext.Decode([]byte(note), &spec); err != nil {
		r.errorf(t.At, "", "template %s: the annotation %s isn't JSON: %v", t.Name, componentNote, err)
		return
	}
	args := map[string]string{}
	if a, ok := t.Metadata.Annotations[argumentsNote]; ok {
		if err := json.Unmarshal([]byte(a), &args); err != nil {
			r.errorf(t.At, "", "template %s: the annotation %s isn't JSON: %v", t.Name, argumentsNote, err)
			return
		}
	}
	if !r.retype(m, spec) {
		return
	}
	j, err := json.Marshal(spec)
	if err != nil {
		r.errorf(t.At, "", "template %s: %v", t.Name, err)
		return
	}
	p, err := kfpread.Read(r.name, j)
	if err != nil {
		r.errorf(t.At, "a component of KFP 1", "template %s: the component in its annotation %s: %v", t.Name, componentNote, strings.ReplaceAll(err.Error(), r.name+":1:", ""))
		return
	}
	task := p.Component(p.Main).DAG.Tasks[0]
	m.c = p.Component(task.Component)
	m.c.Name, m.c.Title, m.c.Pos, m.c.Key, m.c.Label = freename.Take(r.names, cleanName(t.Name)), "", r.source(t.At), "", ""
	r.p.Components = append(r.p.Components, m.c)
	m.args = map[string]string{}
	for name, v := range args {
		m.args[kfpread.OldName(name)] = v
	}
	r.oldPorts(m)
	m.settings = func(s *scope, task *program.Task, args map[string]program.Value) {
		r.pod(s, m, t.Container, task, args)
	}
}

// retype says in a component what its parameters and artifacts are: KFP 1 took any
// value either way, and the template says how this one is.
func (r *reader) retype(m *made, spec map[string]any) bool {
	t := m.t
	files, values := map[string]bool{}, map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				name, _ := e.(string)
				switch k {
				case "inputPath", "inputUri":
					files[name] = true
				case "inputValue":
					values[name] = true
				}
				walk(e)
			}
		}
	}
	walk(spec["implementation"])
	params := map[string]bool{}
	for _, p := range t.Outputs.Parameters {
		params[r.oldOutput(p.Name, p.ValueFrom)] = true
	}
	ports := func(key string, f func(port map[string]any, name string)) {
		list, _ := spec[key].([]any)
		for _, e := range list {
			if port, ok := e.(map[string]any); ok {
				name, _ := port["name"].(string)
				f(port, name)
			}
		}
	}
	ok := true
	ports("inputs", func(port map[string]any, name string) {
		typ, _ := port["type"].(string)
		switch {
		case files[name] && values[name]:
			r.refuse(t.At, "an input of KFP 1 as a value and as a file", "template %s, input %s", t.Name, name)
			ok = false
		case files[name] && kfpType(typ) != "":
			port["type"] = "Artifact"
			delete(port, "default")
		case values[name] && kfpType(typ) == "":
			port["type"] = "String"
		}
	})
	ports("outputs", func(port map[string]any, name string) {
		typ, _ := port["type"].(string)
		switch {
		case params[kfpread.OldName(name)] && r.passedAsFile(t, name):
			r.refuse(t.At, "an output of KFP 1 as a value and as a file", "template %s, output %s: in a program it is one of them", t.Name, name)
			ok = false
		case params[kfpread.OldName(name)] && kfpType(typ) == "":
			port["type"] = "String"
		case !params[kfpread.OldName(name)] && kfpType(typ) != "" && r.passedAsFile(t, name):
			port["type"] = "Artifact"
		}
	})
	return ok
}

// passedAsFile reports whether some task passes on an output as an artifact.
func (r *reader) passedAsFile(t *template, output string) bool {
	name := ""
	for _, a := range t.Outputs.Artifacts {
		if r.oldOutput(a.Name, &valueFrom{Path: a.Path}) == kfpread.OldName(output) {
			name = a.Name
		}
	}
	if name == "" {
		return false
	}
	for _, d := range r.spec.Templates {
		if d.DAG == nil {
			continue
		}
		for _, k := range d.DAG.Tasks {
			for _, a := range k.Arguments.Artifacts {
				if strings.Contains(a.From, ".outputs.artifacts."+name+"}}") {
					return true
				}
			}
		}
		for _, a := range d.Outputs.Artifacts {
			if strings.Contains(a.From, ".outputs.artifacts."+name+"}}") {
				return true
			}
		}
	}
	return false
}

// oldOutput returns KFP's name of an output of a template: its folder says it, and
// else the end of its name.
func (r *reader) oldOutput(name string, from *valueFrom) string {
	if from != nil {
		if rest, ok := strings.CutPrefix(from.Path, "/tmp/outputs/"); ok {
			return kfpread.OldName(strings.TrimSuffix(rest, "/data"))
		}
	}
	return kfpread.OldName(name)
}

// oldPorts finds the ports of the component that the names of a template stand for.
func (r *reader) oldPorts(m *made) {
	port := func(name string, from *valueFrom) string {
		got := r.oldOutput(name, from)
		for _, p := range m.c.Outputs {
			if p.Name == got || strings.HasSuffix(got, "_"+p.Name) {
				return p.Name
			}
		}
		return ""
	}
	for _, p := range m.t.Outputs.Parameters {
		if out := port(p.Name, p.ValueFrom); out != "" && !m.c.Output(out).Type.Artifact {
			m.out["parameters/"+p.Name] = out
		}
	}
	for _, a := range m.t.Outputs.Artifacts {
		if out := port(a.Name, &valueFrom{Path: a.Path}); out != "" && m.c.Output(out).Type.Artifact {
			m.out["artifacts/"+a.Name] = out
		}
	}
	for _, a := range m.t.Inputs.Artifacts {
		rest, ok := strings.CutPrefix(a.Path, "/tmp/inputs/")
		name := kfpread.OldName(strings.TrimSuffix(rest, "/data"))
		if in := m.c.Input(name); ok && in != nil && in.Type.Artifact {
			m.art[a.Name] = name
			continue
		}
		r.refuse(a.At, "an artifact of KFP 1 with a path of its own", "template %s, artifact %s: no input of its component is at %s", m.t.Name, a.Name, a.Path)
	}
}

// oldArguments sets what a component of KFP 1 is called with.
func (s *scope) oldArguments(t *task, inner *made, args map[string]program.Value, param, file func(name string) (program.Value, bool)) {
	in := func(ref *ref) (program.Value, bool) {
		if ref.is("inputs", "parameters", "*") {
			if v, ok := param(ref.path[2]); ok {
				return v, true
			}
			for _, p := range inner.t.Inputs.Parameters {
				if p.Name == ref.path[2] && p.Value != nil {
					return program.Value{Kind: program.Const, Const: jsonText(p.Value.S)}, true
				}
			}
		}
		s.unknown(t.At, ref)
		return program.Value{}, false
	}
	inner.given = map[string]program.Value{}
	for _, p := range inner.t.Inputs.Parameters {
		if v, ok := param(p.Name); ok {
			inner.given[p.Name] = v
		}
	}
	for _, name := range sortedKeys(inner.args) {
		port := inner.c.Input(name)
		if port == nil || port.Type.Artifact {
			continue
		}
		args[name] = s.value(t.At, inner.args[name], in)
	}
	for _, a := range inner.t.Inputs.Artifacts {
		if name := inner.art[a.Name]; name != "" {
			if v, ok := file(a.Name); ok {
				args[name] = v
			}
		}
	}
	for _, p := range inner.c.Inputs {
		if _, ok := args[p.Name]; !ok && p.Required() {
			s.errorf(t.At, "", "task %s gives nothing to the input %s of the component %s", t.Name, p.Name, inner.t.Name)
		}
	}
}
