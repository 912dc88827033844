package kfpread

import (
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// parameterTypes are the types of parameters.
var parameterTypes = map[string]bool{
	kfptype.String: true, kfptype.Integer: true, kfptype.Double: true, kfptype.Boolean: true, kfptype.List: true, kfptype.Struct: true,
	kfptype.FinalStatus: true, kfptype.TaskConfig: true,
}

// didYouMean ends a message with the name that may have been meant.
func didYouMean[V any](name string, known map[string]V) string {
	if n := near.Name(name, sorted(known)); n != "" {
		return "; did you mean \"" + n + "\"?"
	}
	return ""
}

// check reports references to nothing, and missing fields.
func (f *file) check() {
	if f.spec.Root == nil {
		return
	}
	if f.spec.Root.DAG == nil {
		f.errorf(f.node.at("root"), "root has no dag: the pipeline has no tasks")
	}
	f.checkComponent(f.spec.Root, "root")
	for _, key := range sorted(f.spec.Components) {
		f.checkComponent(f.spec.Components[key], "components", key)
	}
	f.recursion()
	for _, label := range sorted(f.spec.DeploymentSpec.Executors) {
		x := f.spec.DeploymentSpec.Executors[label]
		if n := f.node.at("deploymentSpec", "executors", label); (x.Container == nil) == (x.Importer == nil) {
			f.errorf(n, "executor %q is neither a container nor an importer, but %s", label, strings.Join(append(keys(n), "nothing")[:max(1, len(keys(n)))], ", "))
		}
	}
	if f.platformNode == nil {
		return
	}
	if k := f.platform.Platforms[kfpspec.Kubernetes]; k != nil && k.DeploymentSpec != nil {
		executors := f.platformNode.at("platforms", kfpspec.Kubernetes, "deploymentSpec", "executors")
		for _, label := range sorted(k.DeploymentSpec.Executors) {
			if f.spec.DeploymentSpec.Executors[label] == nil {
				f.errorf(executors.key(label), "settings of the executor %q, which there isn't%s", label, didYouMean(label, f.spec.DeploymentSpec.Executors))
			}
		}
	}
}

func (f *file) checkComponent(c *kfpspec.ComponentSpec, path ...string) {
	n := f.node.at(path...)
	name := path[len(path)-1]
	if c.InputDefinitions == nil {
		c.InputDefinitions = &kfpspec.InputDefinitions{}
	}
	if c.OutputDefinitions == nil {
		c.OutputDefinitions = &kfpspec.OutputDefinitions{}
	}
	f.ports(n.at("inputDefinitions"), c.InputDefinitions.Parameters, c.InputDefinitions.Artifacts)
	f.ports(n.at("outputDefinitions"), c.OutputDefinitions.Parameters, c.OutputDefinitions.Artifacts)
	switch {
	case c.DAG != nil && c.ExecutorLabel != "":
		f.errorf(n, "component %q has both a dag and an executorLabel", name)
	case c.DAG != nil:
		f.checkDAG(c, n.at("dag"))
	case c.ExecutorLabel == "" && name != "root":
		f.errorf(n, "component %q has neither a dag nor an executorLabel", name)
	case c.ExecutorLabel != "" && f.spec.DeploymentSpec.Executors[c.ExecutorLabel] == nil:
		f.errorf(n.at("executorLabel"), "there is no executor %q%s", c.ExecutorLabel, didYouMean(c.ExecutorLabel, f.spec.DeploymentSpec.Executors))
	}
}

func (f *file) ports(n *node, params map[string]*kfpspec.ParameterSpec, arts map[string]*kfpspec.ArtifactSpec) {
	for _, name := range sorted(params) {
		p := n.at("parameters", name)
		switch typ := params[name].ParameterType; {
		case typ == "":
			f.errorf(p, "parameter %q has no parameterType", name)
		case !parameterTypes[typ]:
			f.errorf(p.at("parameterType"), "no type of parameters is called %q%s", typ, didYouMean(typ, parameterTypes))
		}
		if arts[name] != nil {
			f.errorf(p, "%q is a parameter and an artifact", name)
		}
	}
}

// checkDAG checks the tasks of a component and where its outputs come from.
func (f *file) checkDAG(c *kfpspec.ComponentSpec, n *node) {
	if len(c.DAG.Tasks) == 0 {
		f.errorf(n, "a dag without tasks")
	}
	for _, name := range sorted(c.DAG.Tasks) {
		t := &taskCheck{file: f, in: c, name: name, spec: c.DAG.Tasks[name], node: n.at("tasks", name)}
		t.check()
	}
	if way := f.cycle(c.DAG); way != nil {
		f.errorf(n.at("tasks").key(way[0]), "tasks wait for each other: %s", strings.Join(append(way, way[0]), " follows "))
	}
	var outs kfpspec.DAGOutputs
	if c.DAG.Outputs != nil {
		outs = *c.DAG.Outputs
	}
	for _, name := range sorted(c.OutputDefinitions.Parameters) {
		o, at := outs.Parameters[name], n.at("outputs", "parameters", name)
		switch {
		case o == nil:
			f.errorf(n, "output %q comes from no task: it is not in the dag's outputs", name)
		case o.ValueFromParameter != nil && o.ValueFromOneof == nil:
			f.selector(c.DAG, at.at("valueFromParameter"), o.ValueFromParameter.ProducerSubtask, o.ValueFromParameter.OutputParameterKey, false)
		case o.ValueFromOneof == nil || o.ValueFromParameter != nil || len(o.ValueFromOneof.ParameterSelectors) == 0:
			f.errorf(at, "output %q has no source, or several", name)
		default:
			for i, s := range o.ValueFromOneof.ParameterSelectors {
				f.selector(c.DAG, at.at("valueFromOneof", "parameterSelectors").items[i], s.ProducerSubtask, s.OutputParameterKey, false)
			}
		}
	}
	for _, name := range sorted(c.OutputDefinitions.Artifacts) {
		o, at := outs.Artifacts[name], n.at("outputs", "artifacts", name)
		if o == nil || len(o.ArtifactSelectors) == 0 {
			f.errorf(at, "output %q comes from no task: it is not in the dag's outputs", name)
			continue
		}
		for i, s := range o.ArtifactSelectors {
			f.selector(c.DAG, at.at("artifactSelectors").items[i], s.ProducerSubtask, s.OutputArtifactKey, true)
		}
	}
	for _, name := range sorted(outs.Parameters) {
		if c.OutputDefinitions.Parameters[name] == nil {
			f.errorf(n.at("outputs", "parameters").key(name), "the component has no output parameter %q%s", name, didYouMean(name, c.OutputDefinitions.Parameters))
		}
	}
	for _, name := range sorted(outs.Artifacts) {
		if c.OutputDefinitions.Artifacts[name] == nil {
			f.errorf(n.at("outputs", "artifacts").key(name), "the component has no output artifact %q%s", name, didYouMean(name, c.OutputDefinitions.Artifacts))
		}
	}
}

// selector checks that a task of a DAG has an output.
func (f *file) selector(d *kfpspec.DAGSpec, at *node, task, key string, artifact bool) {
	t := d.Tasks[task]
	if t == nil {
		f.errorf(at, "there is no task %q here%s", task, didYouMean(task, d.Tasks))
		return
	}
	c := f.spec.Components[t.ComponentRef.Name]
	if c == nil {
		return // said already
	}
	var outs kfpspec.OutputDefinitions
	if c.OutputDefinitions != nil {
		outs = *c.OutputDefinitions
	}
	if artifact && outs.Artifacts[key] == nil {
		f.errorf(at, "task %q has no output artifact %q%s", task, key, didYouMean(key, outs.Artifacts))
	}
	if !artifact && outs.Parameters[key] == nil {
		f.errorf(at, "task %q has no output parameter %q%s", task, key, didYouMean(key, outs.Parameters))
	}
}

// recursion reports components that hold themselves.
func (f *file) recursion() {
	const busy, done = 1, 2
	state := map[string]int{}
	var way []string
	var visit func(key string)
	visit = func(key string) {
		c := f.spec.Components[key]
		if c == nil || c.DAG == nil || state[key] == done {
			return
		}
		if state[key] == busy {
			i := slices.Index(way, key)
			f.errorf(f.node.at("components").key(key), "a component that holds itself: %s", strings.Join(append(way[i:], key), " calls "))
			return
		}
		state[key] = busy
		way = append(way, key)
		for _, name := range sorted(c.DAG.Tasks) {
			visit(c.DAG.Tasks[name].ComponentRef.Name)
		}
		way = way[:len(way)-1]
		state[key] = done
	}
	for _, key := range sorted(f.spec.Components) {
		visit(key)
	}
}
