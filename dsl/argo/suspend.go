package argo

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A SuspendSpec says how long a suspended step waits.
type SuspendSpec struct {
	// Duration, if it isn't 0, is how long the step waits: whole seconds. Then it ends with
	// the defaults of its outputs, of which each must have one or be optional.
	Duration time.Duration
}

// Suspend returns a component that waits for a person (suspend). Its outputs are
// parameters that the person gives who resumes it, in Argo's UI or with argo node set
// and argo resume. An output may have allowed values, a default and a description:
//
//	type Decision struct {
//		Deploy  dsl.Param[string] `enum:"YES,NO" default:"NO" doc:"deploy to production?"`
//		Comment dsl.Param[string] `kfp:",optional"`
//	}
//
// The person sees the inputs, such as the score of the model. Argo doesn't check the
// value that the person gives.
//
// On this machine kfpgo run asks on the terminal, or takes the outputs from --answer
// TASK.OUTPUT=VALUE. A stand-in, set with OnLocal, answers in their place.
func Suspend[In, Out any](name string, spec SuspendSpec, opts ...dsl.Option) *dsl.Component[In, Out] {
	d := dsl.Container(name, func(In, Out) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "none"} }, opts...)
	c := record.Of(d)
	c.Kind, c.Container, c.Suspend = graph.Suspend, nil, &graph.SuspendSpec{Duration: int64(spec.Duration / time.Second)}
	if spec.Duration < 0 || spec.Duration%time.Second != 0 {
		c.Errorf(c.Pos, "component %s: Duration is %v; use whole seconds, or 0 to wait without a limit", name, spec.Duration)
	}
	for _, f := range c.Outputs {
		text := string(f.Default)
		json.Unmarshal(f.Default, &text) // others than strings are as JSON has them
		switch {
		case f.Type.Artifact:
			c.Errorf(c.Pos, "component %s: output %s is an artifact; a person gives parameters", name, f.Name)
		case f.Default != nil && f.Optional:
			c.Errorf(c.Pos, "component %s: output %s is optional and has a default; leave one of them out", name, f.Name)
		case f.Default != nil && f.Enum != nil && !slices.Contains(f.Enum, text):
			c.Errorf(c.Pos, "component %s: output %s: the default %q is not one of the enum tag, %q", name, f.Name, text, f.Enum)
		case spec.Duration > 0 && f.Default == nil && !f.Optional:
			c.Errorf(c.Pos, "component %s: output %s has no default, and after %v nobody has given it; add a default tag, or kfp:\",optional\"", name, f.Name, spec.Duration)
		}
		if slices.ContainsFunc(c.Inputs, func(in graph.Field) bool { return in.Name == f.Name }) {
			c.Errorf(c.Pos, "component %s: an input and an output are both named %s, and Argo shows them as one; rename one of them", name, f.Name)
		}
	}
	return d
}
