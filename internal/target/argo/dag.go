package argo

import (
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// dag returns the template of a DAG. Retry: nil, or of the task that calls it.
func (b *builder) dag(c *program.Component, loop bool, retry *wfv1.RetryStrategy) string {
	key := dagKey{c.Name, loop, ""}
	if retry != nil {
		key.retry = mustJSON(retry)
	}
	if name, ok := b.dags[key]; ok {
		return name
	}
	at := b.reserve(c.Name)
	b.dags[key] = b.templates[at].Name
	s := &scope{builder: b, comp: c, loop: loop}
	t := wfv1.Template{Name: b.templates[at].Name, Inputs: b.inputs(c), DAG: s.tasks(c.DAG.Tasks)}
	if t.RetryStrategy = retry; retry != nil && strings.HasPrefix(retry.Limit.StrVal, "{{") {
		t.Inputs.Parameters = append(t.Inputs.Parameters, wfv1.Parameter{Name: retryInput})
	}
	s.exports(&t.Outputs, "")
	b.templates[at] = t
	return t.Name
}

// reserve adds an empty template, so that callers come before what they call.
func (b *builder) reserve(name string) int {
	b.add(wfv1.Template{}, name)
	return len(b.templates) - 1
}

// tasks returns the tasks of a DAG.
func (s *scope) tasks(tasks []*program.Task) *wfv1.DAGTemplate {
	d := &wfv1.DAGTemplate{}
	s.importInputs(d, tasks)
	always := false
	for _, t := range tasks {
		s.task = t
		d.Tasks = append(d.Tasks, s.call(t, tasks))
		always = always || t.Always && len(t.After) > 0 && !s.exit
	}
	if always {
		s.gate(d)
	}
	if s.exit {
		d.FailFast = new(bool)
	}
	return d
}

// gate adds a task that never runs. A DAG has the phase of its last tasks, so
// one that ends well after a failure would hide it; the gate is omitted after a
// failure, and then the DAG fails.
func (s *scope) gate(d *wfv1.DAGTemplate) {
	var all []string
	for _, t := range d.Tasks {
		all = append(all, "("+t.Name+".Succeeded || "+t.Name+".Skipped || "+t.Name+".Omitted)")
	}
	d.FailFast = new(bool) // what must run after a failure, must be started after one
	d.Tasks = append(d.Tasks, wfv1.DAGTask{Name: "kfpgo-gate", Template: s.gateTemplate(), When: "false", Depends: strings.Join(all, " && ")})
}

func (b *builder) gateTemplate() string {
	const name = "kfpgo-gate"
	if !b.names[name] {
		b.add(wfv1.Template{Suspend: &wfv1.SuspendTemplate{Duration: "1s"}}, name)
	}
	return name
}

// call returns the task that calls a component.
func (s *scope) call(t *program.Task, siblings []*program.Task) wfv1.DAGTask {
	out := wfv1.DAGTask{Name: TaskName(t.Name)}
	if why := badName(out.Name); why != "" {
		s.errorf("the name %s", why)
	}
	c := s.p.Component(t.Component)
	if c == nil {
		s.errorf("component %s: %w", t.Component, errUnknownComponent)
		return out
	}
	out.Depends = s.depends(t, siblings)
	if t.When == nil && t.WhenText != "" {
		s.refuse("when.text")
	}
	for _, v := range t.Values() {
		if v.Selector != "" {
			s.refuse("selector")
		}
	}
	if t.When != nil {
		when := t.When.WithOptional(func(name string) bool { v, ok := t.Args[name]; return !ok || len(v.Field) > 0 || s.nullable(v) })
		out.When = tag(when.Argo(func(name string) string {
			v, ok := t.Args[name]
			if !ok {
				return "'null'"
			}
			return s.carrier(v)
		}))
	}
	switch {
	case t.Each != nil:
		s.noSettings(t, c)
		out.Template = s.loopTemplate(c)
		s.arguments(&out, c, t.Each.Item)
		out.Arguments.Parameters = append(out.Arguments.Parameters, s.items(t)...)
	case c.DAG != nil:
		s.noSettings(t, c)
		s.arguments(&out, c, "")
		var retry *wfv1.RetryStrategy
		if r := t.Settings.Retry; r != nil {
			l := &leaf{scope: s, task: t, comp: c}
			retry = s.retryStrategy(r, l.extra(retryInput, r.Max))
			out.Arguments.Parameters = append(out.Arguments.Parameters, l.args...)
		}
		out.Template = s.dag(c, s.loop, retry)
	case c.Exec != nil:
		s.arguments(&out, c, "")
		l := &leaf{scope: s, task: t, comp: c}
		out.Template = l.template()
		out.Arguments.Parameters = append(out.Arguments.Parameters, l.args...)
	default:
		s.errorf("component %s is neither a DAG nor something that runs", c.Name)
	}
	return out
}

// depends says what must have ended before a task starts.
func (s *scope) depends(t *program.Task, siblings []*program.Task) string {
	var all []string
	for _, name := range t.After {
		found := false
		for _, sib := range siblings {
			found = found || sib.Name == name
		}
		if !found {
			if !s.exit { // in the exit handler: what it guards, which has ended
				s.errorf("it waits for %s, which isn't in its DAG", name)
			}
			continue
		}
		n := TaskName(name)
		if t.Always && !s.exit {
			all = append(all, "("+n+".Succeeded || "+n+".Failed || "+n+".Errored || "+n+".Skipped || "+n+".Omitted)")
		} else {
			all = append(all, n+".Succeeded")
		}
	}
	for _, name := range s.artifactInputs(t) {
		all = append(all, importTask(name)+".Succeeded")
	}
	return strings.Join(all, " && ")
}

// arguments sets what a task gives to the inputs of a component, but not to skip.
func (s *scope) arguments(out *wfv1.DAGTask, c *program.Component, skip string) {
	for i := range c.Inputs {
		p := &c.Inputs[i]
		if p.Name == skip {
			continue
		}
		v, ok := s.task.Args[p.Name]
		switch {
		case ok && v.Type.Artifact, ok && p.Type.Artifact:
			s.artifact(out, v, p)
		case ok:
			out.Arguments.Parameters = append(out.Arguments.Parameters, param(p.Name, s.argument(v, p)))
		case p.Default != nil:
			out.Arguments.Parameters = append(out.Arguments.Parameters, param(p.Name, constCarrier(p.Default)))
		default:
			if p.Required() {
				s.errorf("input %s of %s was not given", p.Name, c.Name)
			}
			for _, name := range s.params(p) {
				out.Arguments.Parameters = append(out.Arguments.Parameters, param(name, "null"))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.task.Args)) {
		if c.Input(name) == nil && !reads(s.task, name) {
			s.errorf("%s has no input %q", c.Name, name)
		}
	}
	if s.needsPath(c) {
		path := TaskName(s.task.Name)
		if !s.root {
			path = tag("inputs.parameters["+literal(pathInput)+"]") + "/" + path
		}
		out.Arguments.Parameters = append(out.Arguments.Parameters, param(pathInput, path))
	}
}

// artifact passes an artifact, with its companions.
func (s *scope) artifact(out *wfv1.DAGTask, v program.Value, to *program.Port) {
	if len(v.Field) > 0 || v.Kind != program.Input && v.Kind != program.Output {
		s.errorf("input %s takes an artifact", to.Name)
		return
	}
	ref := func(suffix string) string { return "inputs.parameters[" + literal(v.Name+suffix) + "]" }
	from := "{{inputs.artifacts." + v.Name + "}}"
	port := s.comp.Input(v.Name)
	if v.Kind == program.Output {
		ref = func(suffix string) string { return s.ran(v.Task, outputParam(v.Task, v.Name+suffix)) }
		from = "{{tasks." + TaskName(v.Task) + ".outputs.artifacts." + v.Name + "}}"
		_, port, _ = s.rawOutput(v.Task, v.Name)
	}
	if port == nil {
		s.errorf("there is no artifact %s for input %s", v.Name, to.Name)
		return
	}
	if !port.Type.Artifact || port.Type.List != to.Type.List {
		s.errorf("input %s takes %s, and %s is %s", to.Name, kindOf(to), v.Name, kindOf(port))
		return
	}
	if s.root && v.Kind == program.Input {
		ref = func(suffix string) string { return outputParam(importTask(v.Name), "artifact"+suffix) }
		from = "{{tasks." + importTask(v.Name) + ".outputs.artifacts.artifact}}"
	}
	for _, suffix := range s.suffixes(to) {
		out.Arguments.Parameters = append(out.Arguments.Parameters, param(to.Name+suffix, tag(ref(suffix))))
	}
	if to.Type.List || s.isResource(s.p.Component(s.task.Component)) {
		return
	}
	if t := s.comp.DAG.Task(v.Task); v.Kind == program.Output && t != nil && s.byKey(s.p.Component(t.Component), v.Name) {
		key := ref(keySuffix)
		out.Arguments.Artifacts = append(out.Arguments.Artifacts, wfv1.Artifact{
			Name: to.Name, Optional: true, Archive: &wfv1.ArchiveStrategy{None: &wfv1.NoneStrategy{}},
			ArtifactLocation: keyOf(runFolder + tag(key+" == '' ? 'kfpgo-none' : "+key)),
		})
		return
	}
	out.Arguments.Artifacts = append(out.Arguments.Artifacts, wfv1.Artifact{
		Name: to.Name, From: from, Optional: s.lax(port) || s.nullable(v),
	})
}

func kindOf(p *program.Port) string {
	switch {
	case p.Type.Artifact && p.Type.List:
		return "a list of artifacts"
	case p.Type.Artifact:
		return "an artifact"
	}
	return "a parameter"
}

func (b *builder) isResource(c *program.Component) bool {
	return c != nil && c.Exec != nil && c.Exec.Resource != nil
}
