package pairs

// compilerRows are section 1.4 of KFP's features: the compiler and the loaders.
var compilerRows = []Section{{"Compiler", []Row{
	{ID: "Compiler.compile", Go: "`kfpgo compile`, `compiler.Compile`", Example: "examples/calc"},
	{ID: "Compiler.compile of a component"},
	{ID: "Compiler.compile(pipeline_name)"},
	{ID: "Compiler.compile(pipeline_display_name)"},
	{ID: "Compiler.compile(pipeline_parameters)"},
	{ID: "Compiler.compile(type_check)"},
	{ID: "Compiler.compile(kubernetes_manifest_format)"},
	{ID: "Compiler.compile(kubernetes_manifest_options)"},
	{ID: "components.load_component_from_text"},
	{ID: "components.load_component_from_file"},
	{ID: "components.load_component_from_url"},
	{ID: "kfp dsl compile", Go: "`kfpgo compile`", Example: "examples/calc"},
	{ID: "kfp dsl compile --disable-execution-caching-by-default"},
}}}
