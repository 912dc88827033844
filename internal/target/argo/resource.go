package argo

import (
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// resource is an operation on an object of the cluster.
func (l *leaf) resource() {
	r := l.comp.Exec.Resource
	l.onlyLimits()
	l.limits()
	l.t.Resource = &wfv1.ResourceTemplate{Action: r.Action, SuccessCondition: l.condition(r.Success), FailureCondition: l.condition(r.Failure), SetOwnerReference: r.Owned}
	switch {
	case r.Builtin == program.CreatePVC:
		l.t.Resource.Action = "create"
		l.t.Resource.Manifest = l.claim()
	case r.Builtin == program.DeletePVC:
		l.t.Resource.Action = "delete"
		if l.comp.Input("pvc_name") == nil {
			l.errorf("component %s has no input pvc_name", l.comp.Name)
		}
		// A claim is gone only when the pods that used it are.
		l.t.Resource.Flags = []string{"pvc", tag("fromJSON(inputs.parameters['pvc_name'])"), "--wait=false"}
	case r.Builtin != "":
		l.errorf("the operation %s can't be written for Argo", r.Builtin)
	default:
		switch r.Action {
		case "create", "apply", "delete":
		case "patch":
			l.t.Resource.MergeStrategy = "merge"
		default:
			l.errorf("there is no action %q; use create, apply, patch or delete", r.Action)
		}
		l.t.Resource.Manifest = l.manifest(r.Manifest)
	}
	if l.t.Resource.Action == "delete" && (r.Success != "" || r.Failure != "" || len(l.comp.Outputs) > 0) {
		l.errorf("it deletes an object, and Argo reports nothing about a deleted object; remove its conditions and outputs")
	}
	for _, p := range l.comp.Outputs {
		from := &wfv1.ValueFrom{JSONPath: p.JSONPath}
		if p.JSONPath == "" && r.Builtin == program.CreatePVC && p.Name == "name" {
			from.JSONPath = "{.metadata.name}"
		}
		if from.JSONPath == "" || p.Type.Artifact {
			l.errorf("output %s of %s must be a parameter with a path in the object, such as {.metadata.name}", p.Name, l.comp.Name)
		}
		l.t.Outputs.Parameters = append(l.t.Outputs.Parameters, wfv1.Parameter{Name: l.portName(l.comp, p.Name), ValueFrom: from})
	}
}

// onlyLimits reports settings that need a pod.
func (l *leaf) onlyLimits() {
	if x := l.comp.Exec; l.task.Settings.Pod(x) {
		row := "options.none"
		if x.Resource != nil && x.Resource.Builtin == "" {
			row = "options.resource"
		}
		l.refuse(row)
	}
}

// condition returns a condition on fields of the object.
func (l *leaf) condition(s string) string { return strings.TrimSpace(l.image(l.resolved(s))) }

// resolved replaces placeholders of inputs of which the task says all: the
// others remain.
func (l *leaf) resolved(s string) string {
	parts := placeholder.Parse(s)
	for i, p := range parts {
		if p.Kind != placeholder.InputParam {
			continue
		}
		if text, ok := l.constant(p.Name); ok {
			parts[i] = placeholder.Part{Text: text}
		}
	}
	return placeholder.Join(parts)
}

// constant returns the text of an input that is a constant or not given.
func (l *leaf) constant(name string) (string, bool) {
	p := l.comp.Input(name)
	if p == nil || p.Type.Artifact {
		return "", false
	}
	v, ok := l.task.Args[name]
	if !ok {
		if p.Default == nil {
			return "", optional(p)
		}
		v = program.Value{Kind: program.Const, Const: p.Default}
	}
	if len(v.Field) > 0 {
		return "", false
	}
	return v.Constant()
}

// claim returns the manifest of a claim, from the inputs of KFP's CreatePVC.
func (l *leaf) claim() string {
	in := func(name string) string { return "inputs.parameters[" + literal(name) + "]" }
	// has reports whether an input may have a value other than the empty string.
	has := func(name string) bool {
		text, known := l.constant(name)
		return l.comp.Input(name) != nil && (!known || text != "")
	}
	maybe := func(name string) bool { v, ok := l.task.Args[name]; return ok && l.nullable(v) }
	var name string
	suffix := encoded("workflow.name + fromJSON(" + in("pvc_name_suffix") + ")")
	switch {
	case has("pvc_name") && has("pvc_name_suffix") && maybe("pvc_name"):
		name = in("pvc_name") + " != 'null' ? " + in("pvc_name") + " : " + suffix
	case has("pvc_name"):
		name = in("pvc_name")
	case has("pvc_name_suffix"):
		name = suffix
	default:
		l.errorf("a claim needs a name: give Name, or NameSuffix for one of the run's own")
	}
	if !has("size") {
		l.errorf("a claim needs a size")
	}
	modes := `["ReadWriteOnce"]`
	if has("access_modes") {
		modes = tag(in("access_modes"))
	}
	// An optional member: its text is empty where the input isn't given.
	member := func(input, key string) string {
		if !has(input) {
			return ""
		}
		e := literal(`,"`+key+`":`) + " + " + in(input)
		return tag(in(input) + " in ['null', '\"\"', '{' + '}'] ? '' : " + e)
	}
	return `{"apiVersion":"v1","kind":"PersistentVolumeClaim",` +
		`"metadata":{"name":` + tag(name) + member("annotations", "annotations") + ` },` +
		`"spec":{"accessModes":` + modes + `,"resources":{"requests":{"storage":` + tag(in("size")) + ` } }` +
		member("storage_class_name", "storageClassName") +
		member("volume_name", "volumeName") +
		member("data_source", "dataSource") + ` } }`
}
