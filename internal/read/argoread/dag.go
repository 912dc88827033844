package argoread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// dag makes the component of steps or of a DAG.
func (r *reader) dag(m *made, kind program.DAGKind) {
	t := m.t
	m.c = r.newComponent(t.Name, t.At)
	m.c.DAG = &program.DAG{Kind: kind}
	r.inputs(m)
	s := &scope{reader: r, m: m, calls: map[string]*call{}, taken: map[string]bool{}}
	if kind == program.Guarded {
		s.taken = r.shared
	}
	r.noPod(t)
	if t.DAG != nil {
		s.tasks(t.DAG.Tasks)
	} else {
		s.steps(t.Steps)
	}
	s.exports()
}

// noPod refuses settings that only a pod has.
func (r *reader) noPod(t *template) {
	if t.RetryStrategy != nil {
		r.refuse(t.RetryStrategy.At, "retryStrategy of steps or a DAG", "a program repeats single tasks")
	}
	if t.Synchronization != nil {
		r.refuse(t.Synchronization.At, "synchronization of steps or a DAG", "single tasks of a program wait for others; write it in the templates that have pods")
	}
	if t.ActiveDeadlineSeconds != "" {
		r.refuse(t.At, "activeDeadlineSeconds of steps or a DAG", "a program has time limits for tasks and for the whole")
	}
}

// steps reads groups of steps, each of which follows the one before it.
func (s *scope) steps(groups [][]*task) {
	var before []*call
	for i, g := range groups {
		var now []*call
		for _, t := range g {
			if len(t.Dependencies) > 0 || t.Depends.S != "" {
				s.errorf(t.At, "", "step %s has dependencies, which tasks of a DAG have; steps follow those of the group before theirs", t.Name)
			}
			var after []string
			for _, b := range before {
				after = append(after, b.name)
			}
			if c := s.task(t, after, i+1 < len(groups)); c != nil {
				now = append(now, c)
			}
		}
		for _, c := range now {
			s.add(c)
		}
		before = now
	}
}

// add makes a task known to those after it.
func (s *scope) add(c *call) {
	s.m.c.DAG.Tasks = append(s.m.c.DAG.Tasks, c.tasks[0])
}

// tasks reads the tasks of a DAG in an order in which each follows those that it
// waits for.
func (s *scope) tasks(tasks []*task) {
	byName, waits := map[string]*task{}, map[string][]dependency{}
	for _, t := range tasks {
		if byName[t.Name] != nil {
			s.errorf(t.At, "", "a second task %q", t.Name)
		}
		byName[t.Name] = t
	}
	followed := map[string]bool{}
	for _, t := range tasks {
		waits[t.Name] = s.dependencies(t)
		for _, d := range waits[t.Name] {
			followed[d.task] = true
			if byName[d.task] == nil {
				s.errorf(t.At, "", "task %s waits for %s, which isn't in its DAG", t.Name, d.task)
			}
		}
	}
	state := map[string]int{}
	var visit func(t *task)
	visit = func(t *task) {
		if state[t.Name] == 2 || t == nil {
			return
		}
		if state[t.Name] == 1 {
			s.errorf(t.At, "", "task %s waits for itself", t.Name)
			return
		}
		state[t.Name] = 1
		for _, d := range waits[t.Name] {
			if byName[d.task] != nil {
				visit(byName[d.task])
			}
		}
		state[t.Name] = 2
		var after []string
		for _, d := range waits[t.Name] {
			c := s.calls[d.task]
			if c == nil {
				continue
			}
			if d.succeeded && c.when {
				s.refuse(t.At, "depends on a task with a when", "task %s runs only if %s did; put both under one condition", t.Name, d.task)
			}
			after = append(after, c.name)
		}
		if c := s.task(t, after, followed[t.Name]); c != nil {
			s.add(c)
		}
	}
	for _, t := range tasks {
		visit(t)
	}
}

// A dependency is a task that must have ended; succeeded: it must not have been skipped.
type dependency struct {
	task      string
	succeeded bool
}

