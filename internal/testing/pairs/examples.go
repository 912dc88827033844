package pairs

import "github.com/kfpgo/kfpgo/examples/calc"

var _ = pair(calc.Pipeline, "dsl.pipeline", "dsl.pipeline(name)", "output", "outputs", "outputs of a pipeline", "NamedTuple", "float", "defaults of inputs", "Compiler.compile", "kfp dsl compile")

// examples/mnist is a program, and compares in its own test.
var _ = example("mnist", "dsl.container_component", "dsl.ContainerSpec", "dsl.Metrics", "dsl.ClassificationMetrics", "dsl.OutputPath", "after a group", "dict", "int", "bool").OwnRuntime().
	Except(13, "/tasks/report/cachingOptions/enableCache")
