package feature

import "slices"

// Table is all that a program can use. A test holds it complete.
var Table = slices.Concat(rows, language, files, python, kubernetes)

var rows = []Row{
	row("exec.go", "dsl.Func", yes, yes, yes),
	row("exec.container", "dsl.Container", yes, yes, but("needs podman or docker, or an OnLocal stand-in")),
	row("exec.python", "dsl.Python", yes, yes, but("runs with this machine's Python")),
	row("exec.python.local-packages", "PythonSource.LocalPackages", but("the image has them"), but("the image has them"), yes),
	row("exec.resource.create-pvc", "k8s.CreatePVC", yes, yes, but("a folder of the run")),
	row("create-pvc.data-source", "k8s.FromSnapshot, FromPVC", since(17, ""), yes, no("only a cluster has what the claim starts from; start from an empty one here")),
	row("exec.resource.delete-pvc", "k8s.DeletePVC", yes, yes, yes),
	row("exec.resource", "dsl.Resource", but("runs in the program's image, with the pod's service account"), yes, but("needs an OnLocal stand-in")),
	row("exec.importer", "dsl.Import", yes, no("an importer is not built for it yet; download the artifact in a step"), yes),
	row("pipeline", "a pipeline called in a pipeline", yes, yes, yes),

	row("output.path", "dsl.OutputAt", but("the command is wrapped in a shell of the image"), yes, yes),
	row("placeholder.if-present", "dsl.IfPresent", yes, no("an argument can't vanish while it runs; it works for an input that is a constant or left out, or has a default"), yes),
	row("placeholder.uri", "Artifact.URI in a container or resource", yes, but("needs --artifact-root"), yes),

	row("when", "dsl.If, Elif, Else", yes, yes, yes),
	row("when.given", "dsl.Given of a parameter", yes, yes, yes),
	row("when.given.artifact", "dsl.Given of an artifact", no("its conditions see parameters only; add a parameter that says so"), yes, yes),
	row("one-of.parameter", "dsl.OneOf of a parameter", yes, yes, yes),
	row("one-of.artifact", "dsl.OneOf of an artifact", yes, yes, yes),
	row("each.constant", "dsl.ParallelFor over a constant", yes, yes, yes),
	row("each.parameter", "dsl.ParallelFor over a reference", yes, yes, yes),
	row("each.artifact", "dsl.ParallelForArtifacts", yes, yes, yes),
	row("each.parallelism", "dsl.Parallelism", since(4, ""), yes, yes),
	row("collected.parameter", "dsl.Collected", since(14, ""), yes, yes),
	row("collected.artifact", "dsl.CollectedArtifacts", since(14, ""), yes, yes),
	row("exit", "dsl.OnExit for the whole pipeline", yes, yes, yes),
	row("exit.group", "dsl.OnExit in a group, branch, loop or nested pipeline", yes, but("the state, not which task failed or why"), yes),
	row("status", "the final status", since(14, "the state; the failed task where the server gives it"), yes, yes),
	row("status.field", "a field of the final status in the pipeline", no("the status can't be taken apart there; read it in a component"), yes, yes),
	row("after", "dsl.After", yes, yes, yes),
	row("always", "dsl.IgnoreUpstreamFailure", yes, yes, yes),
	row("format", "dsl.Sprintf", yes, yes, yes),
	row("field", "dsl.Field, dsl.Fields", yes, but("an integer beyond 2^53 fails the task"), yes),
	row("list", "dsl.List as an input", yes, yes, yes),

	row("image", "dsl.Image", yes, yes, yes),
	row("image.reference", "dsl.Image of a reference", since(4, ""), yes, yes),
	row("cpu", "dsl.CPU, dsl.CPURequest", yes, yes, but("not limited")),
	row("cpu.reference", "dsl.CPU, dsl.CPURequest of a reference", since(4, ""), yes, but("not limited")),
	row("memory", "dsl.Memory, dsl.MemoryRequest", yes, yes, but("not limited")),
	row("memory.reference", "dsl.Memory, dsl.MemoryRequest of a reference", since(4, ""), yes, but("not limited")),
	row("accelerator", "dsl.GPU, dsl.Accelerator", yes, yes, but("GPUs are counted, and a share of one (tencent.com/vcuda-core) takes all of it; other devices are refused")),
	row("accelerator.reference", "dsl.GPU, dsl.Accelerator of a reference", since(4, ""), yes, yes),
	row("accelerator.type", "dsl.Accelerator of a resource type that is a reference", since(4, ""), yes, yes),
	row("accelerator.count", "a number of devices without their type, in a file", but("its server does nothing about it"), no("it must know which devices; name their type"), no("it must know which devices; name their type")),
	row("accelerator.several", "several device resources on a task", no("its IR holds one kind of device for a task; ask for one"), yes, yes),
	row("env", "dsl.Env", yes, yes, yes),
	row("env.reference", "dsl.Env of a reference, in a Go or Python step", but("as an input, which the step's runtime makes a variable"), yes, yes),
	row("env.reference.container", "dsl.Env of a reference, in a container or a step in KFP's own form", no("its IR holds constant variables only; pass the value as an argument"), yes, yes),
	row("timeout", "dsl.Timeout", since(2, ""), yes, yes),
	row("retry", "dsl.Retry", yes, yes, yes),
	row("retry.reference", "dsl.Retry of a reference", no("its IR holds a constant count only"), yes, yes),
	row("no-cache", "dsl.NoCache", yes, but("nothing is cached there"), yes),
	row("cache-key", "dsl.CacheKey", since(4, ""), but("nothing is cached there"), yes),
}
