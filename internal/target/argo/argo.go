// Package argo writes programs as Argo Workflows that run on a cluster with
// only Argo on it, version 3.6 or later.
//
// Every value inside such a workflow is a carrier: the compact JSON text of the
// value, in which {{ is written {\u007b and $ is written \u0024, so that neither
// Argo's templates nor the kubelet find anything to replace in it. The carrier
// null means that no value was given.
package argo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/model/outline"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// Options say what a program doesn't know.
type Options struct {
	// Image has the program itself: it runs the Go steps.
	Image string
	// ArtifactRoot is the URI of the folder in which the cluster's artifact
	// repository keeps its keys, such as s3://bucket. Empty: not known, and then
	// nothing may ask for the URI of an artifact.
	ArtifactRoot string
	// ServiceAccount runs the pods. Empty: the namespace's default.
	ServiceAccount string
	// ObjectServiceAccount runs the pods of steps that work on objects of the cluster.
	// Empty: ServiceAccount.
	ObjectServiceAccount string

	// Namespace is where the account of RBAC is. Empty: wherever it is applied.
	Namespace string
	// Version is Argo's: 3.6, 3.7 or 4.0. Empty: the output suits all of them.
	Version string
	// Args are values for inputs of the pipeline.
	Args map[string]json.RawMessage
}

// Write returns the YAML of a Workflow that runs a program. What Argo can't
// express is an error that names the task.
func Write(p *program.Program, o Options) ([]byte, error) {
	w, parts, err := Workflow(p, o)
	if err != nil {
		return nil, err
	}
	return join(append(objects(parts, false), w)...)
}

// Workflow returns the Workflow that runs a program, and the WorkflowTemplates
// with templates that it refers to, if it has more than Argo takes in one object.
func Workflow(p *program.Program, o Options) (*wfv1.Workflow, []*wfv1.WorkflowTemplate, error) {
	p = p.WithExits()
	if o.limited() {
		p = outline.Split(p, maxTasks-1)
	}
	main := p.Component(p.Main)
	if main == nil || main.DAG == nil {
		return nil, nil, fmt.Errorf("program %s: there is no pipeline %q in it", p.Name, p.Main)
	}
	b := &builder{
		p: p, o: o,
		names: map[string]bool{}, dags: map[dagKey]string{}, leaves: map[string]string{}, paths: map[string]bool{}, parsed: map[string]bool{},
	}
	for _, c := range p.Components {
		if c.Exec != nil && c.Exec.Python != nil {
			b.python++
		}
	}
	b.imports = imports(p, main)
	b.keys = o.ArtifactRoot != "" || b.listsArtifacts() || b.joinsByKey()
	w := &wfv1.Workflow{
		TypeMeta:   metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "Workflow"},
		ObjectMeta: metav1.ObjectMeta{GenerateName: p.Name + "-", Annotations: map[string]string{}},
	}
	if title := cmp.Or(p.Title, p.Name); title != p.Name {
		w.Annotations["workflows.argoproj.io/title"] = title
	}
	if p.Doc != "" {
		w.Annotations["workflows.argoproj.io/description"] = p.Doc
	}
	w.Spec.ServiceAccountName = accountsOf(p, o).steps
	b.config(main, &w.Spec)
	w.Spec.Arguments.Parameters = b.arguments(main)
	b.root(main, &w.Spec)
	w.Spec.Templates = b.templates
	b.check(w)
	if err := errors.Join(b.errs...); err != nil {
		return nil, nil, err
	}
	parts, err := spread(w, o.limited())
	return w, parts, err
}

// arguments returns the inputs of the pipeline.
func (b *builder) arguments(main *program.Component) []wfv1.Parameter {
	var ps []wfv1.Parameter
	for _, in := range main.Inputs {
		if in.Type.Artifact {
			if in.Type.List {
				b.refuseAt("input.artifact.list", main.Pos, "")
				continue
			}
			in.Doc = strings.TrimSpace(in.Doc + " (the URI of an artifact, or its key in the cluster's repository)")
		}
		if optional(&in) {
			in.Doc = strings.TrimSpace(in.Doc + " (optional: leave " + notGiven + " there to give nothing)")
		}
		p := wfv1.Parameter{Name: b.portName(main, in.Name)}
		if in.Doc != "" {
			p.Description = wfv1.AnyStringPtr(in.Doc)
		}
		value := in.Default
		if given, ok := b.o.Args[in.Name]; ok {
			value = given
		}
		switch {
		case value == nil && in.Optional:
			p.Value = anyString(notGiven)
		case value != nil:
			p.Value = anyString(argumentOf(value))
		}
		ps = append(ps, p)
	}
	if b.python > manyPython {
		ps = append(ps, wfv1.Parameter{Name: runtimeParam, Value: anyString(shellText(pyrun.Runtime)), Description: wfv1.AnyStringPtr("runs the steps in Python; leave it as it is")})
	}
	for _, name := range slices.Sorted(maps.Keys(b.o.Args)) {
		if main.Input(name) == nil {
			b.errorf("pipeline %s has no input %q", main.Name, name)
		}
	}
	return ps
}

func anyString(s string) *wfv1.AnyString { a := wfv1.AnyString(s); return &a }

// optional reports whether an input may have no value.
func optional(p *program.Port) bool { return p != nil && p.Optional && p.Default == nil }
