package dsl

// What a container can read about how KFP runs it, for programs that speak KFP's
// own protocol: their argument is all inputs and outputs as one JSON, and they
// write one with what they produced. KFP's Python has
// PIPELINE_TASK_EXECUTOR_INPUT_PLACEHOLDER and
// PIPELINE_TASK_EXECUTOR_OUTPUT_PATH_PLACEHOLDER.
//
//	return dsl.ContainerSpec{
//		Image:   "ghcr.io/acme/launcher:2",
//		Command: []string{"/launcher", "--executor-input", dsl.ExecutorInput},
//	}
const (
	ExecutorInput  = "{{$}}"                     // the JSON itself
	ExecutorOutput = "{{$.outputs.output_file}}" // the path of the file to write
)
