package feature

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

const argoAlone = "it is what Argo does, and means nothing there"

// language are features that concern the pipeline as a whole, and what a run
// knows of itself.
var language = []Row{
	row("input.artifact", "an artifact as an input of the pipeline", yes, but("given as a URI, or as a key of the cluster's repository"), but("given as a path or URI")),
	row("input.artifact.list", "a list of artifacts as an input of the pipeline", yes, no("a Workflow can't be given a list of them; take them one by one"), but("given as a list of paths or URIs")),
	row("config.root", "a Root", yes, no("artifacts go where the cluster's artifact repository says; leave Root out, or give --artifact-root, which is used in its place"), but("a folder of the run")),
	row("config.deadline", "a Deadline", since(17, ""), yes, yes),
	row("config.ttl", "TTL, TTLOnSuccess, TTLOnFailure", since(17, ""), yes, but("a run's folder stays until it is deleted")),
	row("config.argo", "argo.Config", but(argoAlone), yes, but(argoAlone)),
	row("config.argo.cache", "argo.Config.CacheFor", but("it has a cache of its own"), but("steps that take or make artifacts, mount volumes or ask about the run always run"), but("it has a cache of its own")),
	row("workspace", "a Workspace", since(14, ""), yes, but("a folder of the run")),

	row("import.workspace", "ImportConfig.Workspace", since(15, ""), but("each step fetches it where it runs"), but("it is read where it is")),
	row("import.metadata", "ImportConfig.Metadata", yes, yes, yes),
	row("import.metadata.reference", "ImportConfig.Metadata with references", wrong(0, "give the artifact the placeholder in place of the value", "write constants there, or let a step make the artifact and set its metadata"), yes, yes),
	row("import.scheme", "dsl.Import from a place that Argo has no word for", but("what its storage drivers know"), no("it fetches from s3, gs, http, https, git, oss and minio, the last two with ?endpoint=HOST, and objects rather than whole buckets; download the artifact in a step"), but("it is read where it is")),
	row("import.found", "dsl.Import of a URI that is neither a constant nor an input", wrong(0, "fail it", "call dsl.Import in a pipeline that takes the URI as an input"), yes, yes),
	row("import.joined", "dsl.Import in the branches of a dsl.OneOf of what may be only metadata, such as dsl.Metrics", yes, no("it can't determine which of the branches' artifacts exists; import after them"), yes),
	row("import.collected", "dsl.CollectedArtifacts of dsl.Import", since(14, ""), no("a list is a folder there; import them one by one outside of the loop"), yes),
	row("placeholder.metadata", "Artifact.Metadata, MetadataJSON in a container", wrong(0, "pass on the placeholder in place of the value", "read the metadata in a Go or Python step, and pass the value"), yes, yes),
	row("placeholder.executor", "dsl.ExecutorInput, ExecutorOutput", yes, but("what it writes as executor output is not read, as on this machine; the files of its outputs are"), yes),
	row("placeholder.list", "dsl.List in the arguments of a container", yes, no("it has no list of artifacts as a string; read the list in a Go or Python component"), yes),

	row("task-config", "dsl.TaskConfig", since(15, ""), no("it doesn't pass the settings of a task to its step; pass what the step needs as inputs"), but("it is empty: there is no pod")),
	row("status.task", "dsl.StatusOf", yes, yes, yes),

	row("run", "dsl.RunName, RunID, RunResource, RunCreated, TaskName, WorkspacePath", since(5, ""), yes, yes),
	row("run.pipeline_root", "dsl.ArtifactRoot", wrong(0, "pass on the placeholder in place of the value", "give --kfp-version, with which a step in the program's image finds it, or take the URI of an output of a step"), but("needs --artifact-root"), yes),
	row("run.pipeline_task_uuid", "dsl.TaskID", since(5, ""), no("the name of a pod isn't known in its arguments; use dsl.RunID and dsl.TaskName"), yes),
	row("run.pipeline_job_schedule_time_utc", "dsl.RunScheduled", since(5, ""), but("the time of the start, in a run that no schedule has started"), but("the time of the start")),
}

// unread adds the fields of a file that the program has no word for, each at its line.
func (u *user) unread() {
	if u.p.IR == nil {
		return
	}
	pos := u.task.Pos
	for _, f := range u.p.IR.Unread {
		u.task.Pos = f.Pos
		if f.Known {
			u.addOf("field.kfp", f.Path)
		} else {
			u.addOf("field.unknown", f.Path)
		}
	}
	u.task.Pos = pos
}

