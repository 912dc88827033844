package pairs

// taskRows are section 1.2 of KFP's features: the methods of a task.
var taskRows = []Section{{"Tasks", []Row{
	{ID: "set_caching_options", Example: "dsl.ExampleOptions"},
	{ID: "set_caching_options(cache_key)", Example: "dsl.ExampleOptions"},
	{ID: "set_cpu_request", Example: "dsl.ExampleOptions"},
	{ID: "set_cpu_limit", Example: "dsl.ExampleOptions"},
	{ID: "set_memory_request", Example: "dsl.ExampleOptions"},
	{ID: "set_memory_limit", Example: "dsl.ExampleOptions"},
	{ID: "set_accelerator_type", Go: "`dsl.Accelerator`", Example: "dsl.ExampleOptions"},
	{ID: "set_accelerator_limit", Go: "`dsl.Accelerator`, `dsl.GPU`", Example: "dsl.ExampleOptions"},
	{ID: "set_gpu_limit", Go: "`dsl.GPU`", Example: "dsl.ExampleOptions"},
	{ID: "add_node_selector_constraint", Go: "`dsl.Accelerator`", Example: "dsl.ExampleOptions"},
	{ID: "resources of references", Go: "the same options with a `dsl.Param`", Example: "dsl.ExampleOptions"},
	{ID: "set_retry", Go: "`dsl.Retry`, `dsl.Backoff`", Example: "dsl.ExampleOptions"},
	{ID: "set_display_name", Go: "`dsl.Named`", Example: "dsl.ExampleOptions"},
	{ID: "set_env_variable", Example: "dsl.ExampleOptions"},
	{ID: "set_container_image", Example: "dsl.ExampleOptions"},
	{ID: "set_container_image of a reference", Go: "`dsl.Image` with a `dsl.Param`", Example: "dsl.ExampleOptions"},
	{ID: "set_debug_pause", Go: "`argo.DebugPause`", Example: "argo.ExampleDebugPause"},
	{ID: "after", Go: "`dsl.After`", Example: "dsl.ExampleAfter"},
	{ID: "after a group", Go: "`dsl.After` of a `dsl.Group`", Example: "dsl.ExampleGroup"},
	{ID: "ignore_upstream_failure", Go: "`dsl.IgnoreUpstreamFailure`", Example: "dsl.ExampleOptions"},
	{ID: "output", Go: "a field of `Task.Out`", Example: "dsl.ExamplePipeline"},
	{ID: "outputs", Go: "`Task.Out`", Example: "dsl.ExamplePipeline"},
	{ID: "name, inputs, dependent_tasks, platform_spec", Elsewhere: "They read a pipeline that is being made. The graph has it all."},
}}}
