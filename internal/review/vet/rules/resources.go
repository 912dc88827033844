package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("resources", ResourcesFound, ResourcesFixed) }

// Found:

var ResourcesFound = dsl.Pipeline("resources", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, dsl.Memory("1Gi"), dsl.MemoryRequest("2Gi"))
	return dsl.None{}
})

// Fixed:

var ResourcesFixed = dsl.Pipeline("resources-fixed", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, dsl.Memory("2Gi"), dsl.MemoryRequest("1Gi"))
	return dsl.None{}
})
