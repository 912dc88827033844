package feature

import "strings"

// language are features that concern the pipeline as a whole, and what a run
// knows of itself.
var language = []Row{
	row("config.root", "a Root", yes, no("artifacts go where the cluster's artifact repository says; leave Root out"), but("a folder of the run")),
	row("config.deadline", "a Deadline", yes, yes, yes),
	row("config.ttl", "TTL, TTLOnSuccess, TTLOnFailure", yes, yes, but("a run's folder stays until it is deleted")),
	row("workspace", "a Workspace", yes, yes, but("a folder of the run")),

	row("run", "dsl.RunName, RunID, RunResource, RunCreated, TaskName, WorkspacePath", yes, yes, yes),
	row("run.pipeline_root", "dsl.ArtifactRoot", yes, but("needs --artifact-root"), yes),
	row("run.pipeline_task_uuid", "dsl.TaskID", yes, no("the name of a pod isn't known to what it is given; use dsl.RunID and dsl.TaskName"), yes),
	row("run.pipeline_job_schedule_time_utc", "dsl.RunScheduled", yes, no("a run knows its schedule's time only as an argument; pass dsl.FireTime to an input"), but("the time of the start")),
}

// whole adds what concerns the pipeline as a whole.
func (u *user) whole() {
	if u.p.Root != "" {
		u.add("config.root")
	}
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
}

// run adds what a run knows of itself.
func (u *user) run(name string) {
	switch id := "run." + name; id {
	case "run.pipeline_root", "run.pipeline_task_uuid", "run.pipeline_job_schedule_time_utc":
		u.add(id)
	default:
		u.add("run")
	}
}

// texts adds what a run knows of itself in the texts of a container.
func (u *user) texts(texts []string) {
	for _, text := range texts {
		for {
			_, after, ok := strings.Cut(text, "{{$.")
			name, rest, end := strings.Cut(after, "}}")
			if !ok || !end {
				break
			}
			if text = rest; strings.HasPrefix(name, "pipeline_") || name == "workspace_path" {
				u.run(name)
			}
		}
	}
}
