package argoread

import "strings"

// unsupported refuses what no template may have.
func (r *reader) unsupported(t *template) {
	for _, k := range []struct {
		name, why string
		raw       raw
	}{
		{"http", "use a step that makes the request", t.HTTP},
		{"plugin", "a program has no executor plugins", t.Plugin},
		{"data", "use a step that lists the files", t.Data},
		{"containerSet", "use a step for each container", t.ContainerSet},
	} {
		if k.raw.JSON != nil {
			r.refuse(k.raw.At, k.name, k.why)
		}
	}
	if t.Daemon.S == "true" {
		r.refuse(t.Daemon.At, "daemon", "a step that others talk to while it runs; start it as a Deployment, with a resource")
	}
	if t.Timeout.S != "" {
		r.refuse(t.Timeout.At, "timeout", "it counts the time in the queue; use activeDeadlineSeconds")
	}
	if t.Parallelism != 0 && !t.oneByOne() {
		r.refuse(t.At, "parallelism", "kfpgo limits how many iterations of a loop run at once; put each loop of template %s into a template of its own", t.Name)
	}
	if t.FailFast != nil {
		r.refuse(t.At, "failFast", "a program has no word for it")
	}
	if at := t.ServiceAccountName; at.S != "" && t.Resource != nil {
		r.notef(at.At, "the service account %s of template %s is left out: give it when you compile, with --object-service-account", at.S, t.Name)
	} else if at.S != "" {
		r.refuse(at.At, "serviceAccountName of a template", "the steps of a pipeline have one service account, and those that work on objects of the cluster may have another")
	}
	if t.Annotations.JSON != nil {
		r.notef(t.Annotations.At, "the annotations of template %s are left out: they are for Argo's UI", t.Name)
	}
	for _, a := range t.Outputs.Parameters {
		if a.GlobalName.S != "" {
			r.refuse(a.GlobalName.At, "globalName", "return the value from the DAG that holds the step")
		}
		if f := a.ValueFrom; f != nil {
			if f.Expression.S != "" {
				r.refuse(f.Expression.At, "valueFrom.expression", "the output %s is computed; let a task make it", a.Name)
			}
			r.one(a.At, "the output "+a.Name+" of template "+t.Name, map[string]bool{"path": f.Path != "", "parameter": f.Parameter != "", "jsonPath": f.JSONPath != "", "supplied": f.Supplied.JSON != nil})
		}
	}
	r.one(t.At, "the template "+t.Name, map[string]bool{
		"steps": t.Steps != nil, "dag": t.DAG != nil, "container": t.Container != nil, "script": t.Script != nil, "resource": t.Resource != nil, "suspend": t.Suspend != nil,
	})
	if t.Container != nil && t.Container.Source != "" {
		r.errorf(t.Container.At, "", "template %s: a container has no source; a script has", t.Name)
	}
}

// oneByOne reports whether the tasks of a template never run at once, other than the
// iterations of one of them: its parallelism is that of the loop then.
func (t *template) oneByOne() bool {
	for _, g := range t.Steps {
		if len(g) != 1 {
			return false
		}
	}
	return t.Parallelism > 0 && (t.Steps != nil || t.DAG != nil && len(t.DAG.Tasks) == 1)
}

// one reports what has several of what it may have one of.
func (r *reader) one(at pos, what string, has map[string]bool) {
	var all []string
	for _, name := range sortedKeys(has) {
		if has[name] {
			all = append(all, name)
		}
	}
	if len(all) > 1 {
		r.errorf(at, "", "%s has %s; Argo takes one of them", what, strings.Join(all, " and "))
	}
}

// stored refuses artifacts that are kept in another way than ours.
func (r *reader) stored(a artifact) {
	if j := string(a.Archive.JSON); j != "" && j != `{"none":{}}` && !strings.HasPrefix(j, `{"tar":`) {
		r.refuse(a.Archive.At, "archive", "artifacts are stored as they are")
	}
	if a.From != "" {
		r.errorf(a.At, "", "the artifact %s is that of a template that runs something, and has from, which is for arguments and the outputs of a DAG", a.Name)
	}
}