// dependencies reads what a task waits for.
func (s *scope) dependencies(t *task) []dependency {
	var out []dependency
	for _, d := range t.Dependencies {
		out = append(out, dependency{task: d})
	}
	if t.Depends.S == "" {
		return out
	}
	for _, term := range strings.Split(t.Depends.S, "&&") {
		term = strings.TrimSpace(term)
		for strings.HasPrefix(term, "(") && strings.HasSuffix(term, ")") {
			term = strings.TrimSpace(term[1 : len(term)-1])
		}
		var name string
		ends := map[string]bool{}
		for _, one := range strings.Split(term, "||") {
			one = strings.TrimSpace(one)
			of, end, dotted := strings.Cut(one, ".")
			if name != "" && of != name || strings.ContainsAny(one, "!() ") {
				s.refuse(t.Depends.At, "depends with or or not", "%q: a task waits for all that it names, until they have succeeded", t.Depends.S)
				return nil
			}
			name = of
			if !dotted {
				end = "Skipped"
				ends["Succeeded"] = true
			}
			ends[end] = true
		}
		for end := range ends {
			if end != "Succeeded" && end != "Skipped" && end != "Daemoned" && end != "Omitted" {
				s.refuse(t.Depends.At, "depends on a failure", "%q: a task follows those that have succeeded", t.Depends.S)
				return nil
			}
		}
		if ends["Omitted"] {
			s.refuse(t.Depends.At, "depends on Omitted", "%q: a task that follows one that is left out is left out", t.Depends.S)
		}
		out = append(out, dependency{name, !ends["Skipped"]})
	}
	return out
}

// task reads one task, with what is around it. Followed: another task waits for it.
func (s *scope) task(t *task, after []string, followed bool) *call {
	inner := s.called(t)
	if inner == nil {
		return nil
	}
	if s.calls[t.Name] != nil {
		s.errorf(t.At, "", "a second task %q", t.Name)
	}
	c := &call{at: t.At, inner: inner}
	c.task = &program.Task{Name: s.taskName(t.Name), Component: inner.c.Name, Pos: s.source(t.At), Args: s.arguments(t, inner)}
	c.name, c.tasks = c.task.Name, []*program.Task{c.task}
	if inner.settings != nil {
		inner.settings(s, c.task, c.task.Args)
	}
	c.task.After = after
	n := len(s.errs)
	loop := t.WithItems != nil || t.WithParam.S != "" || t.WithSequence != nil
	if t.When.S != "" {
		s.when(c, t)
	}
	if loop && n == len(s.errs) {
		s.loop(c, t)
	}
	if c.when && followed {
		s.wrap(c, program.Pipeline, t.Name+"-or-not")
	}
	s.finish(c)
	s.calls[t.Name] = c
	return c
}

// finish adds to what a task follows those that it reads.
func (s *scope) finish(c *call) {
	t := c.tasks[0]
	for _, v := range t.Values() {
		if v.Kind == program.Output && !slices.Contains(t.After, v.Task) {
			t.After = append(t.After, v.Task)
		}
	}
	slices.Sort(t.After)
	t.After = slices.Compact(t.After)
	if len(t.After) == 0 {
		t.After = nil
	}
}

// taskName returns the name of a task, which is unique in a pipeline.
func (s *scope) taskName(name string) string { return freename.Take(s.taken, cleanName(name)) }

// called returns the component that a task calls.
func (s *scope) called(t *task) *made {
	tmpl := t.Inline
	s.one(t.At, "task "+t.Name, map[string]bool{"template": t.Template != "", "templateRef": t.TemplateRef != nil, "inline": t.Inline != nil})
	switch {
	case t.TemplateRef != nil:
		if tmpl = s.referred(t.TemplateRef); tmpl == nil {
			s.refuse(t.TemplateRef.At, "templateRef", "task %s calls the template %s of %s, which is neither in the file nor in one beside it; put its object into the folder, or into the file after ---", t.Name, t.TemplateRef.Template, t.TemplateRef.Name)
			return nil
		}
	case tmpl != nil:
		if tmpl.Name == "" {
			tmpl.Name = t.Name + "-inline"
			for s.home(s.m.t).templates[tmpl.Name] != nil {
				tmpl.Name += "-2"
			}
		}
	default:
		tmpl = s.home(s.m.t).templates[t.Template]
	}
	if tmpl == nil {
		s.errorf(t.At, "", "task %s calls the template %q, which isn't in the file", t.Name, t.Template)
		return nil
	}
	kind := program.Pipeline
	if s.kind != "" && (tmpl.Steps != nil || tmpl.DAG != nil) {
		kind = s.kind
	}
	return s.component(tmpl, kind, t.At)
}

