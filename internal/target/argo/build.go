package argo

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A builder makes the templates of one Workflow.
type builder struct {
	p    *program.Program
	o    Options
	keys bool // artifacts are passed with their keys

	imports bool // artifacts come from elsewhere

	python int // how many components are Python

	templates []wfv1.Template
	names     map[string]bool   // of templates
	dags      map[dagKey]string // template of a DAG
	leaves    map[string]string // by the content of a template
	pods      []string          // names of the templates that are pods or resources
	paths     map[string]bool   // by component: whether it gets its path
	parsed    map[string]bool   // expressions
	lacks     map[string]bool   // inputs, as component.input, whose file may not be there
	errs      []error
}

// dagKey: inside of a loop, pods are many, so a DAG has two forms,
// and one for each way to retry it.
type dagKey struct {
	comp  string
	loop  bool
	retry string // the retry of the task, which the template has
}

// errorf reports an error in the program as a whole.
func (b *builder) errorf(format string, args ...any) { b.errorAt(graph.Pos{}, format, args...) }

// errorAt reports an error in a line of the author's code.
func (b *builder) errorAt(pos graph.Pos, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if said := feature.Words(b.p, pos, err.Error()); said != err.Error() {
		err = errors.New(said)
	}
	b.record(graph.At(pos, err))
}

// refuseAt reports what a row of the table of features says that Argo can't do, at a
// task or in the pipeline.
func (b *builder) refuseAt(row string, pos graph.Pos, task string) {
	err := fmt.Errorf("pipeline %s%s: %s", b.p.Name, task, feature.Says(b.p, feature.Argo, row, pos))
	b.record(&feature.Refusal{Row: row, Pos: pos, Err: graph.At(pos, err)})
}

func (b *builder) record(err error) {
	for _, e := range b.errs { // a component may be used in many places
		if e.Error() == err.Error() {
			return
		}
	}
	b.errs = append(b.errs, err)
}

// componentErrorf reports an error in a component, at its line.
func (b *builder) componentErrorf(c *program.Component, format string, args ...any) {
	b.errorAt(c.Pos, "component %s: %s", c.Name, fmt.Sprintf(format, args...))
}

// taskErrorf reports an error in a task, at its line.
func (b *builder) taskErrorf(t *program.Task, format string, args ...any) {
	b.errorAt(t.Pos, "pipeline %s, task %s: %s", b.p.Name, t.Name, fmt.Errorf(format, args...))
}

// add adds a template under its name, or under that with a number.
func (b *builder) add(t wfv1.Template, name string) string {
	t.Name = freename.Take(b.names, safeName(letterFirst(name), name))
	b.templates = append(b.templates, t)
	return t.Name
}

// leaf adds the template of a pod, unless there is an equal one.
func (b *builder) leaf(t wfv1.Template, name string) string {
	j, err := json.Marshal(t)
	if err != nil {
		b.errs = append(b.errs, err)
	}
	key := string(j)
	if got, ok := b.leaves[key]; ok {
		return got
	}
	b.leaves[key] = b.add(t, name)
	b.pods = append(b.pods, b.leaves[key])
	return b.leaves[key]
}

var paramName = lazyregexp.New(`^[a-zA-Z0-9_][-a-zA-Z0-9_]*$`)

// portName checks that a name can be that of a parameter.
func (b *builder) portName(c *program.Component, name string) string {
	if !paramName.MatchString(name) {
		b.componentErrorf(c, "%q can't be the name of a parameter in Argo; use letters, digits, - and _", name)
	}
	return name
}

// What accompanies an artifact: its metadata as a carrier and its key, relative
// to the run's folder. For a list of artifacts, which has no artifact of Argo's
// behind it, these are lists, and there is the folder that holds all of them.
const (
	metaSuffix = "-meta"
	keySuffix  = "-key"
	dirSuffix  = "-dir"
	uriSuffix  = "-uri" // of an imported artifact, as a carrier; null: it has a key
)

// pathInput is the parameter that holds the path of a template's artifacts.
const pathInput = "kfpgo-path"

// suffixes returns what the names of the parameters end with that accompany an
// artifact.
func (b *builder) suffixes(p *program.Port) []string {
	if p.Type.List {
		return []string{metaSuffix, keySuffix, dirSuffix}
	}
	all := []string{metaSuffix}
	if b.keys {
		all = append(all, keySuffix)
	}
	if b.imports {
		all = append(all, uriSuffix)
	}
	return all
}

// params returns the names of the parameters that stand for a port.
func (b *builder) params(p *program.Port) []string {
	if !p.Type.Artifact {
		return []string{p.Name}
	}
	var all []string
	for _, suffix := range b.suffixes(p) {
		all = append(all, p.Name+suffix)
	}
	return all
}

// inputs declares the ports of a component, without those named in skip.
func (b *builder) inputs(c *program.Component, skip ...string) wfv1.Inputs {
	var in wfv1.Inputs
	seen := map[string]bool{}
next:
	for i := range c.Inputs {
		p := &c.Inputs[i]
		for _, s := range skip {
			if p.Name == s {
				continue next
			}
		}
		for _, name := range b.params(p) {
			if seen[name] {
				b.componentErrorf(c, "input %s clashes with the companions of an artifact; rename it", name)
			}
			seen[name] = true
			in.Parameters = append(in.Parameters, wfv1.Parameter{Name: b.portName(c, name)})
		}
		if p.Type.Artifact && !p.Type.List {
			in.Artifacts = append(in.Artifacts, wfv1.Artifact{Name: p.Name, Optional: b.lax(p) || b.unwritten()[c.Name+"."+p.Name]})
		}
	}
	if b.needsPath(c) {
		in.Parameters = append(in.Parameters, wfv1.Parameter{Name: pathInput})
	}
	return in
}

// lax reports whether the file of an artifact may be absent: it is optional, or
// of a kind that is often metadata and nothing else.
func (b *builder) lax(p *program.Port) bool { return p.Optional || kfptype.MetadataOnly(p.Type.Name) }

// needsPath reports whether something in a component writes artifacts.
func (b *builder) needsPath(c *program.Component) bool {
	if got, ok := b.paths[c.Name]; ok {
		return got
	}
	b.paths[c.Name] = false
	need := false
	if c.DAG == nil && c.Exec != nil && c.Exec.Importer == nil {
		for _, out := range c.Outputs {
			need = need || out.Type.Artifact
		}
	}
	if c.DAG != nil {
		for _, t := range c.DAG.Tasks {
			if sub := b.p.Component(t.Component); sub != nil && b.needsPath(sub) {
				need = true
			}
		}
	}
	b.paths[c.Name] = need
	return need
}

// listsArtifacts reports whether there is a list of artifacts, which is known by keys.
func (b *builder) listsArtifacts() bool {
	for _, c := range b.p.Components {
		for _, p := range c.Inputs {
			if p.Type.Artifact && p.Type.List {
				return true
			}
		}
		if c.DAG != nil && slices.ContainsFunc(c.DAG.Tasks, func(t *program.Task) bool { return t.Each != nil && t.Each.Artifact }) {
			return true
		}
	}
	return false
}

var errUnknownComponent = errors.New("there is no such component in the program")
