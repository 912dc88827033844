package pairs

const (
	server  = "It talks to a server, and compiles nothing."
	running = "It runs a pipeline on this machine, and compiles nothing."
	refuses = "Python refuses it, so there is no IR to compare."
)

// elsewhereRows are sections 1.5 to 1.7 of KFP's features, and the commands of
// its command line that don't compile.
var elsewhereRows = []Section{
	{"Command line", []Row{
		{ID: "kfp component build", Elsewhere: "It builds an image."},
		{ID: "kfp diagnose_me", Elsewhere: "It looks at a machine, and compiles nothing."},
		{ID: "kfp experiment, run, recurring-run, pipeline", Elsewhere: server},
	}},
	{"Client", []Row{
		{ID: "Client: experiments, pipelines and runs", Elsewhere: server},
		{ID: "Client.create_recurring_run", Go: "`dsl.NewSchedule`", Example: "dsl.ExampleNewSchedule", Elsewhere: server},
		{ID: "RegistryClient", Elsewhere: server},
		{ID: "kubeflow_client.PipelinesClient", Elsewhere: server},
	}},
	{"Local runs", []Row{
		{ID: "local.init", Go: "`kfpgo run`, `local.Run`: nothing to set up", Example: "examples/calc", Elsewhere: running},
		{ID: "local.SubprocessRunner", Go: "`kfpgo run`", Example: "examples/calc", Elsewhere: running},
		{ID: "local.DockerRunner", Go: "`kfpgo run`, with podman or docker", Example: "examples/calc", Elsewhere: running},
	}},
	{"Errors", []Row{
		{ID: "TypeError of arguments", Go: "an error of Go's compiler", Elsewhere: refuses},
		{ID: "InconsistentTypeException", Go: "an error of Go's compiler", Elsewhere: refuses},
		{ID: "InvalidTopologyException", Go: "an error with the line in Go", Example: "dsl.ExampleErrorList", Elsewhere: refuses},
		{ID: "InvalidControlFlowException", Go: "an error of Go's compiler", Elsewhere: refuses},
		{ID: "ValueError of options", Go: "an error with the line in Go", Example: "dsl.ExampleErrorList", Elsewhere: refuses},
	}},
}
