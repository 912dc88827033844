package dsl

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Config is the settings of a whole pipeline, and an option of [Pipeline]. KFP
// calls it PipelineConfig; Root and DisplayName are arguments of its @dsl.pipeline.
//
//	var Nightly = dsl.Pipeline("nightly", nightly, dsl.Config{
//		Deadline:     6 * time.Hour,
//		TTLOnSuccess: 24 * time.Hour,
//		Workspace:    dsl.Workspace{Size: "10Gi"},
//	})
//
// Where the pipeline is called in another one, that one's Config counts.
type Config struct {
	DisplayName string // shown by UIs; default: the pipeline's name
	Root        string // URI of the folder for artifacts; default: the server's

	Deadline time.Duration // after which a run is stopped; 0: none

	// How long the objects of a run stay in the cluster when it has ended, and
	// how long after a success or a failure, if that differs. 0: forever.
	TTL, TTLOnSuccess, TTLOnFailure time.Duration

	Workspace Workspace // a volume that the tasks of a run share
}

// A Workspace is a volume that lives as long as a run. Its tasks find it at
// [WorkspacePath]. KFP calls it WorkspaceConfig.
type Workspace struct {
	Size  string         // such as 10Gi; empty: there is none
	Patch map[string]any // of the spec of its PersistentVolumeClaim: {"storageClassName": "fast"}
}

// A PipelineOption is an argument of [Pipeline]: a [Config], one of a package for a
// target, or an [Option] for each task that calls the pipeline.
type PipelineOption interface{ ConfigurePipeline(*record.Component) }

// ConfigurePipeline makes an Option a [PipelineOption].
func (o Option) ConfigurePipeline(*record.Component) {}

// ConfigurePipeline makes a Config a [PipelineOption].
func (c Config) ConfigurePipeline(p *record.Component) {
	var argo *graph.Argo
	if p.Config != nil {
		argo = p.Config.Argo
	}
	p.Config = &graph.Config{
		Title: c.DisplayName, Root: c.Root,
		RunConfig: graph.RunConfig{
			Deadline: p.Seconds("Deadline", c.Deadline),
			TTL:      p.Seconds("TTL", c.TTL), TTLOnSuccess: p.Seconds("TTLOnSuccess", c.TTLOnSuccess), TTLOnFailure: p.Seconds("TTLOnFailure", c.TTLOnFailure),
			Argo: argo,
		},
	}
	if c.DisplayName != "" && checkName(c.DisplayName) != nil {
		p.Errorf(p.Pos, "pipeline %s: the DisplayName %v", p.Name, checkName(c.DisplayName))
	}
	if strings.ContainsAny(c.Root, " \t\n") {
		p.Errorf(p.Pos, "pipeline %s: the Root %q has a space in it; it is a URI, such as s3://bucket/runs", p.Name, c.Root)
	}
	w := &graph.Workspace{Size: c.Workspace.Size}
	switch {
	case w.Size == "" && c.Workspace.Patch == nil:
		return
	case w.Size == "":
		p.Errorf(p.Pos, "pipeline %s: the Workspace has no Size", p.Name)
	default:
		if err := record.Size.Check(w.Size); err != nil {
			p.Errorf(p.Pos, "pipeline %s: the Size of the Workspace: %v", p.Name, err)
		}
	}
	if c.Workspace.Patch != nil {
		var err error
		if w.Patch, err = json.Marshal(c.Workspace.Patch); err != nil {
			p.Errorf(p.Pos, "pipeline %s: the Patch of the Workspace: %v", p.Name, err)
		}
	}
	p.Config.Workspace = w
}
