package dsl

import (
	"encoding/json"
	"math"
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

	Argo ArgoConfig // what only Argo Workflows does
}

// A Workspace is a volume that lives as long as a run. Its tasks find it at
// [WorkspacePath]. KFP calls it WorkspaceConfig.
type Workspace struct {
	Size  string         // such as 10Gi; empty: there is none
	Patch map[string]any // of the spec of its PersistentVolumeClaim: {"storageClassName": "fast"}
}

// A PipelineOption is an argument of [Pipeline]: a [Config], or an [Option] for
// each task that calls the pipeline.
type PipelineOption interface{ pipeline(*record.Component) }

func (o Option) pipeline(*record.Component) {}

func (c Config) pipeline(p *record.Component) {
	if p.Config != nil {
		p.Errorf(p.Pos, "pipeline %s has two Configs", p.Name)
	}
	seconds := func(name string, d time.Duration) int64 {
		if d < 0 || d%time.Second != 0 || d/time.Second > math.MaxInt32 {
			p.Errorf(p.Pos, "pipeline %s: %s is %v; it must be whole seconds, from 0 to %v", p.Name, name, d, math.MaxInt32*time.Second)
		}
		return int64(d / time.Second)
	}
	p.Config = &graph.Config{
		Title: c.DisplayName, Root: c.Root,
		RunConfig: graph.RunConfig{
			Deadline: seconds("Deadline", c.Deadline),
			TTL:      seconds("TTL", c.TTL), TTLOnSuccess: seconds("TTLOnSuccess", c.TTLOnSuccess), TTLOnFailure: seconds("TTLOnFailure", c.TTLOnFailure),
			Argo: c.Argo.record(p, seconds),
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
