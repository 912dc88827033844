package kfpread

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/freename"
)

// program makes a program of a file. Mistakes go to the log.
func (f *file) program() *program.Program {
	f.check()
	if len(f.errs) > 0 {
		return nil
	}
	p := &program.Program{
		Schema: program.Schema, Name: clean(f.spec.PipelineInfo.Name), Title: f.spec.PipelineInfo.DisplayName,
		Doc: f.spec.PipelineInfo.Description, Root: f.spec.DefaultPipelineRoot,
		IR: &program.IR{SDKVersion: f.spec.SDKVersion, Manifest: f.manifest},
	}
	c := &converter{file: f, p: p, names: map[string]bool{}, comps: map[string]*program.Component{}}
	p.Main = c.name(p.Name)
	root := c.newComponent(p.Main, f.spec.Root, "root")
	c.dag(root, f.spec.Root, "root")
	if f.old {
		for _, comp := range c.done {
			comp.Key, comp.Label = "", ""
		}
	}
	slices.Reverse(c.done) // callers before what they call
	p.Components = c.done
	if program.WroteIR(p.IR) {
		withoutDigests(p)
	}
	c.kinds()
	p.Config = config(f.platform.Platforms[kfpspec.Kubernetes])
	p.IR.Unread = f.fieldsUnread()
	return p
}

// withoutDigests takes out the inputs that kfpgo adds for constant variables, which are
// not part of the pipeline.
func withoutDigests(p *program.Program) {
	for _, c := range p.Components {
		if c.RunsOurs() {
			c.Inputs = slices.DeleteFunc(c.Inputs, func(in program.Port) bool { return in.Name == contract.EnvDigest })
		}
		if c.DAG == nil {
			continue
		}
		for _, t := range c.DAG.Tasks {
			if p.Component(t.Component).RunsOurs() {
				delete(t.Args, contract.EnvDigest)
			}
		}
	}
}

type converter struct {
	*file
	p     *program.Program
	names map[string]bool // of the program's components
	comps map[string]*program.Component
	done  []*program.Component // callees before callers
	calls []call
}

// A call is a task and what says of what kind the DAG is that it calls.
type call struct {
	in   *program.Component // nil: the pipeline itself
	task *program.Task
	spec *kfpspec.TaskSpec
	sub  *program.Component
}

// name makes a name of the program, which is unique.
func (c *converter) name(s string) string {
	return freename.Take(c.names, clean(strings.TrimPrefix(s, "comp-")))
}

// clean turns a name into one of [a-z0-9-].
func clean(s string) string { return cmp.Or(program.CleanName(s), "pipeline") }

func (c *converter) pos(path ...string) graph.Pos {
	return graph.Pos{File: c.log.name, Line: c.node.at(path...).line}
}

// newComponent makes a component without what is in it.
func (c *converter) newComponent(name string, spec *kfpspec.ComponentSpec, path ...string) *program.Component {
	comp := &program.Component{Name: name, Pos: c.pos(path...)}
	in := c.node.sub(append(path, "inputDefinitions")...)
	for _, k := range keys(in.get("parameters")) {
		p := spec.InputDefinitions.Parameters[k]
		port := program.Port{Name: k, Type: graph.Type{Name: p.ParameterType}, Doc: p.Description}
		if p.DefaultValue != nil {
			port.Default = exact(p.DefaultValue, p.ParameterType)
		} else {
			port.Optional = p.IsOptional
		}
		comp.Inputs = append(comp.Inputs, port)
	}
	for _, k := range keys(in.get("artifacts")) {
		a := spec.InputDefinitions.Artifacts[k]
		comp.Inputs = append(comp.Inputs, program.Port{Name: k, Type: artifactType(a), Doc: a.Description, Optional: a.IsOptional})
	}
	out := c.node.sub(append(path, "outputDefinitions")...)
	for _, k := range keys(out.get("parameters")) {
		p := spec.OutputDefinitions.Parameters[k]
		comp.Outputs = append(comp.Outputs, program.Port{Name: k, Type: graph.Type{Name: p.ParameterType}, Doc: p.Description})
	}
	for _, k := range keys(out.get("artifacts")) {
		a := spec.OutputDefinitions.Artifacts[k]
		comp.Outputs = append(comp.Outputs, program.Port{Name: k, Type: artifactType(a), Doc: a.Description})
	}
	comp.Passthroughs = spec.TaskConfigPassthroughs
	return comp
}

