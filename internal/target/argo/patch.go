package argo

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
	corev1 "k8s.io/api/core/v1"
)

// patchPod adds what the author's own patch of the pod says to that of the
// template. Argo applies a patch before it wraps the commands of containers in
// its own, so that it may hold anything; but it ends sidecars, and puts init
// containers after its own, only where the template names them.
func (l *leaf) patchPod() {
	text := l.task.Settings.PodPatch
	if text == nil {
		return
	}
	var spec corev1.PodSpec
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&spec); err != nil {
		l.errorf("the patch of its pod is not that of a PodSpec: %v", err)
		return
	}
	for _, c := range spec.Containers {
		if c.Name != "main" {
			l.t.Sidecars = append(l.t.Sidecars, wfv1.UserContainer{Container: corev1.Container{Name: c.Name, Image: c.Image}})
		}
	}
	for _, c := range spec.InitContainers {
		l.t.InitContainers = append(l.t.InitContainers, wfv1.UserContainer{Container: corev1.Container{Name: c.Name, Image: c.Image}})
	}
	names := map[string]bool{}
	for _, v := range l.t.Volumes {
		names[v.Name] = true
	}
	for _, v := range spec.Volumes {
		if names[v.Name] {
			l.errorf("pod.Patch: volume %s is one of another option of the task; give it another name", v.Name)
		}
	}
	for _, list := range [][]wfv1.UserContainer{l.t.InitContainers, l.t.Sidecars} {
		for _, c := range list {
			if names["container "+c.Name] {
				l.errorf("pod.Patch: container %s is one of another option of the task; give it another name", c.Name)
			}
			names["container "+c.Name] = true
		}
	}
	var patch map[string]any
	_ = jsontext.Decode(text, &patch) // it was decoded above
	delete(patch, "tolerations")      // with those of other options: a patch would replace them
	if cs, _ := patch["containers"].([]any); len(cs) > 0 {
		patch["containers"] = slices.DeleteFunc(cs, func(c any) bool { m, _ := c.(map[string]any); return len(m) == 1 })
	}
	if cs, ok := patch["containers"].([]any); ok && len(cs) == 0 {
		delete(patch, "containers")
	}
	l.patch = l.merge("", l.patch, verbatims(patch).(map[string]any)).(map[string]any)
}

// tolerated returns the tolerations of the author's patch.
func (l *leaf) tolerated() []corev1.Toleration {
	var spec struct{ Tolerations []corev1.Toleration }
	json.Unmarshal(l.task.Settings.PodPatch, &spec) // patchPod reports errors in it
	return spec.Tolerations
}

// verbatims marks all strings of a value.
func verbatims(v any) any {
	switch v := v.(type) {
	case string:
		return verbatim(v)
	case []any:
		for i := range v {
			v[i] = verbatims(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = verbatims(v[k])
		}
	}
	return v
}

// merge joins the patch that other options made with that of the author: objects
// by member, and lists of what has a name by that.
func (l *leaf) merge(at string, old, more any) any {
	switch old := old.(type) {
	case map[string]any:
		more, ok := more.(map[string]any)
		if !ok {
			break
		}
		for _, k := range slices.Sorted(maps.Keys(more)) {
			if was, ok := old[k]; ok {
				old[k] = l.merge(at+"."+k, was, more[k])
			} else {
				old[k] = more[k]
			}
		}
		return old
	case []any:
		more, ok := more.([]any)
		if !ok {
			break
		}
		for _, e := range more {
			i := slices.IndexFunc(old, func(o any) bool { return named(o) != "" && named(o) == named(e) })
			if i < 0 {
				old = append(old, e)
			} else {
				old[i] = l.merge(at+"."+named(e), old[i], e)
			}
		}
		return old
	case verbatim:
		return more
	case string:
		if old == "main" {
			return more // the name of the container
		}
	}
	l.errorf("pod.Patch: %s is set by another option of the task, to a value that is known only at run time; remove one of them", at[1:])
	return old
}

// named returns the name of an element of a list.
func named(v any) string {
	m, _ := v.(map[string]any)
	switch name := m["name"].(type) {
	case string:
		return name
	case verbatim:
		return string(name)
	}
	return ""
}
