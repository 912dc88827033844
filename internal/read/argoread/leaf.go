package argoread

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// component returns the component of a template, in the scope of a DAG that calls it.
func (r *reader) component(t *template, kind program.DAGKind, at pos) *made {
	name := r.key(t)
	key := string(kind) + " " + name
	if m := r.made[key]; m != nil && t.Name != "" {
		return m
	}
	if t.Name != "" && slices.Contains(r.open, name) {
		r.refuse(at, "recursion", "the template %s calls itself, and a pipeline can't", t.Name)
		return nil
	}
	if len(r.open) > kfpread.MaxNested {
		r.errorf(at, "", "the template %s is nested more than %d deep, in templates that call each other; call it from further out", t.Name, kfpread.MaxNested)
		return nil
	}
	r.open = append(r.open, name)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	m := &made{t: t, in: map[string]string{}, art: map[string]string{}, out: map[string]string{}}
	r.unsupported(t)
	n := len(r.errs)
	switch {
	case t.Steps != nil || t.DAG != nil:
		r.dag(m, kind)
	case t.Container != nil && t.Metadata.Annotations[componentNote] != "":
		r.old(m)
	case t.Container != nil:
		r.leaf(m, t.Container, "container")
	case t.Script != nil:
		r.leaf(m, t.Script, "script")
	case t.Resource != nil:
		r.resource(m)
	case t.Suspend != nil:
		r.suspend(m)
	default:
		if n == len(r.errs) && !r.refused(t) {
			r.errorf(t.At, "", "the template %s has nothing to run", t.Name)
		}
	}
	if m.c == nil {
		return nil
	}
	if t.Name != "" {
		r.made[key] = m
	}
	return m
}

// refused reports whether something of a template was refused.
func (r *reader) refused(t *template) bool {
	return t.HTTP.JSON != nil || t.Plugin.JSON != nil || t.Data.JSON != nil || t.ContainerSet.JSON != nil
}

// inputs adds the inputs of a template to its component.
func (r *reader) inputs(m *made) {
	for _, p := range m.t.Inputs.Parameters {
		if m.t.Suspend != nil && m.t.supplies(p.Name) {
			continue // it describes the output
		}
		r.noEnum(&p)
		if p.ValueFrom != nil {
			r.refuse(p.At, "inputs.valueFrom", "the parameter %s comes from the cluster; give it when the pipeline is run", p.Name)
			continue
		}
		in := program.Port{Name: free(m.c.Inputs, portName(p.Name)), Doc: p.Description}
		if value := cmp.Or(p.Value, p.Default); value != nil {
			if strings.Contains(value.S, "{{") {
				r.refuse(value.At, "a tag in a default", "the default of %s is %s; give it where the template is called", p.Name, value.S)
			}
			in.Default = jsonText(value.S)
		}
		m.in[p.Name] = in.Name
		m.c.Inputs = append(m.c.Inputs, in)
	}
	for _, a := range m.t.Inputs.Artifacts {
		if a.Mode.JSON != nil && string(a.Mode.JSON) != readable {
			r.refuse(a.Mode.At, "mode of an artifact", "set it in the step")
		}
		r.stored(a)
		in := program.Port{Name: free(m.c.Inputs, portName(a.Name)), Type: fileType, Optional: a.Optional}
		m.art[a.Name] = in.Name
		m.c.Inputs = append(m.c.Inputs, in)
	}
}

// readable is the mode of 0755, which kfpgo gives to all input artifacts on Argo.
const readable = "493"

// fileType is the type of all artifacts of Argo's.
var fileType = graph.Type{Name: "system.Artifact", Artifact: true, Version: "0.0.1"}

// free returns a name that no port has yet.
func free(ports []program.Port, name string) string {
	taken := map[string]bool{}
	for _, p := range ports {
		taken[p.Name] = true
	}
	return freename.TakeWith(taken, name, "_")
}

// leaf makes the component of a container or script.
func (r *reader) leaf(m *made, k *container, what string) {
	t := m.t
	m.c = r.newComponent(t.Name, t.At)
	r.inputs(m)
	run := &program.Container{}
	m.c.Exec = &program.Executor{Container: run}
	if k.ReadinessProbe.JSON != nil {
		r.refuse(k.ReadinessProbe.At, "readinessProbe", "it is for daemons")
	}
	r.outputs(m)
	x := &leaf{reader: r, m: m, at: k.At}
	run.Image = x.text(k.Image)
	run.Command, run.Args = x.list(k.Command), x.list(k.Args)
	if what == "script" {
		run.Command = x.script(k)
	}
	x.wrap(run, k.WorkingDir.S)
	m.settings = func(s *scope, task *program.Task, args map[string]program.Value) { r.pod(s, m, k, task, args) }
}