// arguments returns what a task gives to a component.
func (s *scope) arguments(t *task, inner *made) map[string]program.Value {
	args := map[string]program.Value{}
	params, arts := map[string]*parameter{}, map[string]*artifact{}
	for i := range t.Arguments.Parameters {
		p := &t.Arguments.Parameters[i]
		if p.ValueFrom != nil {
			s.refuse(p.At, "arguments.valueFrom", "task %s: the argument %s comes from the cluster", t.Name, p.Name)
		}
		s.noEnum(p)
		params[p.Name] = p
	}
	for i := range t.Arguments.Artifacts {
		arts[t.Arguments.Artifacts[i].Name] = &t.Arguments.Artifacts[i]
	}
	value := func(p *parameter) (program.Value, bool) {
		switch {
		case p == nil:
		case p.Value != nil:
			return s.value(p.Value.At, p.Value.S, nil), true
		}
		return program.Value{}, false
	}
	file := func(a *artifact) (program.Value, bool) {
		switch {
		case a == nil:
			return program.Value{}, false
		case a.From == "" && a.located():
			return s.imported(a, nil)
		case a.From == "":
			return program.Value{}, false
		}
		s.noStore(a, "an argument that comes from a task")
		v := s.value(a.At, a.From, nil)
		if !v.Type.Artifact {
			if len(s.errs) == 0 {
				s.errorf(a.At, "", "task %s: the artifact %s comes from %s, which is not an artifact", t.Name, a.Name, a.From)
			}
			return v, false
		}
		return v, true
	}
	if inner.args != nil {
		s.oldArguments(t, inner, args, func(name string) (program.Value, bool) { return value(params[name]) }, func(name string) (program.Value, bool) { return file(arts[name]) })
	} else {
		for _, p := range inner.t.Inputs.Parameters {
			v, ok := value(params[p.Name])
			port := inner.c.Input(inner.in[p.Name])
			switch {
			case ok && port != nil:
				args[port.Name] = v
			case ok && inner.t.Suspend != nil:
				s.refuse(params[p.Name].At, "an argument that describes an output", "task %s gives %s to template %s, in which a person gives it; write its enum and default into the template", t.Name, p.Name, inner.t.Name)
			case port != nil && port.Default == nil:
				s.errorf(t.At, "", "task %s gives nothing to the parameter %s of template %s", t.Name, p.Name, inner.t.Name)
			}
		}
		for _, a := range inner.t.Inputs.Artifacts {
			v, ok := file(arts[a.Name])
			if !ok && arts[a.Name] == nil && a.located() {
				v, ok = s.imported(&a, s.template(inner, args))
			}
			switch {
			case ok:
				args[inner.art[a.Name]] = v
			case !a.Optional:
				if len(s.errs) == 0 {
					s.errorf(t.At, "an artifact from elsewhere", "task %s gives no output of a task to the artifact %s of template %s", t.Name, a.Name, inner.t.Name)
				}
			}
		}
	}
	for _, key := range inner.need {
		if v, ok := s.globalValue(key); ok {
			args[inner.in[key]] = v
		}
	}
	return args
}

// exports sets the outputs of a DAG.
func (s *scope) exports() {
	m := s.m
	add := func(what, name, doc string, v program.Value, at pos) {
		if v.Kind != program.Output {
			s.refuse(at, "an output that no task makes", "the output %s of template %s is not an output of one of its tasks", name, m.t.Name)
			return
		}
		port := program.Port{Name: free(m.c.Outputs, portName(name)), Type: v.Type, Doc: doc}
		if m.c.DAG.Outputs == nil {
			m.c.DAG.Outputs = map[string]program.Export{}
		}
		m.c.DAG.Outputs[port.Name] = program.Export{From: []program.From{{Task: v.Task, Output: v.Name}}}
		m.c.Outputs = append(m.c.Outputs, port)
		m.out[what+"/"+name] = port.Name
	}
	for _, p := range m.t.Outputs.Parameters {
		switch f := p.ValueFrom; {
		case f != nil && f.Default != nil:
			s.refuse(f.Default.At, "valueFrom.default of steps or a DAG", "the output %s of template %s has one where its task is left out; let the task have it", p.Name, m.t.Name)
		case f != nil && f.Parameter != "":
			add("parameters", p.Name, p.Description, s.value(p.At, f.Parameter, nil), p.At)
		case f == nil && p.Value != nil:
			add("parameters", p.Name, p.Description, s.value(p.At, p.Value.S, nil), p.At)
		default:
			s.errorf(p.At, "", "the output %s of template %s is that of steps or a DAG, and comes from none of its tasks; valueFrom.parameter says from which", p.Name, m.t.Name)
		}
	}
	for _, a := range m.t.Outputs.Artifacts {
		s.noStore(&a, "an output of steps or a DAG")
		if a.From != "" {
			add("artifacts", a.Name, "", s.value(a.At, a.From, nil), a.At)
		}
	}
}

// group returns the name of a group: condition-1, for-loop-2.
func (r *reader) group(what string) string {
	r.groups++
	return fmt.Sprintf("%s-%d", what, r.groups)
}
