package kfp

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// config returns the settings of the whole pipeline, or nil.
func config(c *program.Config, exact bool) *kfpspec.PipelineConfig {
	if c == nil || *c == (program.Config{Argo: c.Argo}) {
		return nil
	}
	out := &kfpspec.PipelineConfig{
		ActiveDeadlineSeconds:   int(c.Deadline),
		ResourceTTLOnCompletion: int(c.TTL), ResourceTTLOnSuccess: int(c.TTLOnSuccess), ResourceTTLOnFailure: int(c.TTLOnFailure),
	}
	if w := c.Workspace; w != nil {
		out.Workspace = &kfpspec.Workspace{Size: w.Size, Kubernetes: &kfpspec.KubernetesWorkspace{PVCSpecPatch: json.RawMessage("{}")}}
		if exact { // without access modes servers refuse the run, and KFP's SDK writes none
			out.Workspace.Kubernetes.PVCSpecPatch = json.RawMessage(`{"accessModes":["ReadWriteOnce"]}`)
		}
		if w.Patch != nil {
			out.Workspace.Kubernetes.PVCSpecPatch = w.Patch
		}
	}
	return out
}
