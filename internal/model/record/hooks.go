package record

import (
	"context"
	"encoding/json"
)

// Of returns the component that a dsl.Definition holds, or nil. Package dsl sets
// it, for packages that make components of their own kinds with its constructors.
var Of func(definition any) *Component

// RootOf records what a dsl.Definition defines, and returns its component or schedule.
// What isn't one, or is nil, has neither. Package dsl sets it.
var RootOf func(definition any) Root

// Operate does what a resource component says against the API of the cluster
// that this process runs in. Package dsl/k8s sets it, so that only programs that
// use Kubernetes objects link an HTTP client. Inputs and the result are JSON by name.
var Operate func(ctx context.Context, c *Component, inputs map[string]json.RawMessage) (map[string]json.RawMessage, error)

// Reexec reports whether this process has called dsl.Main or dsl.Init, so that
// its executable runs a step when it is started as a container would be. Where it
// is false the steps of a pipeline run in this process.
var Reexec bool

// ComponentsOf returns the components that definitions record: of a schedule, its pipeline.
func ComponentsOf[D any](defs []D) (all []*Component) {
	for _, d := range defs {
		r := RootOf(d)
		if r.Schedule != nil {
			r.Component = r.Schedule.Pipeline
		}
		all = append(all, r.Component)
	}
	return all
}
