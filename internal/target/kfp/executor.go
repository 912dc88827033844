package kfp

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// executor returns what a leaf runs with the settings of a task. References in
// the settings become inputs of the task. Nil: KFP can't, and the error is recorded.
func (w *writer) executor(c *program.Component, t *program.Task, inputs *kfpspec.TaskInputs) *kfpspec.Executor {
	at, x, s := place{w, t}, c.Exec, &t.Settings
	var k *kfpspec.Container
	switch {
	case x == nil:
		at.errorf("component %s has neither tasks nor an executor", c.Name)
		return nil
	case x.Importer != nil:
		w.noPod(at, s, x)
		return &kfpspec.Executor{Importer: w.importer(at, c)}
	case serverImages[builtin(c)] != "":
		w.noPod(at, s, x)
		return &kfpspec.Executor{Container: &kfpspec.Container{Image: serverImages[builtin(c)]}}
	case x.Go != nil:
		k = w.step(at, x.Go.Name)
		k.Image = cmp.Or(x.Go.Image, k.Image)
	case x.Resource != nil: // the program does the operation itself
		k = w.step(at, c.Titled())
		if strings.Contains(x.Resource.Manifest, contract.ProgramImage) {
			k.Env = append(k.Env, kfpspec.EnvVar{Name: contract.ImageVar, Value: w.o.Image})
		}
	case x.Python != nil:
		k = w.python(at, c)
	case x.Container != nil:
		k = w.container(at, c)
	case x.Suspend != nil:
		at.refuse("exec.suspend")
		return nil
	default:
		at.errorf("component %s has an executor that KFP doesn't know", c.Name)
		return nil
	}
	for _, text := range slices.Concat(k.Command, k.Args) {
		if char := unkept.FindString(text); char != "" && w.exact() {
			at.errorf("component %s: KFP's server, which reads pipelines as YAML, can't keep the character %+q in a command, an argument or a source; write it as an escape", c.Titled(), char)
			break
		}
		if tag := placeholder.ArgoReplaces(text); tag != "" && w.exact() {
			at.errorf("component %s: Argo, which runs KFP's steps, replaces %s in a command, an argument or a source; write its braces apart, or put it into a file of the image", c.Titled(), tag)
			break
		}
	}
	k.Command, k.Args = w.dollars(k.Command), w.dollars(k.Args)
	if s.Image != nil {
		k.Image = w.imageText(at, w.whole(at, "dsl.Image", "base_image", *s.Image, inputs))
	}
	if x.Go != nil && x.Go.Name == contract.HandOn && k.Image == "" {
		w.needImage(at, "KFP's servers take this value from a step only, for which there is one in the program's image")
	} else if x.Go != nil && k.Image == "" || x.Resource != nil && k.Image == "" {
		w.needImage(at, "component "+c.Titled()+" runs in the program's image")
	}
	before := map[string]string{}
	for _, e := range s.Env {
		v, ok := e.Value.Constant()
		if !ok && c.RunsOurs() {
			continue // an input of its own
		}
		if !ok {
			at.refuse("env.reference.container")
		}
		v = w.imageText(at, v)
		if w.exact() {
			v = program.EnvText(v, before, func(s string) string { return strings.ReplaceAll(s, "$", halvedTwice) })
			before[e.Name] = "$(" + e.Name + ")"
		}
		k.Env = append(k.Env, kfpspec.EnvVar{Name: e.Name, Value: v})
	}
	k.Resources = w.resources(at, s, inputs)
	return &kfpspec.Executor{Container: k}
}

// envInputs adds an input for each variable whose value is known only at run time,
// and one for all others, so that another value makes another step to KFP's cache.
func (w *writer) envInputs(c *program.Component, t *program.Task, spec *kfpspec.ComponentSpec, inputs *kfpspec.TaskInputs) {
	if !c.RunsOurs() {
		return
	}
	add := func(name, typ string, v *kfpspec.InputParameter) {
		kfpspec.Put(&inputs.Parameters, name, v)
		if spec.InputDefinitions == nil {
			spec.InputDefinitions = &kfpspec.InputDefinitions{}
		}
		kfpspec.Put(&spec.InputDefinitions.Parameters, name, &kfpspec.ParameterSpec{ParameterType: typ, IsOptional: true})
	}
	constants := sha256.New()
	some := false
	for _, e := range t.Settings.Env {
		if text, ok := e.Value.Constant(); ok {
			fmt.Fprintf(constants, "%q %q\n", e.Name, text)
			some = true
			continue
		}
		name := contract.EnvInput + e.Name
		v := w.param(place{w, t}, c, "dsl.Env "+e.Name, e.Value, inputs)
		if v != nil {
			add(name, e.Value.Type.Name, v)
		}
	}
	if some && (w.p.IR == nil || program.WroteIR(w.p.IR)) {
		digest := fmt.Sprintf(`"%x"`, constants.Sum(nil))
		add(contract.EnvDigest, kfptype.String, &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: json.RawMessage(digest)}})
	}
}

