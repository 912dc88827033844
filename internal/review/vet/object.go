package vet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/objects"
)

// read finds out which objects tasks make. An error is for who asks the program.
func (v *vetter) read(main *program.Component) {
	v.open, _ = objects.Of(v.p, objects.Options{All: true, Steps: v.o.Steps})
	defaults := map[string]json.RawMessage{}
	for _, in := range main.Inputs {
		if in.Default != nil {
			defaults[in.Name] = in.Default
		}
	}
	v.usual, _ = objects.Of(v.p, objects.Options{Inputs: defaults, All: true, Steps: v.o.Steps})
	v.items = map[*program.Task][]objects.Task{}
	for _, t := range v.usual {
		v.items[t.Task] = append(v.items[t.Task], t)
	}
}

// objects applies rules for tasks to objects: images, tolerations, names and claims.
// What a run with defaults makes counts, but for a name: that is an input so that it can
// be another one.
func (v *vetter) objects(main *program.Component) {
	there := v.there()
	v.lacking(main, there)
	eachMade(v.open, func(t objects.Task, o objects.Operation) {
		v.name(t, o)
		v.missing(t, o, there)
	})
	eachMade(slices.Concat(v.open, v.usual), func(t objects.Task, o objects.Operation) {
		each(o.Object, func(m map[string]any) { v.pod(t, o, m) })
	})
}

// eachMade calls f with the objects that tasks make.
func eachMade(tasks []objects.Task, f func(objects.Task, objects.Operation)) {
	for _, t := range tasks {
		for _, o := range t.Operations {
			if o.Action == "create" || o.Action == "apply" {
				f(t, o)
			}
		}
	}
}

// unsure reports whether a string of an object isn't known before the run.
func unsure(text string) bool { return strings.Contains(text, "<") }

// name finds objects of a fixed name that each run creates, and claims that stay.
func (v *vetter) name(t objects.Task, o objects.Operation) {
	api, kind, name, generated := o.Name()
	if o.Action != "create" || v.claimOp(t) {
		return // which leaks finds
	}
	if !generated && name != "" && !unsure(name) {
		v.find(Warning, "collide", t.Path, t.Task.Pos, "each run creates the %s %s: it is there already if another run has made it, and this one fails; leave out the name and say generateName, take the name as an input that has dsl.RunID in it, or use apply", kind, name)
	}
	if api != "v1" || kind != "PersistentVolumeClaim" || v.owned(t, o) || !generated && !strings.Contains(name, "<run.") {
		return
	}
	deleted, always := v.deleted(t)
	const fix = "k8s.RunVolume makes one and deletes it however the run ends"
	switch {
	case !deleted:
		v.find(Warning, "leak", t.Path, t.Task.Pos, "each run creates a claim, and nothing deletes it: claims and their disks stay; %s", fix)
	case !always:
		v.find(Warning, "leak", t.Path, t.Task.Pos, "the claim is deleted only if all before that succeeds: a run that fails leaves it there; %s", fix)
	}
}

// claimOp reports whether a task is an operation on a claim that KFP knows by itself.
func (v *vetter) claimOp(t objects.Task) bool {
	c := v.p.Component(t.Task.Component)
	return c != nil && c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Builtin != ""
}

// owned reports whether an object goes with its run or with another object.
func (v *vetter) owned(t objects.Task, o objects.Operation) bool {
	meta, _ := o.Object["metadata"].(map[string]any)
	c := v.p.Component(t.Task.Component)
	return meta["ownerReferences"] != nil || c != nil && c.Exec != nil && c.Exec.Resource != nil && c.Exec.Resource.Owned
}

// deleted reports whether a task deletes what another one has created, by a name that is
// an output of that, and whether it does so however the run ends.
func (v *vetter) deleted(made objects.Task) (deleted, always bool) {
	for _, t := range v.open {
		for _, o := range t.Operations {
			_, kind, name, _ := o.Name()
			switch {
			case o.Action != "delete" || kind != "PersistentVolumeClaim":
			case strings.Contains(name, "<"+made.Task.Name+"."):
				deleted, always = true, always || t.Always
			case unsure(name): // it may be this one, by another way
				return true, true
			}
		}
	}
	return deleted, always
}

// each calls f with the maps in a value, from the outside in.
func each(value any, f func(map[string]any)) {
	switch x := value.(type) {
	case []any:
		for _, e := range x {
			each(e, f)
		}
	case map[string]any:
		f(x)
		for _, key := range sortedKeys(x) {
			each(x[key], f)
		}
	}
}

// pod finds images and tolerations in what may be the spec of a pod.
func (v *vetter) pod(t objects.Task, o objects.Operation, m map[string]any) {
	_, kind, _, _ := o.Name()
	image := func(of any) {
		c, _ := of.(map[string]any)
		name, _ := c["image"].(string)
		if why := unpinned(name); why != "" && !unsure(name) {
			v.find(Warning, "image", t.Path, t.Task.Pos, "image %s of its %s %s: a later run may get another one; give a tag with a version, or a digest", name, kind, why)
		}
	}
	first, _ := m["initContainers"].([]any)
	for _, c := range containers(m) {
		image(c)
		if name := device(c); name != "" && !tolerates(m["tolerations"], name) && !serverless(o.Object) {
			v.find(Warning, "toleration", t.Path, t.Task.Pos, "its %s asks for %s and tolerates no taint of that name: where nodes with devices are tainted, and the cluster adds no toleration by itself, its pod stays pending; add a toleration to its pod", kind, name)
		}
	}
	for _, c := range first {
		image(c)
	}
	if m["numNodes"] != nil { // the trainer of a TrainJob
		image(m)
	}
}

// containers returns the containers of what may be the spec of a pod. In the predictor of
// an InferenceService, KServe makes one of the field model, with the image of a runtime.
func containers(m map[string]any) []any {
	list, _ := m["containers"].([]any)
	if model, ok := m["model"].(map[string]any); ok && model["modelFormat"] != nil {
		list = append(slices.Clone(list), model)
	}
	return list
}

// device returns the device that a container asks for, or "".
func device(container any) string {
	c, _ := container.(map[string]any)
	resources, _ := c["resources"].(map[string]any)
	for _, kind := range []string{"limits", "requests"} {
		list, _ := resources[kind].(map[string]any)
		for _, name := range sortedKeys(list) {
			if n, ok := number(fmt.Sprint(list[name])); ok && n.Sign() > 0 && gpu(name) {
				return name
			}
		}
	}
	return ""
}

// tolerates reports whether tolerations have one for a taint, or may have.
func tolerates(tolerations any, key string) bool {
	list, ok := tolerations.([]any)
	if !ok {
		return tolerations != nil
	}
	for _, e := range list {
		one, ok := e.(map[string]any)
		if !ok {
			return true
		}
		name, _ := one["key"].(string)
		if name == key || unsure(name) || name == "" && one["operator"] == "Exists" {
			return true
		}
	}
	return false
}

// serverless reports whether a pod runs on no node: Alibaba's controller places it.
func serverless(object map[string]any) bool {
	meta, _ := object["metadata"].(map[string]any)
	labels, _ := meta["labels"].(map[string]any)
	return labels["alibabacloud.com/eci"] == "true"
}
