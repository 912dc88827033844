package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("retry", RetryFound, RetryFixed) }

// Found:

var CreateQueue = dsl.Resource("create-queue", func(in RunIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Create, Manifest: queue}
})

var RetryFound = dsl.Pipeline("retry", func(s *dsl.Scope, in RunIn) dsl.None {
	CreateQueue.Call(s, in, dsl.Retry(3))
	return dsl.None{}
})

// Fixed:

var ApplyQueue = dsl.Resource("apply-queue", func(in RunIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Manifest: queue}
})

var RetryFixed = dsl.Pipeline("retry-fixed", func(s *dsl.Scope, in RunIn) dsl.None {
	ApplyQueue.Call(s, in, dsl.Retry(3))
	return dsl.None{}
})

const queue = `
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: training}
spec: {weight: 1}
`
