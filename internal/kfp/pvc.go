package kfp

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/kfpspec"
	"github.com/kfpgo/kfpgo/internal/program"
)

// stubs are the images by which KFP's server knows the operations that it does
// by itself. Nothing is ever pulled.
var stubs = map[string]string{
	program.CreatePVC: "argostub/createpvc",
	program.DeletePVC: "argostub/deletepvc",
}

// builtin returns the name of the operation, if KFP knows it by itself.
func builtin(c *program.Component) string {
	if c == nil || c.Exec == nil || c.Exec.Resource == nil {
		return ""
	}
	return c.Exec.Resource.Builtin
}

// The inputs of the operations that differ from ours: KFP has no default for
// access_modes, and data_source is an object where ours may be a snapshot's name.
const (
	accessModes = "access_modes"
	dataSource  = "data_source"
)

// builtinInput makes an input of an operation the one that KFP knows.
func builtinInput(c *program.Component, p *program.Port, spec *kfpspec.ParameterSpec) {
	if builtin(c) != program.CreatePVC {
		return
	}
	switch p.Name {
	case accessModes:
		spec.DefaultValue, spec.IsOptional = nil, false
	case dataSource:
		spec.ParameterType = "STRUCT"
	}
}

// missing returns the values of inputs that a task leaves at a default which KFP
// doesn't have.
func missing(c *program.Component, t *program.Task) map[string]program.Value {
	if builtin(c) != program.CreatePVC {
		return nil
	}
	p := c.Input(accessModes)
	if _, given := t.Args[accessModes]; given || p == nil || p.Default == nil {
		return nil
	}
	return map[string]program.Value{accessModes: {Kind: program.Const, Type: p.Type, Const: p.Default}}
}

// isSnapshot reports whether an input is the name of a snapshot, where KFP takes
// an object.
func isSnapshot(c *program.Component, p *program.Port) bool {
	return builtin(c) == program.CreatePVC && p.Name == dataSource && p.Type.Name == "STRING"
}

// snapshot returns the object that names a volume snapshot.
func (w *writer) snapshot(at place, v program.Value, inputs *kfpspec.TaskInputs) *kfpspec.InputParameter {
	name, ok := v.Constant()
	if !ok {
		name = w.format(at, "input "+dataSource, program.Value{Kind: program.Format, Text: []string{"", ""}, Of: []program.Value{v}}, inputs)
	}
	j, _ := json.Marshal(map[string]string{"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": name})
	return &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: j}}
}
