package kfp

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// component returns the name of the IR's component for the one that a task calls.
func (w *writer) component(t *program.Task, inputs *kfpspec.TaskInputs) string {
	c := w.p.Component(t.Component)
	if c == nil {
		place{w, t}.errorf("there is no component %q", t.Component)
		return ""
	}
	if c.DAG == nil {
		return w.leaf(c, t, inputs)
	}
	name := key(c)
	if w.spec.Components[name] == nil {
		w.spec.Components[name] = &kfpspec.ComponentSpec{} // ends a cycle, should there be one
		*w.spec.Components[name] = *w.dag(c)
	}
	return name
}

// leaf returns the name of the component of an executor with the settings of a
// task. Tasks whose component and settings come out equal share one.
func (w *writer) leaf(c *program.Component, t *program.Task, inputs *kfpspec.TaskInputs) string {
	if w.exact() && c.Exec != nil && (c.Exec.Container != nil || c.Exec.Python != nil) {
		return w.written(c, t, inputs) // whose command line may have strings of the task
	}
	if last, ok := w.last[c]; ok && reflect.DeepEqual(last.settings, &t.Settings) {
		return last.name
	}
	before, mistakes := len(inputs.Parameters), len(w.errs)
	name := w.written(c, t, inputs)
	// Of importers the task says more than its settings.
	if c.Exec != nil && c.Exec.Importer == nil && len(inputs.Parameters) == before && len(w.errs) == mistakes {
		w.last[c] = leaf{&t.Settings, name}
	}
	return name
}

// A leaf is the name that a component has in the IR with the settings of a task,
// from which neither inputs of the task come nor mistakes.
type leaf struct {
	settings *program.Settings
	name     string
}

// written is leaf for what may be new.
func (w *writer) written(c *program.Component, t *program.Task, inputs *kfpspec.TaskInputs) string {
	spec := w.face(c)
	w.envInputs(c, t, spec, inputs)
	exec := w.executor(c, t, inputs)
	platform := w.kubernetes(c, t)
	if exec == nil {
		return ""
	}
	if w.exact() && exec.Container != nil && !w.composes(c) {
		w.direct(place{w, t}, c, spec, exec.Container, inputs)
	}
	content, err := json.Marshal([]any{spec, exec, platform})
	if err != nil {
		place{w, t}.errorf("component %s: %v", c.Name, err)
		return ""
	}
	hash := sha256.Sum256(append(content, c.Key...)) // a file keeps its components apart
	if name, ok := w.shared[hash]; ok {
		return name
	}
	name, label := c.Key, c.Label
	if name == "" || w.spec.Components[name] != nil { // read, but its tasks no longer use it in one way
		free := freename.Take(w.names, c.Name)
		name, label = "comp-"+free, "exec-"+free
	}
	w.shared[hash] = name
	spec.ExecutorLabel = label
	w.spec.Components[name] = spec
	w.spec.DeploymentSpec.Executors[label] = exec
	if platform != nil {
		w.platform[label] = platform
	}
	return name
}

// key returns the name of a component in the IR.
func key(c *program.Component) string { return cmp.Or(c.Key, "comp-"+c.Name) }

// face returns the inputs and outputs of a component.
func (w *writer) face(c *program.Component) *kfpspec.ComponentSpec {
	spec := &kfpspec.ComponentSpec{TaskConfigPassthroughs: c.Passthroughs}
	if len(c.Inputs) > 0 {
		in := &kfpspec.InputDefinitions{}
		for i := range c.Inputs {
			w.input(in, c, &c.Inputs[i])
		}
		spec.InputDefinitions = in
	}
	if len(c.Outputs) > 0 {
		out := &kfpspec.OutputDefinitions{}
		for i := range c.Outputs {
			p := c.Outputs[i]
			if w.lists[output{c.Name, p.Name}] {
				p.Type = graph.Type{Name: kfptype.List}
				if t := c.Outputs[i].Type; t.Artifact {
					p.Type = t
					p.Type.List = true
				}
			}
			if p.Type.Artifact {
				kfpspec.Put(&out.Artifacts, p.Name, artifact(&p))
			} else {
				kfpspec.Put(&out.Parameters, p.Name, &kfpspec.ParameterSpec{ParameterType: p.Type.Name, Description: p.Doc})
			}
		}
		spec.OutputDefinitions = out
	}
	return spec
}

