package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("gpu", GPUFound, GPUFixed) }

// Found:

var GPUFound = dsl.Pipeline("gpu", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"))
	return dsl.None{}
})

// Fixed:

var GPUFixed = dsl.Pipeline("gpu-asked", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, dsl.GPU(1),
		k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"),
		k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists}))
	return dsl.None{}
})
