package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("toleration", TolerationFound, TolerationFixed) }

// Found:

var TolerationFound = dsl.Pipeline("toleration", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, dsl.GPU(1))
	return dsl.None{}
})

// Fixed:

var TolerationFixed = dsl.Pipeline("tolerated", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, dsl.GPU(1), k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists, Effect: k8s.NoSchedule}))
	return dsl.None{}
})
