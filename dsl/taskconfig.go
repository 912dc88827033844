package dsl

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// A TaskConfig is the settings of a task, for a step that starts pods of its own
// with them. It is the type of an input that KFP's server fills in, with what
// [Component.Passthroughs] names; its fields are fragments of a Kubernetes pod in
// their JSON form. KFP's Python has dsl.TaskConfig.
type TaskConfig struct {
	Affinity     map[string]any    `json:"affinity,omitempty"`
	Tolerations  []map[string]any  `json:"tolerations,omitempty"`
	NodeSelector map[string]string `json:"node_selector,omitempty"`
	Env          []map[string]any  `json:"env,omitempty"`
	Volumes      []map[string]any  `json:"volumes,omitempty"`
	VolumeMounts []map[string]any  `json:"volume_mounts,omitempty"`
	Resources    map[string]any    `json:"resources,omitempty"`
}

// Passthroughs says which settings of a task the step gets in its input of the type
// [TaskConfig], and returns c, to end the declaration of a Go or Python component
// with. Package k8s has the settings. KFP's Python has the argument
// task_config_passthroughs.
//
//	var Launch = dsl.Func("launch", launch).Passthroughs(k8s.ConfigResources, k8s.ConfigEnv.ApplyToTask())
func (c *Component[In, Out]) Passthroughs(fields ...record.ConfigField) *Component[In, Out] {
	pos := source.Caller()
	if c.c.Kind != graph.Func && c.c.Kind != graph.Python {
		c.c.Errorf(pos, "component %s: Passthroughs of a %s; only Go and Python components take a TaskConfig", c.c.Name, c.c.Kind)
	} else if !slices.ContainsFunc(c.c.Inputs, func(f graph.Field) bool { return f.Type.Name == kfptype.TaskConfig }) {
		c.c.Errorf(pos, "component %s: Passthroughs without an input that is a dsl.Param[dsl.TaskConfig]", c.c.Name)
	}
	for _, f := range fields {
		p := record.PassthroughOf(f)
		if slices.ContainsFunc(c.c.Passthroughs, func(q graph.Passthrough) bool { return q.Field == p.Field }) || p.Field == "" {
			c.c.Errorf(pos, "component %s: Passthroughs names %q twice", c.c.Name, p.Field)
		}
		c.c.Passthroughs = append(c.c.Passthroughs, p)
	}
	return c
}
