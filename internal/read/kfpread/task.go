package kfpread

import (
	"encoding/json"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// task reads one task of a component.
func (c *converter) task(in *program.Component, d *kfpspec.DAGSpec, name string, path []string) *program.Task {
	spec := d.Tasks[name]
	sub := c.component(spec.ComponentRef.Name)
	t := &program.Task{Name: name, Component: sub.Name, Pos: c.pos(path...), After: producers(spec)}
	if spec.TaskInfo.Name != name {
		t.Title = spec.TaskInfo.Name
	}
	v := &values{converter: c, in: in, d: d, name: name, task: spec}
	for _, input := range sorted(spec.Inputs.Parameters) {
		if port := sub.Input(input); port != nil && !port.Type.Artifact {
			setArg(t, input, v.param(spec.Inputs.Parameters[input], port.Type))
		}
	}
	for _, input := range sorted(spec.Inputs.Artifacts) {
		if port := sub.Input(input); port != nil && port.Type.Artifact {
			setArg(t, input, v.artifact(spec.Inputs.Artifacts[input], port.Type))
		}
	}
	if p := spec.TriggerPolicy; p != nil {
		t.Always = p.Strategy == kfpspec.AllUpstreamTasksCompleted
		if p.Condition != "" {
			if t.When = condition(p.Condition, sub); t.When == nil {
				t.WhenText = p.Condition
			}
		}
	}
	c.each(t, spec, sub)
	if sub.Exec != nil {
		t.Settings = v.settings(sub.Label)
	}
	if o := spec.CachingOptions; o != nil {
		t.Settings.NoCache, t.Settings.CacheKey = !o.EnableCache, o.CacheKey
	}
	t.Settings.Retry = retry(spec.RetryPolicy)
	c.calls = append(c.calls, call{in, t, spec, sub})
	return t
}

func setArg(t *program.Task, name string, v program.Value) {
	if t.Args == nil {
		t.Args = map[string]program.Value{}
	}
	t.Args[name] = v
}

// each reads the loop of a task.
func (c *converter) each(t *program.Task, spec *kfpspec.TaskSpec, sub *program.Component) {
	e := &program.Each{}
	switch p, a := spec.ParameterIterator, spec.ArtifactIterator; {
	case p != nil && p.Items.Raw != "":
		e.Item = p.ItemInput
		e.Items = program.Value{Kind: program.Const, Const: json.RawMessage(p.Items.Raw), Type: graph.Type{Name: kfptype.List}}
	case p != nil:
		e.Item, e.List, e.Items = p.ItemInput, p.Items.InputParameter, t.Args[p.Items.InputParameter]
	case a != nil:
		e.Item, e.List, e.Items, e.Artifact = a.ItemInput, a.Items.InputArtifact, t.Args[a.Items.InputArtifact], true
	default:
		return
	}
	if spec.IteratorPolicy != nil {
		e.Parallelism = spec.IteratorPolicy.ParallelismLimit
	}
	t.Each = e
}

// retry reads the policy of a task. KFP's defaults are those of programs.
func retry(p *kfpspec.RetryPolicy) *program.Retry {
	if p == nil {
		return nil
	}
	n, _ := json.Marshal(p.MaxRetryCount)
	r := &program.Retry{Max: program.Value{Kind: program.Const, Const: n, Type: graph.Type{Name: kfptype.Integer}}}
	if p.BackoffFactor != 2 {
		r.Factor = p.BackoffFactor
	}
	r.Initial, r.MaxBackoff = duration(p.BackoffDuration, "0s"), duration(p.BackoffMaxDuration, "3600s")
	return r
}

// duration returns seconds as Go's durations are written.
func duration(s, usual string) string {
	d, err := time.ParseDuration(s)
	if s == usual || err != nil {
		return ""
	}
	return d.String()
}