func (w *writer) input(in *kfpspec.InputDefinitions, c *program.Component, p *program.Port) {
	if p.Type.Artifact {
		a := artifact(p)
		a.IsOptional = p.Optional
		kfpspec.Put(&in.Artifacts, p.Name, a)
		return
	}
	spec := &kfpspec.ParameterSpec{ParameterType: p.Type.Name, Description: p.Doc, IsOptional: !p.Required()}
	if p.Type.Name == kfptype.FinalStatus {
		spec.IsOptional = true
	}
	if p.Default != nil {
		v, err := w.constant(w.image(place{w, nil}, p.Default), p.Type.Name)
		if err != nil {
			w.errs = append(w.errs, &graph.Error{Pos: c.Pos, Msg: fmt.Sprintf("pipeline %s: component %s: default of input %s: %v", w.p.Name, c.Name, p.Name, err)})
		}
		spec.DefaultValue = v
	}
	kfpspec.Put(&in.Parameters, p.Name, spec)
}

func artifact(p *program.Port) *kfpspec.ArtifactSpec {
	return &kfpspec.ArtifactSpec{ArtifactType: schema(p.Type), IsArtifactList: p.Type.List, Description: p.Doc}
}

func schema(t graph.Type) kfpspec.ArtifactType {
	a := kfpspec.ArtifactType{SchemaTitle: t.Name, SchemaVersion: t.Version}
	if a.SchemaVersion == "" {
		a.SchemaVersion = "0.0.1"
	}
	return a
}

// dag returns the component of a DAG, and writes all that it calls.
func (w *writer) dag(c *program.Component) *kfpspec.ComponentSpec {
	spec := w.face(c)
	d := &kfpspec.DAGSpec{Tasks: make(map[string]*kfpspec.TaskSpec, len(c.DAG.Tasks))}
	for _, t := range c.DAG.Tasks {
		w.in = c
		d.Tasks[t.Name] = w.task(t)
	}
	for i := range c.Outputs {
		out := &c.Outputs[i]
		e, ok := c.DAG.Outputs[out.Name]
		if !ok || len(e.From) == 0 {
			w.errs = append(w.errs, &graph.Error{Pos: c.Pos, Msg: fmt.Sprintf("pipeline %s: output %s of %s comes from nowhere", w.p.Name, out.Name, c.Name)})
			continue
		}
		if d.Outputs == nil {
			d.Outputs = &kfpspec.DAGOutputs{}
		}
		if out.Type.Artifact {
			a := &kfpspec.DAGOutputArtifact{}
			for _, f := range e.From {
				a.ArtifactSelectors = append(a.ArtifactSelectors, kfpspec.ArtifactSelector{ProducerSubtask: f.Task, OutputArtifactKey: f.Output})
			}
			kfpspec.Put(&d.Outputs.Artifacts, out.Name, a)
			continue
		}
		p := &kfpspec.DAGOutputParameter{}
		var all []kfpspec.ParameterSelector
		for _, f := range e.From {
			all = append(all, kfpspec.ParameterSelector{ProducerSubtask: f.Task, OutputParameterKey: f.Output})
		}
		if len(all) == 1 && (c.DAG.Kind != program.Branches || !oneOf(out.Name)) {
			p.ValueFromParameter = &all[0]
		} else {
			p.ValueFromOneof = &kfpspec.ParameterOneof{ParameterSelectors: all}
		}
		kfpspec.Put(&d.Outputs.Parameters, out.Name, p)
	}
	spec.DAG = d
	return spec
}