// step returns the container of a step of the program.
func (w *writer) step(at place, name string) *kfpspec.Container {
	return &kfpspec.Container{Image: w.o.Image, Command: contract.Command(name), Args: []string{contract.ExecutorInput}}
}

// container returns the container of a component that names its image.
func (w *writer) container(at place, c *program.Component) *kfpspec.Container {
	x := c.Exec.Container
	k := &kfpspec.Container{Image: w.imageText(at, x.Image)}
	for _, s := range x.Command {
		k.Command = append(k.Command, w.imageText(at, s))
	}
	for _, s := range x.Args {
		k.Args = append(k.Args, w.imageText(at, s))
	}
	w.collect(at, c, k)
	return k
}

// importer returns the importer; a URI that is known stands in it.
func (w *writer) importer(at place, c *program.Component) *kfpspec.Importer {
	i := &kfpspec.Importer{ArtifactURI: kfpspec.ValueOrParameter{RuntimeParameter: "uri"}, Reimport: c.Exec.Importer.Reimport}
	uri := at.task.Args["uri"]
	if text, ok := uri.Constant(); ok {
		j, _ := json.Marshal(text)
		i.ArtifactURI = kfpspec.ValueOrParameter{Constant: j}
	}
	if out := c.Output("artifact"); out != nil {
		i.TypeSchema = schema(out.Type)
	} else {
		at.errorf("component %s imports nothing", c.Name)
	}
	i.Metadata, i.DownloadToWorkspace = c.Exec.Importer.Metadata, c.Exec.Importer.Workspace
	return i
}

// resources returns the requests and limits, with the numbers for old servers
// beside the strings where they are known.
func (w *writer) resources(at place, s *program.Settings, inputs *kfpspec.TaskInputs) *kfpspec.Resources {
	r := &kfpspec.Resources{}
	set := false
	for _, q := range []struct {
		knob, input string
		v           *program.Value
		text        *string
		number      *float64
		unit        float64 // of the number
	}{
		{"dsl.CPU", "cpu_limit", s.CPULimit, &r.ResourceCPULimit, &r.CPULimit, 1},
		{"dsl.CPURequest", "cpu_request", s.CPURequest, &r.ResourceCPURequest, &r.CPURequest, 1},
		{"dsl.Memory", "memory_limit", s.MemoryLimit, &r.ResourceMemoryLimit, &r.MemoryLimit, 1e9},
		{"dsl.MemoryRequest", "memory_request", s.MemoryRequest, &r.ResourceMemoryRequest, &r.MemoryRequest, 1e9},
	} {
		if q.v == nil {
			continue
		}
		set = true
		*q.text = w.whole(at, q.knob, q.input, *q.v, inputs)
		if text, ok := q.v.Constant(); ok {
			n, err := quantity.Parse(text)
			if err != nil {
				at.errorf("%s: %v", q.knob, err)
			}
			*q.number = n.Float64() / q.unit
		}
	}
	if r.Accelerator = w.accelerator(at, s, inputs); r.Accelerator != nil {
		set = true
	}
	if !set {
		return nil
	}
	return r
}

// accelerator returns the devices of a task, or nil.
func (w *writer) accelerator(at place, s *program.Settings, inputs *kfpspec.TaskInputs) *kfpspec.Accelerator {
	if len(s.Accelerators) == 0 {
		return nil
	}
	if len(s.Accelerators) > 1 {
		at.refuse("accelerator.several")
	}
	a := s.Accelerators[0]
	k := &kfpspec.Accelerator{Type: a.Resource, ResourceType: a.Resource}
	if a.Type != nil {
		k.ResourceType = w.whole(at, "dsl.Accelerator", "accelerator_type", *a.Type, inputs)
	}
	k.ResourceCount = w.whole(at, "dsl.Accelerator", "accelerator_count", a.Count, inputs)
	if text, ok := a.Count.Constant(); ok {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			at.errorf("dsl.Accelerator(%q, %s): not a number of devices", a.Resource, text)
		}
		k.Count = n
	}
	return k
}

// whole returns the text of a setting: a constant, or the placeholder of an
// input that is added to the task. KFP's server takes nothing else there.
func (w *writer) whole(at place, knob, input string, v program.Value, inputs *kfpspec.TaskInputs) string {
	switch v.Kind {
	case program.Const:
		text, _ := v.Constant()
		return text
	case program.Format:
		at.errorf("%s: KFP takes a constant or one reference, not a string with references in it; make the string in a step before", knob)
		return ""
	}
	text := w.placeholder(at, knob, v, inputs)
	if inputs.Parameters[input] != nil {
		at.errorf("%s of a reference takes the input %s for itself; name the component's own input differently", knob, input)
	}
	j, _ := json.Marshal(text)
	kfpspec.Put(&inputs.Parameters, input, &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: j}})
	return text
}