// keys returns the keys of an object, in order.
func keys(n *node) []string {
	if n == nil || n.kind != object {
		return nil
	}
	all := make([]string, len(n.keys))
	for i, k := range n.keys {
		all[i] = k.text
	}
	return all
}

func artifactType(a *kfpspec.ArtifactSpec) graph.Type {
	t := graph.Type{Name: a.ArtifactType.SchemaTitle, Artifact: true, List: a.IsArtifactList}
	if t.Name == "" {
		t.Name = "system.Artifact"
	}
	if v := a.ArtifactType.SchemaVersion; v != "0.0.1" {
		t.Version = v
	}
	return t
}

// component returns the program's component for one of the file.
func (c *converter) component(key string) *program.Component {
	if comp := c.comps[key]; comp != nil {
		return comp
	}
	spec := c.spec.Components[key]
	comp := c.newComponent(c.name(key), spec, "components", key)
	comp.Key = key
	c.comps[key] = comp
	if spec.DAG != nil {
		c.dag(comp, spec, "components", key)
		return comp
	}
	comp.Label = spec.ExecutorLabel
	comp.Exec = c.executor(comp, c.spec.DeploymentSpec.Executors[comp.Label])
	c.done = append(c.done, comp)
	return comp
}

// dag fills in the tasks and outputs of a component.
func (c *converter) dag(comp *program.Component, spec *kfpspec.ComponentSpec, path ...string) {
	d := &program.DAG{Kind: program.Pipeline}
	comp.DAG = d
	for _, name := range c.order(spec.DAG) {
		d.Tasks = append(d.Tasks, c.task(comp, spec.DAG, name, append(slices.Clone(path), "dag", "tasks", name)))
	}
	for i := range comp.Outputs {
		out := &comp.Outputs[i]
		var e program.Export
		if out.Type.Artifact {
			for _, s := range spec.DAG.Outputs.Artifacts[out.Name].ArtifactSelectors {
				e.From = append(e.From, program.From{Task: s.ProducerSubtask, Output: s.OutputArtifactKey})
			}
		} else {
			p := spec.DAG.Outputs.Parameters[out.Name]
			all := []kfpspec.ParameterSelector{}
			if p.ValueFromParameter != nil {
				all = append(all, *p.ValueFromParameter)
			} else {
				all = p.ValueFromOneof.ParameterSelectors
			}
			for _, s := range all {
				e.From = append(e.From, program.From{Task: s.ProducerSubtask, Output: s.OutputParameterKey})
			}
		}
		if d.Outputs == nil {
			d.Outputs = map[string]program.Export{}
		}
		d.Outputs[out.Name] = e
	}
	c.done = append(c.done, comp)
}

// exact returns a constant as the program has it. The files' numbers are doubles,
// 3.0, which KFP passes on as 3 where they are whole.
func exact(raw json.RawMessage, typ string) json.RawMessage {
	if typ == kfptype.Double || typ == kfptype.String || typ == kfptype.Boolean {
		return raw
	}
	return whole(raw)
}

// whole drops the .0 of the numbers in JSON.
func whole(raw json.RawMessage) json.RawMessage {
	out := make([]byte, 0, len(raw))
	quoted := false
	for i := 0; i < len(raw); i++ {
		ch := raw[i]
		switch {
		case quoted && ch == '\\':
			out = append(out, ch)
			i++
			ch = raw[i]
		case ch == '"':
			quoted = !quoted
		case !quoted && (ch == '-' || ch >= '0' && ch <= '9'):
			end := i + 1
			for end < len(raw) && strings.IndexByte("0123456789.eE+-", raw[end]) >= 0 {
				end++
			}
			digits := string(raw[i:end])
			if n, ok := integer(digits); ok && n != 0 {
				digits = fmt.Sprint(n)
			} else if ok && digits[0] != '-' {
				digits = "0"
			}
			out = append(out, digits...)
			i = end - 1
			continue
		}
		out = append(out, ch)
	}
	return out
}
