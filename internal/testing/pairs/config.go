package pairs

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

var _ = pair(config,
	"dsl.pipeline(description)", "dsl.pipeline(pipeline_root)", "dsl.pipeline(display_name)", "dsl.pipeline(pipeline_config)",
	"dsl.PipelineConfig", "dsl.PipelineConfig(ttl_seconds_after_finished)", "dsl.PipelineConfig(ttl_seconds_after_success)",
	"dsl.PipelineConfig(ttl_seconds_after_failure)", "dsl.PipelineConfig(active_deadline_seconds)",
	"dsl.WorkspaceConfig", "dsl.KubernetesWorkspaceConfig", "dsl.WORKSPACE_PATH_PLACEHOLDER")

var config = dsl.Pipeline("config", func(s *dsl.Scope, in textIn) dsl.None {
	say.Call(s, textIn{Text: dsl.WorkspacePath()})
	dsl.If(s, dsl.Eq(in.Text, "x"), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Sprintf("%s/%s", dsl.WorkspacePath(), in.Text)})
	})
	inWorkspace.Call(s, dsl.None{})
	return dsl.None{}
}, dsl.Config{
	DisplayName: "Settings of it all", Root: "gs://bucket/root",
	Deadline: time.Hour, TTL: time.Minute, TTLOnSuccess: 2 * time.Minute, TTLOnFailure: 3 * time.Minute,
	Workspace: dsl.Workspace{Size: "10Gi", Patch: map[string]any{"storageClassName": "fast", "accessModes": []string{"ReadWriteMany"}}},
}).Doc("What a whole pipeline is set to.")

var inWorkspace = tool("in-workspace", "/list", func(dsl.None, dsl.None) []string { return dsl.Args(dsl.WorkspacePath()) })

var _ = pair(smallConfig, "dsl.PipelineConfig", "dsl.WorkspaceConfig")

var smallConfig = dsl.Pipeline("small-config", func(s *dsl.Scope, in textIn) dsl.None {
	say.Call(s, in)
	return dsl.None{}
}, dsl.Config{TTL: 9 * time.Second, Workspace: dsl.Workspace{Size: "1.5Gi"}})