// outputs adds the outputs of a leaf.
func (r *reader) outputs(m *made) {
	for _, p := range m.t.Outputs.Parameters {
		f := p.ValueFrom
		if f == nil || f.Path == "" {
			r.errorf(p.At, "an output without a path", "the output %s of template %s has no path", p.Name, m.t.Name)
			continue
		}
		if !r.refers("outputs.parameters."+p.Name) && slices.ContainsFunc(m.t.Outputs.Artifacts, func(a artifact) bool { return a.Path == f.Path && r.refers("outputs.artifacts."+a.Name) }) {
			continue
		}
		out := program.Port{Name: free(m.c.Outputs, portName(p.Name)), Path: f.Path, Doc: p.Description}
		m.out["parameters/"+p.Name] = out.Name
		m.c.Outputs = append(m.c.Outputs, out)
	}
	for _, a := range m.t.Outputs.Artifacts {
		r.stored(a)
		r.noStore(&a, "an output")
		if slices.ContainsFunc(m.c.Outputs, func(p program.Port) bool { return p.Path == a.Path }) && !r.refers("outputs.artifacts."+a.Name) {
			continue // KFP 1 keeps what it passes on as a parameter in a file too
		}
		if a.Path == "" {
			r.errorf(a.At, "an output without a path", "the artifact %s of template %s has no path", a.Name, m.t.Name)
			continue
		}
		out := program.Port{Name: free(m.c.Outputs, portName(a.Name)), Path: a.Path, Type: fileType, Optional: a.Optional}
		m.out["artifacts/"+a.Name] = out.Name
		m.c.Outputs = append(m.c.Outputs, out)
	}
	if r.printed[m.t] {
		out := program.Port{Name: free(m.c.Outputs, "result")}
		m.out["result"] = out.Name
		m.c.Outputs = append(m.c.Outputs, out)
	}
}

// A leaf reads the strings of a leaf.
type leaf struct {
	*reader
	m  *made
	at pos
}

// text returns a string with KFP's placeholders in place of tags.
func (x *leaf) text(s string) string {
	var parts []placeholder.Part
	for _, p := range pieces(s) {
		if p.ref == nil {
			parts = append(parts, placeholder.Part{Text: p.text})
			continue
		}
		parts = append(parts, x.part(p.ref))
	}
	return placeholder.Join(parts)
}

func (x *leaf) part(ref *ref) placeholder.Part {
	t := x.m.t
	switch {
	case ref.is("inputs", "parameters", "*"):
		if name := x.m.in[ref.path[2]]; name != "" {
			return placeholder.Part{Kind: placeholder.InputParam, Name: name}
		}
	case ref.is("inputs", "artifacts", "*", "path"), ref.is("outputs", "artifacts", "*", "path"):
		list := t.Inputs.Artifacts
		if ref.path[0] == "outputs" {
			list = t.Outputs.Artifacts
		}
		for _, a := range list {
			if a.Name == ref.path[2] {
				return placeholder.Part{Text: a.Path}
			}
		}
	case ref.is("outputs", "parameters", "*", "path"):
		for _, p := range t.Outputs.Parameters {
			if p.Name == ref.path[2] && p.ValueFrom != nil {
				return placeholder.Part{Text: p.ValueFrom.Path}
			}
		}
	case ref.is("workflow", "parameters", "*"):
		if name := x.global(x.m, strings.Join(ref.path, ".")); name != "" {
			return placeholder.Part{Kind: placeholder.InputParam, Name: name}
		}
	case runTags[strings.Join(ref.path, ".")] != "" && t.Resource != nil: // a manifest holds inputs only
		return placeholder.Part{Kind: placeholder.InputParam, Name: x.global(x.m, strings.Join(ref.path, "."))}
	case runTags[strings.Join(ref.path, ".")] != "":
		return placeholder.Part{Kind: placeholder.Run, Name: runTags[strings.Join(ref.path, ".")]}
	}
	x.unknown(x.at, ref)
	return placeholder.Part{}
}

// unknown refuses a tag.
func (r *reader) unknown(at pos, ref *ref) {
	switch {
	case ref.path == nil:
		r.refuse(at, "an expression", "%s; only names of inputs and outputs are read", ref.tag)
	case ref.path[0] == "workflow", ref.path[0] == "pod", ref.path[0] == "retries", len(ref.path) == 3 && (ref.path[0] == "steps" || ref.path[0] == "tasks"):
		name := ref.path[0] + "." + ref.path[len(ref.path)-1]
		if len(ref.path) == 1 {
			name = ref.path[0]
		}
		r.refuse(at, "{{"+name+"}}", "%s: a program doesn't know it", ref.tag)
	default:
		r.errorf(at, "", "%s: there is no such input or output", ref.tag)
	}
}

