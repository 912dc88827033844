// Package dsl defines typed pipelines.
//
// A component has a name, an In struct and an Out struct, whose fields are
// [Param] and [Artifact] values. [Func] makes one from a Go function, [Python]
// from a Python function, [Container] from a command in an image, [Resource]
// from an operation on a Kubernetes object, and [Pipeline] from other
// components. All are used the same way: [Component.Call] adds a task to a
// [Scope] and returns typed references to its outputs.
//
//	var Add = dsl.Func("add", func(_ context.Context, in AddIn, out *AddOut) error {
//		out.Sum.Set(in.A.Get() + in.B.Get())
//		return nil
//	})
//
//	var Pipeline = dsl.Pipeline("sum", func(s *dsl.Scope, in SumIn) SumOut {
//		first := Add.Call(s, AddIn{A: in.X, B: dsl.Const(4)})
//		second := Add.Call(s, AddIn{A: first.Out.Sum, B: in.Y}, dsl.CPU("2"))
//		return SumOut{Total: second.Out.Sum}
//	})
//
// The order of tasks is that of the values that they pass; [After] adds to it.
// The exported variable Pipeline is the one that kfpgo compiles and runs; with
// another name, say which: kfpgo run ./sum#Other.
//
// # Two lives of a value
//
// While a pipeline is defined, a Param or Artifact is a reference: it says
// where a value will come from. While a component runs, the same field holds
// the value. What Go would let you do with a value that isn't there yet does
// not compile, or is an error that names the line.
//
// A value that is known already is a [Const]. Conditions and options take plain
// Go values too: dsl.Eq(in.Env, "production"), dsl.GPU(1), dsl.GPU(in.GPUs).
// Text with references in it is a [Sprintf], and fields of a struct that is
// passed as one value are [Fields].
//
// # Control
//
// [If] and [OneOf] branch on a [Cond], [ParallelFor] and [ForEach] repeat, [OnExit] runs at
// the end whatever happened. Their bodies are functions that get a Scope of
// their own. A value leaves a branch through OneOf, and a loop through [Collected].
//
// # Inputs that may be left out
//
// A required input that is left out is a mistake. A default tag, or
// [Component.Defaults], gives a value. An input tagged kfp:",optional" has none:
// [Given] and [IfPresent] ask for it in a pipeline and in a container, and
// [Param.Lookup] in a Go function.
//
// # Schedules
//
// [NewSchedule] says when a pipeline runs and with which arguments.
//
// # Mistakes
//
// Nothing here panics on a bad definition and no call returns an error.
// Mistakes are collected, each with its source line, and reported together as
// an [ErrorList] by [Component.Check], which a unit test calls, and by all that
// compiles or runs a pipeline.
//
// # Coming from KFP
//
//	ContainerOp, @container_component      Container
//	create_component_from_func, @component Python, or Func in Go
//	ResourceOp                             Resource, k8s.Apply
//	VolumeOp, CreatePVC                    k8s.CreatePVC
//	PipelineVolume, mount_pvc              k8s.MountPVC
//	file_outputs                           OutputAt
//	InputPath, OutputPath                  Artifact.Path, Param.Path
//	dsl.Condition, dsl.If                  If
//	dsl.OneOf                              OneOf
//	dsl.ParallelFor, dsl.Collected         ParallelFor, Collected
//	dsl.ExitHandler                        OnExit, Group
//	PipelineTaskFinalStatus                FinalStatus
//	dsl.importer                           Import
//	set_gpu_limit, set_accelerator_limit   GPU, Accelerator
//	set_memory_limit, set_cpu_limit        Memory, CPU
//	set_env_variable, use_secret_as_env    Env, k8s.SecretEnv
//	add_node_selector, add_toleration      k8s.NodeSelector, k8s.Tolerate
//	set_retry, set_timeout                 Retry, Timeout
//	set_caching_options                    NoCache, CacheKey
//	after, ignore_upstream_failure         After, IgnoreUpstreamFailure
//	set_display_name, set_container_image  Named, Image
//	log_metric, log_confusion_matrix       LogMetric, SetConfusionMatrix
//	create_recurring_run                   NewSchedule
package dsl
