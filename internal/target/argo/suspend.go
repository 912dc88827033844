package argo

import (
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// suspend waits for a person. Argo's UI shows what an output may be, and its description,
// if the template has an input with the name of the output.
func (l *leaf) suspend() string {
	l.onlyLimits()
	l.t.Inputs.Artifacts = nil
	l.t.Suspend = &wfv1.SuspendTemplate{}
	if d := l.comp.Exec.Suspend.Duration; d > 0 {
		l.t.Suspend.Duration = fmt.Sprintf("%ds", d)
	}
	for i := range l.comp.Outputs {
		p := &l.comp.Outputs[i]
		l.portName(l.comp, p.Name)
		if p.Type.Artifact {
			l.errorf("output %s of %s is an artifact, and a person gives parameters", p.Name, l.comp.Name)
			continue
		}
		for _, text := range append([]string{p.Doc, string(p.Default)}, p.Enum...) {
			if containsTag(text) {
				l.errorf("output %s of %s has %q, and Argo would replace the {{ in it; leave it out", p.Name, l.comp.Name, text)
			}
		}
		from := &wfv1.ValueFrom{Supplied: &wfv1.SuppliedValueFrom{}}
		v := program.Value{Kind: program.Const, Const: p.Default}
		if text, ok := v.Constant(); ok && p.Default != nil {
			from.Default = anyString(text)
		} else if p.Optional {
			from.Default = anyString("null")
		} else if l.comp.Exec.Suspend.Duration > 0 {
			l.errorf("output %s of %s has no default, which it has when its duration has passed", p.Name, l.comp.Name)
		}
		l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: p.Name, ValueFrom: from})
		if p.Enum == nil && p.Doc == "" {
			continue
		}
		if l.comp.Input(p.Name) != nil {
			l.errorf("component %s has an input and an output %s, which Argo shows as one; rename one of them", l.comp.Name, p.Name)
		}
		shown := wfv1.Parameter{Name: p.Name, Default: from.Default}
		if from.Default == nil {
			shown.Value = anyString("") // an input must have a value, and a default would be that of the output
		}
		for _, text := range p.Enum {
			shown.Enum = append(shown.Enum, wfv1.AnyString(text))
		}
		if p.Doc != "" {
			shown.Description = wfv1.AnyStringPtr(p.Doc)
		}
		l.t.Inputs.Parameters = append(l.t.Inputs.Parameters, shown)
	}
	return l.builder.leaf(l.t, l.comp.Name)
}
