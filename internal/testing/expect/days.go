package expect

import "github.com/kfpgo/kfpgo/dsl"

// DaysIn gets the fire time.
type DaysIn struct {
	Day dsl.Param[string] `default:""`
}

// Days is the pipeline for an Engine with containers, which ends when its pod is deleted.
var Days = dsl.Pipeline("days", func(s *dsl.Scope, in DaysIn) dsl.None {
	dsl.Container("wait", func(in DaysIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "registry.local/busybox:1", Command: dsl.Args("sh", "-c", "sleep 1000000", in.Day)}
	}).Call(s, in)
	return dsl.None{}
})
