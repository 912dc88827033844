package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("image", ImageFound, ImageFixed) }

// Found:

var Latest = dsl.Container("latest", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "ghcr.io/acme/trainer:latest", Command: []string{"train"}}
})

var ImageFound = dsl.Pipeline("image", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Latest.Call(s, dsl.None{})
	return dsl.None{}
})

// Fixed:

var Pinned = dsl.Container("pinned", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "ghcr.io/acme/trainer:1.4.2", Command: []string{"train"}}
})

var ImageFixed = dsl.Pipeline("image-pinned", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Pinned.Call(s, dsl.None{})
	return dsl.None{}
})
