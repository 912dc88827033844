package argoread

import (
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// resource makes the component of an operation on an object.
func (r *reader) resource(m *made) {
	t, x := m.t, m.t.Resource
	m.c = r.newComponent(t.Name, t.At)
	r.inputs(m)
	for _, a := range append(t.Inputs.Artifacts[:len(t.Inputs.Artifacts):len(t.Inputs.Artifacts)], t.Outputs.Artifacts...) {
		r.refuse(a.At, "artifacts of a resource", "an object of the cluster has no files")
	}
	texts := &leaf{reader: r, m: m, at: x.At}
	m.c.Exec = &program.Executor{Resource: &program.Resource{
		Action: x.Action, Manifest: texts.text(x.Manifest), Success: texts.text(x.SuccessCondition), Failure: texts.text(x.FailureCondition),
	}}
	switch x.Action {
	case "create", "apply", "delete":
	case "patch":
		if x.MergeStrategy != "merge" {
			r.refuse(x.At, "resource.mergeStrategy", "kfpgo patches by merge, and this by %q", x.MergeStrategy)
		}
	default:
		r.refuse(x.At, "resource.action "+x.Action, "kfpgo can create, apply, patch and delete")
	}
	if len(x.Flags) > 0 {
		r.refuse(x.At, "resource.flags", "kfpgo passes no flags to kubectl")
	}
	if x.SetOwnerReference.S == "true" {
		m.c.Exec.Resource.Owned = true
		if x.Action != "create" && x.Action != "apply" {
			r.refuse(x.SetOwnerReference.At, "resource.setOwnerReference of "+x.Action, "an object is owned from when it is created")
		}
	}
	if x.Manifest == "" {
		r.refuse(x.At, "a resource without a manifest", "kfpgo needs the object")
	}
	if t.Synchronization != nil {
		r.refuse(t.Synchronization.At, "synchronization of a resource", "a task that works on an object waits for no other; let a step beside it have the mutex")
	}
	r.ofPod(t)
	for _, p := range t.Outputs.Parameters {
		if p.ValueFrom != nil && p.ValueFrom.Default != nil {
			r.refuse(p.ValueFrom.Default.At, "valueFrom.default of a resource", "the output %s of template %s is a field of the object", p.Name, t.Name)
		}
		if p.ValueFrom == nil || p.ValueFrom.JSONPath == "" {
			r.errorf(p.At, "an output without a path", "the output %s of template %s has no jsonPath", p.Name, t.Name)
			continue
		}
		if !r.refers("outputs.parameters." + p.Name) {
			continue // KFP 1 reads the whole object and more, whether somebody wants it or not
		}
		out := program.Port{Name: free(m.c.Outputs, portName(p.Name)), JSONPath: p.ValueFrom.JSONPath, Doc: p.Description}
		m.out["parameters/"+p.Name] = out.Name
		m.c.Outputs = append(m.c.Outputs, out)
	}
	m.settings = func(_ *scope, task *program.Task, _ map[string]program.Value) {
		r.retry(&task.Settings, t.RetryStrategy)
		r.limit(&task.Settings, t)
	}
}

// ofPod notes the settings that are left out of the pod that asks the cluster for an object: it is not a
// pod of the pipeline's.
func (r *reader) ofPod(t *template) {
	labels, annotations := merged(t.Metadata.Labels), merged(t.Metadata.Annotations)
	r.notes1(&program.Settings{}, &program.Task{}, labels, annotations)
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"nodeSelector", len(t.NodeSelector) > 0}, {"tolerations", len(t.Tolerations) > 0}, {"hostAliases", len(t.HostAliases) > 0}, {"metadata", len(labels)+len(annotations) > 0},
	} {
		if f.set {
			r.notef(t.At, "%s of template %s is left out: it is about a pod that only asks the cluster for an object", f.name, t.Name)
		}
	}
	for _, c := range append(t.InitContainers[:len(t.InitContainers):len(t.InitContainers)], t.Sidecars...) {
		r.refuse(c.At, "containers beside a resource", "template %s: let a step do their work", t.Name)
	}
}
