package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("quota", QuotaFound, QuotaFixed) }

// Found:

var gpus = []dsl.Option{dsl.GPU(2), k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists})}

var QuotaFound = dsl.Pipeline("quota", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.ParallelFor(s, dsl.Const([]string{"mon", "tue", "wed"}), func(s *dsl.Scope, day dsl.Param[string]) dsl.None {
		Job.Call(s, RunIn{Day: day}, gpus...)
		return dsl.None{}
	})
	return dsl.None{}
})

// Fixed:

var QuotaFixed = dsl.Pipeline("quota-kept", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.ParallelFor(s, dsl.Const([]string{"mon", "tue", "wed"}), func(s *dsl.Scope, day dsl.Param[string]) dsl.None {
		Job.Call(s, RunIn{Day: day}, gpus...)
		return dsl.None{}
	}, dsl.Parallelism(2))
	return dsl.None{}
})
