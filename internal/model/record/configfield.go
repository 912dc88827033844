package record

import "github.com/kfpgo/kfpgo/internal/model/graph"

// A ConfigField is a setting of a task that its step can be passed: see k8s.ConfigField.
type ConfigField struct{ p graph.Passthrough }

// NewConfigField returns the setting with a name of KFP's.
func NewConfigField(name string) ConfigField { return ConfigField{graph.Passthrough{Field: name}} }

// ApplyToTask returns the field for settings that apply to the step's own pod as
// well (TaskConfigPassthrough).
func (f ConfigField) ApplyToTask() ConfigField { f.p.ApplyToTask = true; return f }

// PassthroughOf returns the field as a graph has it.
func PassthroughOf(f ConfigField) graph.Passthrough { return f.p }
