package argoread

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// main makes the DAG of the pipeline from the entrypoint, what it needs to have
// and what has to happen at its end.
func (r *reader) main(main *program.Component) {
	t := r.templates[r.spec.Entrypoint]
	if t == nil {
		r.errorf(r.spec.At, "", "the entrypoint %q is not a template of the file", r.spec.Entrypoint)
		return
	}
	exit := r.exit()
	m := &made{t: t, c: main, in: map[string]string{}, art: map[string]string{}, out: map[string]string{}}
	for _, key := range sortedKeys(r.globals) {
		if !strings.HasPrefix(key, "workflow.parameters.") {
			continue
		}
		m.in[key] = r.globals[key].name
	}
	s := &scope{reader: r, m: m, calls: map[string]*call{}, taken: map[string]bool{}}
	r.shared = s.taken
	for _, a := range t.Inputs.Artifacts {
		if !a.Optional && !a.located() && r.argued(a.Name) == nil {
			r.refuse(a.At, "inputs.artifacts of the entrypoint", "a pipeline takes no artifacts; pass the location of %s as a parameter", a.Name)
			return
		}
	}
	if (t.Steps != nil || t.DAG != nil) && exit == nil && len(r.spec.VolumeClaimTemplates) == 0 && len(t.Inputs.Artifacts) == 0 {
		r.unsupported(t)
		r.noPod(t)
		for _, p := range t.Inputs.Parameters { // an input of the entrypoint has the value of the argument of its name
			if g := r.globals["workflow.parameters."+p.Name]; g != nil {
				m.in[p.Name] = g.name
				continue
			}
			r.argument(main, p, &pipelineSpec{})
			m.in[p.Name] = portName(p.Name)
		}
		r.open = append(r.open, t.Name)
		if t.DAG != nil {
			s.tasks(t.DAG.Tasks)
		} else {
			s.steps(t.Steps)
		}
		if len(r.errs) == 0 {
			s.exports()
		}
		return
	}
	// Otherwise main has a task for the entrypoint.
	kind := program.Pipeline
	if exit != nil {
		kind = program.Guarded
	}
	var creates []*call
	for _, v := range r.spec.VolumeClaimTemplates {
		creates = append(creates, s.createClaim(v))
	}
	inner := &template{At: t.At, Name: t.Name}
	if kind == program.Guarded && t.Steps == nil && t.DAG == nil {
		// What an exit handler guards is a DAG.
		inner.Name = t.Name + "-alone"
		inner.Inputs = t.Inputs
		inner.Steps = [][]*task{{{At: t.At, Name: t.Name, Template: t.Name, Arguments: pass(t.Inputs.Parameters, "inputs.parameters.")}}}
		r.templates[inner.Name] = inner
	}
	entry := &task{At: t.At, Name: inner.Name, Template: inner.Name, Arguments: r.given(t)}
	s.kind = kind
	c := s.task(entry, nil, false)
	s.kind = ""
	if c == nil {
		return
	}
	s.add(c)
	for i, v := range r.spec.VolumeClaimTemplates {
		s.deleteClaim(v, creates[i], c)
	}
	if exit != nil {
		s.exitTask(exit, c)
	}
}

// pass returns arguments that pass inputs of the same names, with the prefix from.
func pass(inputs []parameter, from string) (out arguments) {
	for _, p := range inputs {
		out.Parameters = append(out.Parameters, parameter{At: p.At, Name: p.Name, Value: &text{p.At, "{{" + from + p.Name + "}}"}})
	}
	return out
}

// given returns the arguments of the Workflow that have the names of a template's inputs.
func (r *reader) given(t *template) arguments {
	const of = "workflow.parameters."
	args := pass(slices.DeleteFunc(slices.Clone(t.Inputs.Parameters), func(p parameter) bool { return r.globals[of+p.Name] == nil }), of)
	for _, a := range t.Inputs.Artifacts {
		if given := r.argued(a.Name); given != nil {
			args.Artifacts = append(args.Artifacts, *given)
		}
	}
	return args
}

// argued returns an artifact that is an argument of the Workflow, or nil.
func (r *reader) argued(name string) *artifact {
	for i := range r.spec.Arguments.Artifacts {
		if r.spec.Arguments.Artifacts[i].Name == name {
			return &r.spec.Arguments.Artifacts[i]
		}
	}
	return nil
}

// exit returns the call of the exit handler, or nil.
func (r *reader) exit() *task {
	for _, name := range sortedKeys(r.spec.Hooks) {
		if name != "exit" {
			r.refuse(r.spec.Hooks[name].At, "hooks."+name, "a program has exit handlers only")
		}
	}
	if h, ok := r.spec.Hooks["exit"]; ok {
		if r.spec.OnExit.S != "" {
			r.refuse(r.spec.OnExit.At, "onExit beside hooks.exit", "Argo runs onExit only; take one of them out")
		}
		return &task{At: h.At, Name: h.Template, Template: h.Template, Arguments: h.Arguments}
	}
	if r.spec.OnExit.S != "" {
		t := &task{At: r.spec.OnExit.At, Name: r.spec.OnExit.S, Template: r.spec.OnExit.S}
		if tmpl := r.templates[t.Template]; tmpl != nil {
			t.Arguments = r.given(tmpl)
		}
		return t
	}
	return nil
}