// whole adds what concerns the pipeline as a whole.
func (u *user) whole(main *program.Component) {
	for _, in := range main.Inputs {
		switch {
		case in.Type.Artifact && in.Type.List:
			u.add("input.artifact.list")
		case in.Type.Artifact:
			u.add("input.artifact")
		}
	}
	if u.p.Root != "" {
		u.add("config.root")
	}
	u.unread()
	c := u.p.Config
	if c == nil {
		return
	}
	if c.Deadline != 0 {
		u.add("config.deadline")
	}
	if c.TTL != 0 || c.TTLOnSuccess != 0 || c.TTLOnFailure != 0 {
		u.add("config.ttl")
	}
	if c.Workspace != nil {
		u.add("workspace")
	}
	if a := c.Argo; a != nil {
		if a.CacheFor != 0 {
			u.add("config.argo.cache")
		}
		b := *a
		if b.CacheFor = 0; b != (graph.Argo{}) {
			u.add("config.argo")
		}
	}
}

// importer adds how an artifact is imported.
func importer(x *program.Importer, add func(id string)) {
	if x != nil && x.Workspace {
		add("import.workspace")
	}
	if x != nil && len(x.Metadata) > 0 {
		add("import.metadata")
		for _, value := range x.Metadata {
			if placeholder.In(value) != "" {
				add("import.metadata.reference")
			}
		}
	}
}

// present adds the IfPresents of an element of a command, where it is known which
// of their branches is meant only those of that.
func (u *user) present(t *program.Task, c *program.Component, e placeholder.Element) {
	for _, of := range e.Concat {
		u.present(t, c, of)
	}
	if e.If == nil {
		return
	}
	u.add("placeholder.if-present")
	in := c.Input(e.If.Input)
	if in == nil {
		return
	}
	v, ok := t.Args[in.Name]
	switch {
	case !ok || in.Default != nil:
	case in.Type.Artifact && (u.p.IR != nil || u.p.Nullable(u.in, v)): // IR of a file is sent as it is
		u.add("placeholder.if-present.artifact")
	case u.p.Nullable(u.in, v):
		u.add("placeholder.if-present.run")
	}
	branch := e.If.Else
	if ok || in.Default != nil {
		branch = e.If.Then
	}
	for _, of := range branch {
		u.present(t, c, of)
	}
}

// run returns the feature of what a run knows of itself.
func run(name string) (id, of string) {
	switch id := "run." + name; {
	case id == "run.pipeline_root", id == "run.pipeline_task_uuid", id == "run.pipeline_job_schedule_time_utc":
		return id, ""
	case !placeholder.Known(name):
		return "run.unknown", name
	}
	return "run", ""
}

// strings adds what a run knows of itself in the strings of a container.
func texts(texts []string, add func(id, of string)) {
	for _, text := range texts {
		for _, p := range placeholder.Parse(text) {
			if p.Kind == placeholder.Executor || p.Kind == placeholder.OutputFile {
				add("placeholder.executor", "")
			} else if p.Field == "metadata" {
				add("placeholder.metadata", "")
			} else if p.Kind == placeholder.InputArtifact && p.Field == "" {
				add("placeholder.list", "")
			}
		}
		for {
			_, after, ok := strings.Cut(text, "{{$.")
			name, rest, end := strings.Cut(after, "}}")
			if !ok || !end {
				break
			}
			if text = rest; strings.HasPrefix(name, "pipeline_") || name == "workspace_path" {
				add(run(name))
			}
		}
	}
}

// imported adds a place that a task imports from, if it is known.
func (u *user) imported(t *program.Task, x *program.Importer) {
	uri := t.Args["uri"]
	if x == nil {
		return
	}
	if uri.Kind != program.Const && uri.Kind != program.Input || len(uri.Field) > 0 {
		u.add("import.found")
		return
	}
	text, ok := uri.Constant()
	if !ok || t.Settings.Store != nil {
		return
	}
	if strings.HasPrefix(text, Data) {
		u.add("import.data")
	}
	if ImportScheme(text) != "" {
		u.add("import.scheme")
	}
}

// joined reports whether an output of branches may be an imported artifact that only
// its key could distinguish from the others, if it had one: that of a kind that is often
// nothing but metadata.
func (u *user) joined(c *program.Component, out program.Port) bool {
	return strings.HasSuffix(out.Type.Name, "Metrics") && u.p.Imported(c, out.Name)
}
