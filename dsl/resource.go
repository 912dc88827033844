package dsl

import "github.com/kfpgo/kfpgo/internal/graph"

// An Action is what a resource component does with an object.
type Action string

const (
	Create Action = "create"
	Apply  Action = "apply" // create or update
	Patch  Action = "patch"
	Delete Action = "delete"
)

// A ResourceSpec is an operation on a Kubernetes object. The strings may hold
// placeholders of the inputs, as in a [ContainerSpec].
type ResourceSpec struct {
	Action   Action
	Manifest string // YAML
	Success  string // field condition to wait for: "status.succeeded > 0"
	Failure  string // field condition that fails the task
}

// Resource returns a component that works on a Kubernetes object. An output's
// jsonpath tag says where in the object its value is. Its KFP v1 counterpart is
// ResourceOp. Package k8s has ready-made ones, VolumeOp's counterpart among them.
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
	got := describe(c, spec)
	c.c.Resource = &graph.ResourceSpec{Action: string(got.Action), Manifest: got.Manifest, Success: got.Success, Failure: got.Failure}
	c.checkText(got.Manifest, got.Success, got.Failure)
	switch got.Action {
	case Create, Apply, Patch, Delete:
	default:
		c.c.Errorf(c.c.Pos, "component %s: no action %q; use dsl.Create, Apply, Patch or Delete", name, got.Action)
	}
	if got.Manifest == "" {
		c.c.Errorf(c.c.Pos, "component %s: no manifest", name)
	}
	for _, f := range c.c.Outputs {
		if f.Type.Artifact || f.JSONPath == "" {
			c.c.Errorf(c.c.Pos, "component %s: output %s must be a parameter with a jsonpath tag", name, f.Name)
		}
	}
	return c
}