// exitTask adds the exit handler of all that a call does.
func (s *scope) exitTask(t *task, guarded *call) {
	c := s.task(t, nil, false)
	if c == nil {
		return
	}
	outer := c.tasks[0]
	outer.Always, outer.Exit, outer.After = true, true, []string{guarded.name}
	s.add(c)
}

// createClaim adds the task that makes a claim for the run.
func (s *scope) createClaim(v claim) *call {
	c := s.newComponent("createpvc", v.At)
	c.Exec = &program.Executor{Resource: &program.Resource{Builtin: program.CreatePVC, Action: "create"}}
	t := &program.Task{Name: s.taskName("createpvc"), Component: c.Name, Pos: s.source(v.At), Args: map[string]program.Value{}}
	set := func(name, typ string, value any) {
		j, _ := json.Marshal(value) // strings can't fail
		c.Inputs = append(c.Inputs, program.Port{Name: name, Type: typeNamed(typ)})
		t.Args[name] = program.Value{Kind: program.Const, Const: j, Type: typeNamed(typ)}
	}
	set("pvc_name_suffix", kfptype.String, "-"+v.Metadata.Name)
	set("access_modes", kfptype.List, v.Spec.AccessModes)
	size := v.Spec.Resources.Requests["storage"]
	if len(v.Spec.Resources.Limits) > 0 {
		s.refuse(v.At, "limits of a claim", "the claim %s asks for storage by requests", v.Metadata.Name)
	}
	if size == "" {
		s.errorf(v.At, "", "the claim %s asks for no storage", v.Metadata.Name)
	}
	set("size", kfptype.String, size)
	if v.Spec.StorageClassName != "" {
		set("storage_class_name", kfptype.String, v.Spec.StorageClassName)
	}
	c.Outputs = []program.Port{{Name: "name", Type: typeNamed(kfptype.String)}}
	s.m.c.DAG.Tasks = append(s.m.c.DAG.Tasks, t)
	s.claims[v.Metadata.Name] = t.Name
	return &call{at: v.At, name: t.Name, task: t, tasks: []*program.Task{t}, inner: &made{c: c, out: map[string]string{"name": "name"}}}
}

// deleteClaim adds the task that deletes a claim when all is done.
func (s *scope) deleteClaim(v claim, create, after *call) {
	c := s.newComponent("deletepvc", v.At)
	c.Exec = &program.Executor{Resource: &program.Resource{Builtin: program.DeletePVC, Action: "delete"}}
	c.Inputs = []program.Port{{Name: "pvc_name", Type: typeNamed(kfptype.String)}}
	s.m.c.DAG.Tasks = append(s.m.c.DAG.Tasks, &program.Task{
		Name: s.taskName("deletepvc"), Component: c.Name, Pos: s.source(v.At), After: sorted(create.name, after.name),
		Args: map[string]program.Value{"pvc_name": {Kind: program.Output, Task: create.name, Name: "name", Type: typeNamed(kfptype.String)}},
	})
}

// scan finds the templates of which somebody reads what they print.
func (r *reader) scan() {
	for _, t := range r.called {
		tasks := map[string]*template{}
		for _, k := range t.tasks() {
			switch {
			case k.Inline != nil:
				tasks[k.Name] = k.Inline
			case k.TemplateRef != nil:
				tasks[k.Name] = r.referred(k.TemplateRef)
			default:
				tasks[k.Name] = r.home(t).templates[k.Template]
			}
		}
		j, err := json.Marshal(t)
		if err != nil {
			r.errorf(t.At, "", "template %s: %v", t.Name, err)
		}
		r.text += string(j)
		for _, m := range prints.FindAllStringSubmatch(strings.ReplaceAll(string(j), `\"`, `'`), -1) {
			if of := tasks[m[1]+m[2]]; of != nil {
				r.printed[of] = true
			}
		}
	}
}

// refers reports whether something refers to an output, by a part of its path.
func (r *reader) refers(to string) bool {
	for rest := r.text; ; {
		_, after, ok := strings.Cut(rest, to)
		if !ok {
			return strings.Contains(r.text, "['") // in an expression, perhaps
		}
		if after == "" || !nameByte(after[0]) {
			return true
		}
		rest = after
	}
}

func nameByte(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// prints is what a task printed, in a tag.
var prints = lazyregexp.New(`(?:steps|tasks)(?:\.([A-Za-z0-9_-]+)|\['([^']*)'\])\.outputs(?:\.result|\['result'\])`)
