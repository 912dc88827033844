package pairs

// compilerRows are section 1.4 of KFP's features: the compiler and the loaders.
var compilerRows = []Section{{"Compiler", []Row{
	{ID: "Compiler.compile", Go: "`kfpgo compile`, `compiler.Compile`", Example: "compiler.ExampleCompile"},
	{ID: "Compiler.compile of a component", Go: "the same: it becomes a pipeline of one task", Example: "compiler.ExampleCompile_component"},
	{ID: "Compiler.compile(pipeline_name)", Go: "`kfpgo compile --name`, `compiler.Name`", Example: "compiler.ExampleCompile_changed"},
	{ID: "Compiler.compile(pipeline_display_name)", Go: "`kfpgo compile --display-name`, `compiler.DisplayName`", Example: "compiler.ExampleCompile_changed"},
	{ID: "Compiler.compile(pipeline_parameters)", Go: "`kfpgo compile -p name=value`, `compiler.Defaults`", Example: "compiler.ExampleCompile_changed"},
	{ID: "Compiler.compile(type_check)", Go: "types are always checked, by Go's compiler", Example: "compiler.ExampleCompile"},
	{ID: "Compiler.compile(kubernetes_manifest_format)", Go: "`kfpgo compile --target kfp-manifest`, `compiler.KFPManifest`", Example: "compiler.ExampleCompile_manifest"},
	{ID: "Compiler.compile(kubernetes_manifest_options)", Go: "`kfpgo compile --namespace`, `--version-name` …, `compiler.Objects`", Example: "compiler.ExampleCompile_manifest"},
	{ID: "components.load_component_from_text", Go: "`components.Load` of `components.Bytes`; `kfpgo gen` writes typed Go", Example: "components.ExampleLoad"},
	{ID: "components.load_component_from_file", Go: "`components.Load` of `components.File`; `kfpgo gen` writes typed Go, `kfpgo import` a package", Example: "components.ExampleLoad"},
	{ID: "components.load_component_from_url", Go: "`components.Load` of `components.URL`, with a digest", Example: "components.ExampleLoad"},
	{ID: "kfp dsl compile", Go: "`kfpgo compile`", Example: "examples/calc"},
	{ID: "kfp dsl compile --disable-execution-caching-by-default", Go: "`kfpgo compile --no-cache`, `compiler.NoCache`", Example: "compiler.ExampleCompile_changed"},
}}}
