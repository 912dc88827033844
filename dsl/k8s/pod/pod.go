// Package pod sets any field of a task's pod, in Kubernetes' own Go types: what
// no option of packages dsl and k8s is for. It links k8s.io/api, and so is a
// package of its own.
package pod

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// option is the name of what Patch sets.
const option = "pod-patch"

// Main is the name of the task's own container.
const Main = "main"

// reserved are the names of containers that Argo puts in a pod.
var reserved = []string{"init", "wait"}

// Patch changes the pod of a task on Argo (podSpecPatch). The function sees a pod
// in which nothing is set but the task's own container, Containers[0], which is
// called main; what it sets is merged into the pod that Argo makes, by Kubernetes'
// rules: lists of what has a name by that, other lists as a whole, with tolerations
// beside those of other options. A container that it appends is a sidecar, which
// ends with the step; it and init containers name their command.
//
// Of several patches, a later one sees what the earlier ones have set. Values are
// those of the time when the pipeline is defined: values that are known only at run time
// go through options that take references. KFP's IR has a few fields of pods and
// no others, so that a pipeline with a patch is refused there.
//
//	pod.Patch(func(spec *corev1.PodSpec) {
//		spec.PriorityClassName = "batch"
//		spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: checkpoint}
//		spec.Containers = append(spec.Containers, corev1.Container{
//			Name: "proxy", Image: "envoyproxy/envoy:v1.31", Command: []string{"envoy", "-c", "/etc/envoy.yaml"},
//		})
//	})
func Patch(change func(spec *corev1.PodSpec)) dsl.Option {
	return record.At(func(t *record.Task) {
		spec := corev1.PodSpec{Containers: []corev1.Container{{Name: Main}}}
		before := ""
		t.Options = slices.DeleteFunc(t.Options, func(o record.Option) bool {
			if o.Name != option {
				return false
			}
			j, _ := o.Operands[0].(json.RawMessage)
			json.Unmarshal(j, &spec) // written by the lines below
			before = string(j)
			return true
		})
		if err := apply(change, &spec); err != nil {
			t.Errorf("pod.Patch: %v", err)
			return
		}
		for _, problem := range problems(&spec) {
			t.Errorf("pod.Patch: %s", problem)
		}
		j, err := encode(&spec)
		if err != nil {
			t.Errorf("pod.Patch: %v", err)
			return
		}
		if msg, bad := record.Misused(string(j)); bad {
			t.Errorf("pod.Patch: %s", msg)
			return
		}
		if string(j) == empty && before == "" {
			t.Errorf("pod.Patch: the function changes nothing")
		}
		t.Set(option, json.RawMessage(j))
	})
}

const empty = `{"containers":[{"name":"main"}]}`

// apply calls the function, which may panic.
func apply(change func(*corev1.PodSpec), spec *corev1.PodSpec) (err error) {
	if change == nil {
		return fmt.Errorf("the function is nil")
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the function panicked: %v", r)
		}
	}()
	change(spec)
	return nil
}

// problems are what the cluster would refuse, or what would break the step.
func problems(spec *corev1.PodSpec) []string {
	var all []string
	bad := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if len(spec.Containers) == 0 || spec.Containers[0].Name != Main {
		bad("Containers[0] must stay the task's own container, %s; append others", Main)
		return all
	}
	main := spec.Containers[0]
	switch {
	case main.Command != nil || main.Args != nil:
		bad("the command and arguments of %s are the component's", Main)
	case main.Image != "":
		bad("the image of %s is set by dsl.Image", Main)
	}
	if spec.RestartPolicy != "" {
		bad("the RestartPolicy of the pod is Argo's; use dsl.Retry")
	}
	if spec.ActiveDeadlineSeconds != nil {
		bad("ActiveDeadlineSeconds is set by dsl.Timeout")
	}
	if len(spec.EphemeralContainers) > 0 {
		bad("a new pod can't have EphemeralContainers")
	}
	seen := map[string]bool{}
	for i, c := range slices.Concat(spec.Containers, spec.InitContainers) {
		switch {
		case c.Name == "":
			bad("container %d has no name", i)
		case seen[c.Name]:
			bad("two containers are named %s", c.Name)
		case slices.Contains(reserved, c.Name):
			bad("%s is a container of Argo's; use another name", c.Name)
		case c.Name != Main && c.Image == "":
			bad("container %s has no image", c.Name)
		case c.Name != Main && i < len(spec.Containers) && len(c.Command) == 0:
			bad("container %s has no command; Argo needs the one of the image spelled out", c.Name)
		}
		seen[c.Name] = true
	}
	for _, v := range spec.Volumes {
		if v.Name == "" {
			bad("a volume has no name")
		}
	}
	return all
}

// encode returns the patch, without what Kubernetes' types write though nothing
// is set.
func encode(spec *corev1.PodSpec) ([]byte, error) {
	j, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal(j, &m); err != nil {
		return nil, err
	}
	for _, list := range []string{"containers", "initContainers"} {
		cs, _ := m[list].([]any)
		for _, c := range cs {
			if c, ok := c.(map[string]any); ok {
				if r, ok := c["resources"].(map[string]any); ok && len(r) == 0 {
					delete(c, "resources")
				}
			}
		}
	}
	return json.Marshal(m)
}
