package record

import (
	"context"
	"encoding/json"
)

// Of returns the component that a dsl.Definition holds, or nil. Package dsl sets
// it, for packages that make components of their own kinds with its constructors.
var Of func(definition any) *Component

// Operate does what a resource component says against the API of the cluster
// that this process runs in. Package dsl/k8s sets it, so that only programs that
// use Kubernetes objects link an HTTP client. Inputs and the result are JSON by name.
var Operate func(ctx context.Context, c *Component, inputs map[string]json.RawMessage) (map[string]json.RawMessage, error)

// Reexec reports whether this process has called dsl.Main or dsl.Init, so that
// its executable runs a step when it is started as a container would be. Where it
// is false the steps of a pipeline run in this process.
var Reexec bool
