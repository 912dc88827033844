package kfp_test

import "github.com/kfpgo/kfpgo/dsl"

type (
	textIn    struct{ Text dsl.Param[string] }
	textOut   struct{ Out dsl.Param[string] }
	intIn     struct{ N dsl.Param[int] }
	sweepItem struct {
		Rate dsl.Param[float64] `json:"rate"`
		N    dsl.Param[int]     `json:"n"`
	}
)

var (
	say = dsl.Container("say", func(in textIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "x", Command: []string{"/say"}, Args: dsl.Args(in.Text)}
	})
	makeInt = dsl.Container("make-int", func(in intIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "x", Command: []string{"/int"}, Args: dsl.Args(in.N)}
	})
)
