package objects

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/kube/kubeop"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// inputs are those of a step, as JSON by name.
type inputs map[string]json.RawMessage

// inputs returns the inputs of a component, with values for the holes.
func (f *filling) inputs(c *program.Component, e env) inputs {
	all := inputs{}
	for _, in := range c.Inputs {
		v, ok := e[in.Name]
		if !ok {
			continue
		}
		v.typ = in.Type // which says more: an argument is a LIST, and the input one of strings
		all[in.Name] = f.json(v)
	}
	return all
}

// values are the inputs that have a value.
func (in inputs) values() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for name, j := range in {
		if string(j) != "null" {
			all[name] = j
		}
	}
	return all
}

// executor returns the executor input of a step.
func (in inputs) executor(c *program.Component) json.RawMessage {
	var x contract.Input[json.RawMessage]
	x.Inputs.ParameterValues = map[string]json.RawMessage{}
	x.Inputs.Artifacts = map[string]contract.List[json.RawMessage]{}
	for _, port := range c.Inputs {
		j, ok := in[port.Name]
		switch {
		case !ok:
		case !port.Type.Artifact:
			x.Inputs.ParameterValues[port.Name] = j
		case port.Type.List:
			var list []json.RawMessage
			_ = json.Unmarshal(j, &list) // else there are none
			x.Inputs.Artifacts[port.Name] = contract.List[json.RawMessage]{Artifacts: list}
		default:
			x.Inputs.Artifacts[port.Name] = contract.List[json.RawMessage]{Artifacts: []json.RawMessage{j}}
		}
	}
	b, err := json.Marshal(x)
	if err != nil { // a value isn't JSON, which the step says
		return json.RawMessage("{}")
	}
	return b
}

// operation returns what a resource operation would do.
func operation(c *program.Component, in inputs) contract.Planned {
	r, obj, err := c.Exec.Resource, map[string]any(nil), error(nil)
	switch r.Builtin {
	case program.CreatePVC:
		obj = claim(in)
	case program.DeletePVC:
		obj = object("v1", "PersistentVolumeClaim", map[string]any{"name": in["pvc_name"]})
	default:
		obj, err = kubeop.Planned(r.Manifest, c.Inputs, in, contract.ProgramImage)
	}
	if err != nil {
		return contract.Planned{Error: err.Error()}
	}
	j, err := json.Marshal(obj)
	if err != nil {
		return contract.Planned{Error: err.Error()}
	}
	return contract.Planned{Operations: []contract.Operation{{Action: r.Action, Object: j}}}
}

func object(api, kind string, metadata map[string]any) map[string]any {
	return map[string]any{"apiVersion": api, "kind": kind, "metadata": metadata}
}

// claim returns the claim of an operation of KFP's, which its server makes.
func claim(in inputs) map[string]any {
	given := func(name string) bool { j := string(in[name]); return j != "" && j != `""` && j != "{}" && j != "null" }
	meta := map[string]any{"name": in["pvc_name"]}
	if !given("pvc_name") {
		var suffix string
		_ = json.Unmarshal(in["pvc_name_suffix"], &suffix) // it is a string
		meta["name"] = "<run.name>" + suffix
	}
	spec := map[string]any{"accessModes": in["access_modes"], "resources": map[string]any{"requests": map[string]any{"storage": in["size"]}}}
	if given("annotations") {
		meta["annotations"] = in["annotations"]
	}
	if !given("access_modes") {
		spec["accessModes"] = []string{"ReadWriteOnce"} // which KFP's server takes, too
	}
	for input, field := range map[string]string{"storage_class_name": "storageClassName", "volume_name": "volumeName", "data_source": "dataSource"} {
		if given(input) {
			spec[field] = in[input]
		}
	}
	obj := object("v1", "PersistentVolumeClaim", meta)
	obj["spec"] = spec
	return obj
}
