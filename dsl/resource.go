package dsl

import (
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// An Action is what a resource component does with an object.
type Action string

// The actions.
const (
	Create Action = "create" // an object that must not exist
	Apply  Action = "apply"  // create, or make it so
	Patch  Action = "patch"  // merge into an object that must exist
	Delete Action = "delete" // not an error if it doesn't exist
)

// A ResourceSpec is an operation on a Kubernetes object. The strings may hold
// placeholders of the inputs, as in a [ContainerSpec].
//
// A value is filled into the manifest as data: nothing in it can change what is
// around it. In quotes it is a string; alone and without quotes it has its own
// type, and leaves its key out where an optional input was not given:
//
//	metadata:
//	  name: "%[1]v"
//	spec:
//	  replicas: %[2]v
//
// A condition compares fields of the object, such as "status.succeeded > 0" or
// "status.phase in (Ready, Done)". Commas join several: all of Success must
// hold, and one of Failure is enough.
type ResourceSpec struct {
	Action   Action
	Manifest string // YAML of one object
	Success  string // condition to wait for
	Failure  string // condition that fails the task

	// Owned gives the object to the run (setOwnerReference): Kubernetes deletes it
	// with the run's Workflow, however that ended. The object must be in the
	// namespace of the run.
	Owned bool
}

// Resource returns a component that works on a Kubernetes object. An output's
// jsonpath tag says where in the object its value is. Its KFP v1 counterpart is
// ResourceOp. Package k8s has ready-made ones, VolumeOp's counterpart among them.
//
// On Argo it is a resource template. On KFP the program does the operation itself
// in a container of its own image, as the pod's service account; package k8s has
// what it needs for that, so import it. On this machine OnLocal stands in for it.
//
// When the task fails or is stopped while it waits, the program deletes what it has
// made; a resource template of Argo's leaves it. Owned cleans up on both, with the
// run, and an exit handler with k8s.Delete as soon as the rest has ended.
//
//	type JobOut struct {
//		Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
//	}
//
//	var RunJob = dsl.Resource("run-job", func(in JobIn, _ JobOut) dsl.ResourceSpec {
//		return dsl.ResourceSpec{
//			Action:   dsl.Create,
//			Manifest: fmt.Sprintf(jobYAML, in.Name, dsl.ProgramImage),
//			Success:  "status.succeeded > 0",
//			Failure:  "status.failed > 3",
//		}
//	})
func Resource[In, Out any](name string, spec func(In, Out) ResourceSpec, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Resource, name, opts)
	var once sync.Once
	c.define = func(*Scope) { // when all packages are initialized, which they are not yet
		once.Do(func() {
			if record.Operate == nil {
				c.c.Errorf(c.c.Pos, "component %s: the program can't reach a cluster; import github.com/kfpgo/kfpgo/dsl/k8s in it, with the name _ if nothing else needs it", name)
			}
		})
	}
	got := describe(c, spec)
	c.c.Resource = &graph.ResourceSpec{Action: string(got.Action), Manifest: got.Manifest, Success: got.Success, Failure: got.Failure, Owned: got.Owned}
	c.checkText(got.Manifest, got.Success, got.Failure)
	switch got.Action {
	case Create, Apply, Patch, Delete:
	default:
		c.c.Errorf(c.c.Pos, "component %s: no action %q; use dsl.Create, Apply, Patch or Delete", name, got.Action)
	}
	if got.Owned && got.Action != Create && got.Action != Apply {
		c.c.Errorf(c.c.Pos, "component %s: Owned is for an object that is created or applied, not for %s", name, got.Action)
	}
	if got.Manifest == "" {
		c.c.Errorf(c.c.Pos, "component %s: no manifest", name)
	}
	for _, f := range c.c.Outputs {
		if f.Type.Artifact || f.JSONPath == "" {
			c.c.Errorf(c.c.Pos, "component %s: output %s must be a parameter with a jsonpath tag", name, f.Name)
		} else if !strings.HasPrefix(f.JSONPath, "{.") || !strings.HasSuffix(f.JSONPath, "}") {
			c.c.Errorf(c.c.Pos, "component %s: jsonpath %q of output %s: write it as {.metadata.name}", name, f.JSONPath, f.Name)
		}
	}
	return c
}
