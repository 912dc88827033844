package kfpread

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// builtins are the operations that KFP does by itself, by the image that stands
// for them.
var builtins = map[string]program.Resource{
	"argostub/createpvc": {Builtin: program.CreatePVC, Action: "create"},
	"argostub/deletepvc": {Builtin: program.DeletePVC, Action: "delete"},
}

// executor reads what a leaf runs, without the settings of its tasks.
func (c *converter) executor(comp *program.Component, x *kfpspec.Executor) *program.Executor {
	if i := x.Importer; i != nil {
		return &program.Executor{Importer: &program.Importer{Reimport: i.Reimport, Metadata: i.Metadata, Workspace: i.DownloadToWorkspace}}
	}
	k := x.Container
	if r, ok := builtins[k.Image]; ok && len(k.Command)+len(k.Args) == 0 {
		return &program.Executor{Resource: &r}
	}
	if len(k.Command) == 3 && k.Command[0] == contract.Program && k.Command[1] == contract.Exec && slices.Equal(k.Args, []string{contract.ExecutorInput}) {
		comp.Title = k.Command[2]
		return &program.Executor{Go: &program.GoStep{Name: k.Command[2], Image: k.Image}}
	}
	if p, ok := pyrun.Parse(k.Command, k.Args); ok {
		p.Image = k.Image
		if own := pyrun.ParseOwn(k.Args); p.SDK == nil {
			comp.Title = own.Title
			for i := range comp.Outputs {
				o := &comp.Outputs[i]
				o.Optional = !o.Type.Artifact && slices.Contains(own.Optional, o.Name)
			}
			// The order counts for a function that returns a tuple.
			slices.SortStableFunc(comp.Outputs, func(a, b program.Port) int {
				return slices.Index(own.Outputs, a.Name) - slices.Index(own.Outputs, b.Name)
			})
		}
		return &program.Executor{Python: p}
	}
	return &program.Executor{Container: &program.Container{Image: k.Image, Command: k.Command, Args: k.Args}}
}

// settings reads what the file keeps with the executor, and a program with the task.
func (v *values) settings(label string) program.Settings {
	s := program.Settings{}
	if k := v.spec.DeploymentSpec.Executors[label].Container; k != nil {
		if image := v.setting(k.Image); image != nil && image.Kind != program.Const {
			s.Image = image
		}
		for _, e := range k.Env {
			s.Env = append(s.Env, program.Env{Name: e.Name, Value: *str(e.Value)})
		}
		v.resources(&s, k.Resources)
	}
	if k := v.platform.Platforms[kfpspec.Kubernetes]; k != nil && k.DeploymentSpec != nil {
		if x := k.DeploymentSpec.Executors[label]; x != nil {
			v.where = v.platformNode.at("platforms", kfpspec.Kubernetes, "deploymentSpec", "executors", label)
			v.kubernetes(&s, x)
		}
	}
	return s
}

// resources reads requests and limits: the strings, or the numbers of files from
// before KFP 2.4 had the strings.
func (v *values) resources(s *program.Settings, r *kfpspec.Resources) {
	if r == nil {
		return
	}
	for _, q := range []struct {
		to     **program.Value
		text   string
		number float64
		unit   string
	}{
		{&s.CPULimit, r.ResourceCPULimit, r.CPULimit, ""},
		{&s.CPURequest, r.ResourceCPURequest, r.CPURequest, ""},
		{&s.MemoryLimit, r.ResourceMemoryLimit, r.MemoryLimit, "G"},
		{&s.MemoryRequest, r.ResourceMemoryRequest, r.MemoryRequest, "G"},
	} {
		if *q.to = v.setting(q.text); *q.to == nil && q.number != 0 {
			*q.to = str(strconv.FormatFloat(q.number, 'f', -1, 64) + q.unit)
		}
	}
	a := r.Accelerator
	if a == nil {
		return
	}
	d := program.Accelerator{}
	typ := cmp.Or(a.ResourceType, a.Type)
	if t := v.setting(typ); t != nil && t.Kind != program.Const {
		d.Type = t
	} else {
		d.Resource = typ
	}
	if n := v.setting(a.ResourceCount); n != nil {
		d.Count = *n
	} else {
		d.Count = *str(strconv.FormatInt(a.Count, 10))
	}
	if n, ok := d.Count.Constant(); ok {
		if _, err := strconv.ParseInt(n, 10, 64); err == nil {
			d.Count = program.Value{Kind: program.Const, Const: []byte(n), Type: graph.Type{Name: kfptype.Integer}}
		}
	}
	s.Accelerators = []program.Accelerator{d}
}
