// Package work is what the components that make Kubernetes objects have in
// common: an object is applied and waited for; when it fails, its own reason and
// last events are reported and the created objects are deleted.
//
// Such a component runs as a Go step of the program, in its image, on KFP and on
// Argo alike. The service account of the step needs the right to create, get and
// delete the objects, and to get pods, their logs and events. On this machine it
// works on the cluster of the file that KUBECONFIG names, if that is set.
package work

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/kube/kubeop"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Limits are inputs of all such components.
type Limits struct {
	Timeout dsl.Param[string] `default:"24h" doc:"after which it fails, such as 90m" check:"duration"`
	Keep    dsl.Param[bool]   `default:"false" doc:"whether the created objects stay when it fails or is cancelled"`
}

// An Object is an object and what to wait for.
type Object = kubeop.Object

// Do applies objects, one after the other, and waits for each. Pods is the label
// selector of pods whose logs are followed; {name} in it is the object's name.
func Do(ctx context.Context, l Limits, pods string, objects ...Object) ([]map[string]any, error) {
	d, err := time.ParseDuration(l.Timeout.Get())
	if (err != nil || d <= 0) && record.PlanOf(ctx) == nil {
		return nil, fmt.Errorf("input timeout is %q: not a time such as 90m or 24h", l.Timeout.Get())
	}
	return kubeop.Do(ctx, kubeop.Work{Objects: objects, Timeout: d, Keep: l.Keep.Get(), Pods: pods})
}

// A Pull is how a node got the image of a container.
type Pull = kubeop.Pull

// Pulled returns the pull that took longest among those of a container's image, in the pods
// of a namespace that a selector finds. It is zero where nodes report none.
func Pulled(ctx context.Context, namespace, selector, container string) Pull {
	return kubeop.Pulled(ctx, namespace, selector, container)
}

// Field returns what is at a path of an object as text, such as status.url.
func Field(obj map[string]any, path string) string { return kubeop.Text(obj, path) }

// Address returns the URI of an artifact that other systems are to read: one that is
// a file of the step's own container isn't.
func Address(a interface{ URI() string }) (string, error) {
	uri := a.URI()
	if scheme, _, ok := strings.Cut(uri, "://"); !ok || scheme == "file" {
		return "", fmt.Errorf("the model is at %q, which nothing but this step can read; store it with its cluster's address (on Argo: --artifact-root), or import it from there", uri)
	}
	return uri, nil
}

// Meta returns the metadata of an object: with a name of its own that starts with
// prefix, if generate is set.
func Meta(name string, generate bool, labels map[string]string) map[string]any {
	m := map[string]any{"name": name}
	if generate {
		m = map[string]any{"generateName": name + "-"}
	}
	if len(labels) > 0 {
		m["labels"] = labels
	}
	return m
}

// A Right is what a component does with objects of the cluster, beside looking at pods:
// kfpgo compile --rbac writes a Role of them.
type Right = graph.Right

// Makes returns the right to make objects of a kind, wait for them and delete them.
func Makes(group, resource string) Right {
	return Right{Group: group, Resource: resource, Verbs: []string{"create", "delete", "get", "patch"}}
}

// MakesWide is Makes for a kind whose objects are in no namespace.
func MakesWide(group, resource string) Right {
	r := Makes(group, resource)
	r.Cluster = true
	return r
}

// looks are the rights of all that wait for objects: to report their state.
var looks = []Right{
	{Resource: "pods", Verbs: []string{"get", "list"}}, {Resource: "pods/log", Verbs: []string{"get"}}, {Resource: "events", Verbs: []string{"list"}},
}

// Step returns a component that does something with objects of the cluster, for which it
// needs rights. It does so each time that it is called.
//
// kfpgo compile --objects and kfpgo vet run it up to its first [Do], with the inputs that
// are known: before that it must look at its inputs only.
// Check, which may be nil, looks at the arguments of each call.
func Step[In, Out any](name string, do func(context.Context, In, *Out) error, check func(*Call), rights ...Right) *dsl.Component[In, Out] {
	c := Check(dsl.Func(name, do, dsl.NoCache()), check)
	record.Of(c).Rights = slices.Concat(looks, rights)
	return c
}

// RightsOf returns the rights that a component needs, for a step that runs it.
func RightsOf[In, Out any](c *dsl.Component[In, Out]) []Right { return record.Of(c).Rights }

// RemoveIn names the object to remove.
type RemoveIn struct {
	Name dsl.Param[string] `check:"name"`
	Limits
}

// Remove returns a component that deletes the objects that belong to a name. That one
// isn't there is no error.
func Remove(component string, objects func(name string) []Object, rights ...Right) *dsl.Component[RemoveIn, dsl.None] {
	return Step(component, func(ctx context.Context, in RemoveIn, _ *dsl.None) error {
		_, err := Do(ctx, in.Limits, "", objects(in.Name.Get())...)
		return err
	}, func(*Call) {}, rights...)
}

// Gone is an object that is to be deleted.
func Gone(apiVersion, kind, name string) Object {
	return Object{Action: "delete", Manifest: map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}}
}

// RunPod runs a pod to its end, with its logs. Its name begins with one.
func RunPod(ctx context.Context, l Limits, name, restart string, s pod.Spec) (map[string]any, error) {
	meta := Meta(name, true, map[string]string{podLabel: name})
	maps.Copy(meta["labels"].(map[string]string), s.Labels)
	if len(s.Annotations) > 0 {
		meta["annotations"] = s.Annotations
	}
	manifest := s.Template("main", restart)
	manifest["apiVersion"], manifest["kind"], manifest["metadata"] = "v1", "Pod", meta
	got, err := Do(ctx, l, podLabel+"="+name, Object{
		Action: "create", Manifest: manifest, Success: "status.phase == Succeeded", Failure: "status.phase == Failed",
	})
	if err != nil {
		return nil, err
	}
	return got[0], nil
}

// podLabel is the label by which a pod is found.
const podLabel = "kfpgo.dev/pod"

// Check has a component look at the arguments of each call while the pipeline is
// defined: what it reports is a mistake at the line of the call. What the tags check of In
// say, such as check:"min=1", is looked at in any case.
func Check[In, Out any](c *dsl.Component[In, Out], check func(*Call)) *dsl.Component[In, Out] {
	tags := checks(reflect.TypeFor[In]())
	record.Of(c).Complete = func(t *record.Task) {
		call := &Call{t}
		call.standard(tags)
		if check != nil {
			check(call)
		}
	}
	return c
}

// A Call is a task while it is checked.
type Call struct{ t *record.Task }

// Errorf reports a mistake at the line of the call.
func (c *Call) Errorf(format string, args ...any) { c.t.Errorf(format, args...) }

// Given reports whether an input was set.
func (c *Call) Given(input string) bool { return c.t.Given[input] }

// Arg returns the value of an input that is a constant, or its default.
func Arg[T any](c *Call, input string) (v T, ok bool) {
	if a := c.t.Args[input]; a != nil {
		return v, a.Kind == graph.Const && json.Unmarshal(a.Const, &v) == nil
	}
	for _, f := range c.t.Component.Inputs {
		if f.Name == input && f.Default != nil {
			return v, json.Unmarshal(f.Default, &v) == nil
		}
	}
	return v, false
}
