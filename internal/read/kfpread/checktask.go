package kfpread

import (
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// A taskCheck checks one task.
type taskCheck struct {
	*file
	in   *kfpspec.ComponentSpec // that holds the task
	name string
	spec *kfpspec.TaskSpec
	node *node
	sub  *kfpspec.ComponentSpec // that it calls
}

// added are the inputs that KFP's SDK gives tasks for their settings.
var added = map[string]bool{
	"base_image": true, "cpu_limit": true, "cpu_request": true, "memory_limit": true, "memory_request": true,
	"accelerator_type": true, "accelerator_count": true, "accelerator_limit": true,
}

func (t *taskCheck) check() {
	ref := t.spec.ComponentRef.Name
	if ref == "" {
		t.errorf(t.node, "task %q has no componentRef.name", t.name)
	} else if t.sub = t.file.spec.Components[ref]; t.sub == nil {
		t.errorf(t.node.at("componentRef", "name"), "there is no component %q%s", ref, didYouMean(ref, t.file.spec.Components))
	}
	if t.spec.Inputs == nil {
		t.spec.Inputs = &kfpspec.TaskInputs{}
	}
	for i, d := range t.spec.DependentTasks {
		t.sibling(t.node.at("dependentTasks").items[i], d)
	}
	for _, name := range sorted(t.spec.Inputs.Parameters) {
		t.parameter(name, t.spec.Inputs.Parameters[name], t.node.at("inputs", "parameters", name))
	}
	for _, name := range sorted(t.spec.Inputs.Artifacts) {
		t.artifact(name, t.spec.Inputs.Artifacts[name], t.node.at("inputs", "artifacts", name))
	}
	if p := t.spec.TriggerPolicy; p != nil {
		switch p.Strategy {
		case "", "TRIGGER_STRATEGY_UNSPECIFIED", "ALL_UPSTREAM_TASKS_SUCCEEDED", kfpspec.AllUpstreamTasksCompleted:
		default:
			t.errorf(t.node.at("triggerPolicy", "strategy"), "there is no trigger strategy %q%s", p.Strategy,
				didYouMean(p.Strategy, map[string]bool{kfpspec.AllUpstreamTasksCompleted: true, "ALL_UPSTREAM_TASKS_SUCCEEDED": true}))
		}
	}
	t.iterators()
}

func (t *taskCheck) sibling(at *node, name string) bool {
	if t.in.DAG.Tasks[name] == nil {
		t.errorf(at, "there is no task %q here%s", name, didYouMean(name, t.in.DAG.Tasks))
		return false
	}
	return true
}

// inputs returns the inputs of the component that the task calls.
func (t *taskCheck) inputs() kfpspec.InputDefinitions {
	if t.sub == nil || t.sub.InputDefinitions == nil {
		return kfpspec.InputDefinitions{}
	}
	return *t.sub.InputDefinitions
}

func (t *taskCheck) parameter(name string, p *kfpspec.InputParameter, at *node) {
	sources := 0
	if p.ComponentInputParameter != "" {
		sources++
		if known := t.in.InputDefinitions.Parameters; known[p.ComponentInputParameter] == nil {
			t.errorf(at.at("componentInputParameter"), "the component around the task has no input parameter %q%s", p.ComponentInputParameter, didYouMean(p.ComponentInputParameter, known))
		}
	}
	if o := p.TaskOutputParameter; o != nil {
		sources++
		t.selector(t.in.DAG, at.at("taskOutputParameter"), o.ProducerTask, o.OutputParameterKey, false)
	}
	if s := p.TaskFinalStatus; s != nil {
		sources++
		t.sibling(at.at("taskFinalStatus"), s.ProducerTask)
	}
	if v := p.RuntimeValue; v != nil {
		sources++
		if v.Constant == nil {
			t.errorf(at, "the runtimeValue of input %q is not a constant", name)
		}
	}
	if sources != 1 {
		t.errorf(at, "input %q has %d sources; a componentInputParameter, a taskOutputParameter, a taskFinalStatus or a runtimeValue says where its value comes from", name, sources)
	}
	if t.sub != nil && t.inputs().Parameters[name] == nil && !t.hidden(name) {
		t.errorf(t.node.at("inputs", "parameters").key(name), "component %q has no input parameter %q%s", t.spec.ComponentRef.Name, name, didYouMean(name, t.inputs().Parameters))
	}
}

// hidden reports whether an input is one that the component needn't declare,
// since it is for a placeholder.
func (t *taskCheck) hidden(name string) bool {
	if strings.HasPrefix(name, contract.Channel) || added[name] {
		return true
	}
	for _, p := range t.spec.Inputs.Parameters {
		if p.RuntimeValue != nil && strings.Contains(string(p.RuntimeValue.Constant), "{{$.inputs.parameters['"+name+"']}}") {
			return true
		}
	}
	return false
}

func (t *taskCheck) artifact(name string, a *kfpspec.InputArtifact, at *node) {
	if (a.ComponentInputArtifact == "") == (a.TaskOutputArtifact == nil) {
		t.errorf(at, "input %q needs a componentInputArtifact or a taskOutputArtifact, one of them", name)
		return
	}
	if o := a.TaskOutputArtifact; o != nil {
		t.selector(t.in.DAG, at.at("taskOutputArtifact"), o.ProducerTask, o.OutputArtifactKey, true)
	} else if known := t.in.InputDefinitions.Artifacts; known[a.ComponentInputArtifact] == nil {
		t.errorf(at.at("componentInputArtifact"), "the component around the task has no input artifact %q%s", a.ComponentInputArtifact, didYouMean(a.ComponentInputArtifact, known))
	}
	if t.sub != nil && t.inputs().Artifacts[name] == nil {
		t.errorf(t.node.at("inputs", "artifacts").key(name), "component %q has no input artifact %q%s", t.spec.ComponentRef.Name, name, didYouMean(name, t.inputs().Artifacts))
	}
}

func (t *taskCheck) iterators() {
	p, a := t.spec.ParameterIterator, t.spec.ArtifactIterator
	if p != nil && a != nil {
		t.errorf(t.node, "task %q has two iterators", t.name)
		return
	}
	in := t.inputs()
	if p != nil {
		at := t.node.at("parameterIterator")
		if t.sub != nil && in.Parameters[p.ItemInput] == nil {
			t.errorf(at.at("itemInput"), "component %q has no input parameter %q, for the item%s", t.spec.ComponentRef.Name, p.ItemInput, didYouMean(p.ItemInput, in.Parameters))
		}
		switch {
		case (p.Items.Raw == "") == (p.Items.InputParameter == ""):
			t.errorf(at, "the loop has no items, or two kinds; set either raw or inputParameter")
		case p.Items.Raw != "":
			t.raw(at.at("items", "raw"), p.Items.Raw)
		case t.spec.Inputs.Parameters[p.Items.InputParameter] == nil:
			t.errorf(at.at("items", "inputParameter"), "task %q has no input parameter %q%s", t.name, p.Items.InputParameter, didYouMean(p.Items.InputParameter, t.spec.Inputs.Parameters))
		case t.sub != nil && in.Parameters[p.Items.InputParameter] == nil:
			t.errorf(at.at("items", "inputParameter"), "component %q has no input parameter %q", t.spec.ComponentRef.Name, p.Items.InputParameter)
		}
	}
	if a != nil {
		at := t.node.at("artifactIterator")
		if t.sub != nil && in.Artifacts[a.ItemInput] == nil {
			t.errorf(at.at("itemInput"), "component %q has no input artifact %q, for the item%s", t.spec.ComponentRef.Name, a.ItemInput, didYouMean(a.ItemInput, in.Artifacts))
		}
		if t.spec.Inputs.Artifacts[a.Items.InputArtifact] == nil {
			t.errorf(at.at("items", "inputArtifact"), "task %q has no input artifact %q%s", t.name, a.Items.InputArtifact, didYouMean(a.Items.InputArtifact, t.spec.Inputs.Artifacts))
		} else if t.sub != nil && in.Artifacts[a.Items.InputArtifact] == nil {
			t.errorf(at.at("items", "inputArtifact"), "component %q has no input artifact %q", t.spec.ComponentRef.Name, a.Items.InputArtifact)
		}
	}
}

// raw checks the JSON of a loop's items.
func (t *taskCheck) raw(at *node, s string) {
	var items []json.RawMessage
	if err := json.Unmarshal([]byte(s), &items); err != nil {
		t.errorf(at, "the items of the loop are not a JSON list: %v", err)
	}
}
