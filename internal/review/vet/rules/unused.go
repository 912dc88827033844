package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("unused", UnusedFound, UnusedFixed) }

// Found:

type UnusedIn struct {
	Day  dsl.Param[string]
	Rate dsl.Param[float64] `default:"0.1"`
}

var UnusedFound = dsl.Pipeline("unused", func(s *dsl.Scope, in UnusedIn) dsl.None {
	Job.Call(s, RunIn{Day: in.Day})
	return dsl.None{}
})

// Fixed:

var UnusedFixed = dsl.Pipeline("used", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, RunIn{Day: in.Day})
	return dsl.None{}
})