// global makes a component get a value that all templates see, and returns its input.
func (r *reader) global(m *made, key string) string {
	g := r.globals[key]
	if g == nil {
		return ""
	}
	if name, ok := m.in[key]; ok {
		return name
	}
	name := free(m.c.Inputs, g.name)
	m.c.Inputs = append(m.c.Inputs, program.Port{Name: name})
	m.in[key] = name
	m.need = append(m.need, key)
	return name
}

func (x *leaf) list(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, x.text(s))
	}
	return out
}

// interpreters are those that take a program as an argument.
var interpreters = map[string]string{
	"sh": "-c", "bash": "-c", "ash": "-c", "dash": "-c", "zsh": "-c", "ksh": "-c", "python": "-c", "python2": "-c", "python3": "-c",
	"node": "-e", "nodejs": "-e", "perl": "-e", "ruby": "-e", "Rscript": "-e",
}

// script returns the command that runs a script.
func (x *leaf) script(k *container) []string {
	command := x.list(k.Command)
	if len(command) == 0 {
		x.refuse(k.At, "a script without a command", "name the interpreter")
		return nil
	}
	flag := interpreters[strings.TrimRight(path.Base(command[0]), ".0123456789")]
	if flag == "" {
		flag = interpreters[path.Base(command[0])]
	}
	if flag == "" {
		x.refuse(k.At, "a script for "+path.Base(command[0]), "it isn't known to take a program as an argument; put it into the image")
	}
	if len(k.Args) > 0 {
		x.refuse(k.At, "args of a script", "write them into the script")
	}
	return append(command, flag, x.text(k.Source))
}

// wrapped starts the shell script that runs a command for which files have to be
// put into place.
const wrapped = "# files where the command expects them\n"

// wrap makes a container find artifacts where the template says, and keep what it
// prints where somebody reads that. Dir is the folder that the command runs in.
func (x *leaf) wrap(run *program.Container, dir string) {
	var b strings.Builder
	for _, a := range x.m.t.Inputs.Artifacts {
		from := placeholder.Part{Kind: placeholder.InputArtifact, Name: x.m.art[a.Name], Field: "path"}.String()
		if a.Path == "" {
			x.errorf(a.At, "", "the artifact %s of template %s has no path", a.Name, x.m.t.Name)
		}
		b.WriteString("mkdir -p " + quote(path.Dir(a.Path)) + " && ln -sfn \"" + from + "\" " + quote(a.Path) + " || exit\n")
	}
	if dir != "" {
		x.constValue(x.at, "workingDir", dir)
		b.WriteString("mkdir -p " + quote(dir) + " && cd " + quote(dir) + " || exit\n")
	}
	after := ""
	for _, p := range x.m.t.Outputs.Parameters {
		if f := p.ValueFrom; f != nil && f.Default != nil {
			after += "[ -e " + quote(f.Path) + " ] || { mkdir -p " + quote(path.Dir(f.Path)) + " && printf %s " + quote(f.Default.S) + " > " + quote(f.Path) + "; } || exit\n"
		}
	}
	out := x.m.out["result"]
	if out != "" {
		file := placeholder.Part{Kind: placeholder.OutputParam, Name: out, Field: "output_file"}.String()
		after = "\"$@\" > \"" + file + "\"\ncode=$?\ncat \"" + file + "\"\n[ $code = 0 ] || exit $code\n" +
			"text=$(cat \"" + file + "\"; printf x)\ntext=${text%x}\nprintf %s \"${text%\n}\" > \"" + file + "\" || exit\n" + after // as Argo, without the newline at the end
		b.WriteString("mkdir -p \"$(dirname \"" + file + "\")\" || exit\n")
	} else if after != "" {
		after = "\"$@\" || exit\n" + after
	}
	if b.Len() == 0 && after == "" {
		return
	}
	if len(run.Command) == 0 {
		x.refuse(x.at, "artifacts, a result or a workingDir without a command", "a shell has to put files into place for the command; write it out, not only the image")
		return
	}
	run.Command = append([]string{"sh", "-c", wrapped + b.String() + cmp.Or(after, "exec \"$@\"\n"), "sh"}, run.Command...)
}

var safe = lazyregexp.New(`^[A-Za-z0-9_./:@%+=-]+$`)

// quote quotes a string for a shell.
func quote(s string) string {
	if safe.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
