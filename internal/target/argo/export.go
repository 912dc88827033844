package argo

import (
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// exports sets the outputs of a DAG. An error in an expression of an output would
// leave the workflow running forever, so each asks for the status of the task
// first, and has a default. Prefix goes in front of each parameter.
func (s *scope) exports(out *wfv1.Outputs, prefix string) {
	d := s.comp.DAG
	for _, name := range slices.Sorted(maps.Keys(d.Outputs)) {
		export := d.Outputs[name]
		port := s.comp.Output(name)
		if port == nil || len(export.From) == 0 {
			s.componentErrorf(s.comp, "output %s comes from nowhere", name)
			continue
		}
		s.task = d.Task(export.From[0].Task)
		if s.task == nil {
			s.componentErrorf(s.comp, "output %s comes from task %s, which isn't there", name, export.From[0].Task)
			continue
		}
		s.portName(s.comp, name)
		if !port.Type.Artifact {
			s.exportParam(out, name, "'null'", prefix, export, func(f program.From) string { return s.output(f.Task, f.Output) })
			continue
		}
		suffixes := s.suffixes(port)
		if prefix != "" { // one of the artifacts of which the loop makes a list
			suffixes = []string{metaSuffix, keySuffix}
		}
		for _, suffix := range suffixes {
			none := "'null'"
			switch {
			case prefix != "":
			case suffix == dirSuffix, suffix == keySuffix && !port.Type.List:
				none = "''"
			case port.Type.List:
				none = "'[]'"
			}
			s.exportParam(out, name+suffix, none, prefix, export, func(f program.From) string {
				ref := outputParam(f.Task, f.Output+suffix)
				if suffix == keySuffix && prefix != "" && !s.p.Collects(s.comp, name) {
					return "(" + ref + " == '' ? 'null' : toJson(" + ref + "))"
				}
				return ref
			})
		}
		if prefix == "" && !port.Type.List { // a loop makes lists, which are parameters only
			s.exportArtifact(out, name, export)
		}
	}
}

func (s *scope) exportParam(out *wfv1.Outputs, name, none, prefix string, export program.Export, value func(program.From) string) {
	var e strings.Builder
	for _, f := range export.From {
		e.WriteString("tasks[" + literal(TaskName(f.Task)) + "].status == 'Succeeded' ? " + value(f) + " : ")
	}
	e.WriteString(none)
	text := e.String()
	if prefix != "" {
		text = literal(prefix) + " + (" + text + ")"
	}
	out.Parameters = append(out.Parameters, wfv1.Parameter{Name: name, ValueFrom: &wfv1.ValueFrom{
		Expression: text, Default: anyString(prefix + strings.Trim(none, "'")),
	}})
}

// exportArtifact exports an artifact. Argo forgives a plain reference to what
// isn't there, but not an expression that finds nothing.
func (s *scope) exportArtifact(out *wfv1.Outputs, name string, export program.Export) {
	ref := func(f program.From, form string) string {
		return strings.NewReplacer("T", TaskName(f.Task), "A", f.Output).Replace(form)
	}
	if s.byKey(s.comp, name) {
		if s.p.Imported(s.comp, name) {
			s.refuse("import.joined")
		}
		return
	}
	lax := s.mayLack(s.comp, name)
	a := wfv1.Artifact{Name: name}
	if len(export.From) == 1 {
		f := export.From[0]
		a.From = ref(f, "{{tasks.T.outputs.artifacts.A}}")
		a.Optional = lax || s.task.When != nil || s.absent(s.comp, f.Task, f.Output)
		out.Artifacts = append(out.Artifacts, a)
		return
	}
	for i, f := range export.From {
		if i < len(export.From)-1 {
			a.FromExpression += "tasks[" + literal(TaskName(f.Task)) + "].status == 'Succeeded' ? "
		}
		a.FromExpression += "tasks[" + literal(TaskName(f.Task)) + "].outputs.artifacts[" + literal(f.Output) + "]"
		if i < len(export.From)-1 {
			a.FromExpression += " : "
		}
	}
	out.Artifacts = append(out.Artifacts, a)
}

// byKey reports whether an artifact that leaves a DAG is known by its key alone: it
// is one of several, and perhaps none is there. An expression that finds no
// artifact is an error that Argo doesn't forgive.
func (b *builder) byKey(c *program.Component, output string) bool {
	if c == nil || c.DAG == nil {
		return false
	}
	from := c.DAG.Outputs[output].From
	if p := c.Output(output); p == nil || !p.Type.Artifact || p.Type.List {
		return false
	}
	if len(from) > 1 && (b.mayLack(c, output) || !exhaustive(c.DAG, len(from))) {
		return true
	}
	return slices.ContainsFunc(b.p.Makers(c, output), func(m program.Maker) bool { return b.byKey(m.Component, m.Output) })
}

// joinsByKey reports whether there is such an artifact.
func (b *builder) joinsByKey() bool {
	for _, c := range b.p.Components {
		for _, out := range c.Outputs {
			if b.byKey(c, out.Name) {
				return true
			}
		}
	}
	return false
}

// mayLack reports whether an artifact that leaves a DAG may have no file. Go and
// Python steps write one for what is all metadata, unless it is optional.
func (b *builder) mayLack(c *program.Component, output string) bool {
	if c != nil && c.Exec != nil && c.DAG == nil {
		p := c.Output(output)
		return p != nil && (p.Optional || b.lax(p) && c.Exec.Go == nil && c.Exec.Python == nil)
	}
	return slices.ContainsFunc(b.p.Makers(c, output), func(m program.Maker) bool { return b.mayLack(m.Component, m.Output) })
}

// exhaustive reports whether one of the branches always runs: the last has no
// condition but that none of the n-1 others holds.
func exhaustive(d *program.DAG, n int) bool {
	if d.Kind != program.Branches || len(d.Tasks) != n || n < 2 {
		return false
	}
	w := d.Tasks[n-1].When
	if w == nil {
		return false
	}
	parts := expr.Conjuncts(w)
	if len(parts) != n-1 {
		return false
	}
	for _, p := range parts {
		if p.Op != "!" {
			return false
		}
	}
	return true
}
