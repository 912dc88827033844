package pairs

import "github.com/kfpgo/kfpgo/dsl"

var _ = pair(placeholders,
	"dsl.PIPELINE_JOB_NAME_PLACEHOLDER", "dsl.PIPELINE_JOB_RESOURCE_NAME_PLACEHOLDER", "dsl.PIPELINE_JOB_ID_PLACEHOLDER",
	"dsl.PIPELINE_TASK_NAME_PLACEHOLDER", "dsl.PIPELINE_TASK_ID_PLACEHOLDER", "dsl.PIPELINE_ROOT_PLACEHOLDER",
	"dsl.PIPELINE_JOB_CREATE_TIME_UTC_PLACEHOLDER", "dsl.PIPELINE_JOB_SCHEDULE_TIME_UTC_PLACEHOLDER",
	"dsl.PIPELINE_TASK_EXECUTOR_INPUT_PLACEHOLDER", "dsl.PIPELINE_TASK_EXECUTOR_OUTPUT_PATH_PLACEHOLDER")

var placeholders = dsl.Pipeline("placeholders", func(s *dsl.Scope, in textIn) dsl.None {
	for _, text := range []dsl.Param[string]{
		dsl.RunName(), dsl.RunResource(), dsl.RunID(), dsl.TaskName(), dsl.TaskID(), dsl.ArtifactRoot(),
		dsl.Sprintf("%s", dsl.RunCreated()), dsl.Sprintf("%s", dsl.RunScheduled()), dsl.Sprintf("run-%s of %s", dsl.RunID(), in.Text),
	} {
		say.Call(s, textIn{Text: text})
	}
	whoAmI.Call(s, dsl.None{})
	return dsl.None{}
})

var whoAmI = tool("who-am-i", "/who", func(dsl.None, dsl.None) []string {
	return dsl.Args("--run", dsl.RunID(), "--task="+dsl.TaskName().String(), dsl.ArtifactRoot().String()+"/x", dsl.ExecutorInput, dsl.ExecutorOutput)
})
