package kfp

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// task returns the spec of a task, and writes the component that it calls.
func (w *writer) task(t *program.Task) *kfpspec.TaskSpec {
	at := place{w, t}
	c := w.p.Component(t.Component)
	s := &kfpspec.TaskSpec{TaskInfo: kfpspec.TaskInfo{Name: t.Name}, DependentTasks: t.After}
	if t.Title != "" && !w.older(displayNames) {
		s.TaskInfo.Name = t.Title
	}
	inputs := &kfpspec.TaskInputs{}
	for _, name := range slices.Sorted(maps.Keys(t.Args)) {
		w.arg(at, inputs, c, name, t.Args[name])
	}
	if w.exact() && c != nil && c.Exec != nil && c.Exec.Container != nil {
		// Servers put values into a command line that the task was given, and fail without.
		for _, p := range c.Inputs {
			if _, given := t.Args[p.Name]; !given && p.Default != nil {
				w.arg(at, inputs, c, p.Name, program.Value{Kind: program.Const, Const: p.Default, Type: p.Type})
			}
		}
	}
	if c != nil && (c.DAG == nil || c.DAG.Kind == program.Pipeline) {
		s.CachingOptions = &kfpspec.CachingOptions{EnableCache: !t.Settings.NoCache && !w.fresh[t] || w.mustCache(c), CacheKey: t.Settings.CacheKey}
	}
	if c != nil && c.DAG != nil {
		if t.Settings.Pod(nil) {
			at.refuse("options.pipeline")
		}
	}
	s.RetryPolicy = w.retry(at, t.Settings.Retry)
	if t.When != nil {
		if ofArtifact(t.When) {
			at.refuse("when.given.artifact")
		}
		s.TriggerPolicy = &kfpspec.TriggerPolicy{Condition: t.When.CEL()}
	}
	if t.WhenText != "" {
		s.TriggerPolicy = &kfpspec.TriggerPolicy{Condition: t.WhenText}
	}
	if t.Always {
		if s.TriggerPolicy == nil {
			s.TriggerPolicy = &kfpspec.TriggerPolicy{}
		}
		s.TriggerPolicy.Strategy = kfpspec.AllUpstreamTasksCompleted
	}
	if t.Each != nil {
		w.each(at, s, inputs, c, t.Each)
	}
	s.ComponentRef.Name = w.component(t, inputs)
	w.intact(t, s.ComponentRef.Name, inputs)
	if inputs.Parameters != nil || inputs.Artifacts != nil {
		s.Inputs = inputs
	}
	return s
}

// ofArtifact reports whether a condition looks at an artifact.
func ofArtifact(e *expr.Expr) bool { return e.Artifact || slices.ContainsFunc(e.Args, ofArtifact) }

// arg adds the value of an input.
func (w *writer) arg(at place, inputs *kfpspec.TaskInputs, c *program.Component, name string, v program.Value) {
	var p *program.Port
	if c != nil {
		p = c.Input(name)
	}
	switch {
	case p == nil:
		at.errorf("component %s has no input %q", at.task.Component, name)
	case p.Type.Artifact:
		if a := w.artifactArg(at, name, v); a != nil {
			kfpspec.Put(&inputs.Artifacts, name, a)
		}
	default:
		if q := w.param(at, c, "input "+name, v, inputs); q != nil {
			w.called(at, c, "input "+name, q)
			kfpspec.Put(&inputs.Parameters, name, q)
		}
	}
}

// each sets what a loop is over. The item isn't an input of the task.
func (w *writer) each(at place, s *kfpspec.TaskSpec, inputs *kfpspec.TaskInputs, c *program.Component, e *program.Each) {
	if e.Parallelism > 0 {
		s.IteratorPolicy = &kfpspec.IteratorPolicy{ParallelismLimit: e.Parallelism}
	}
	list := e.List
	if e.Items.Kind == program.Format {
		at.errorf("KFP has no loop over a list with references in it, %s; make the list in a step", e.Items) // of a file
		return
	}
	if list == "" && e.Items.Kind != program.Const {
		at.errorf("the loop's list is not an input of its component")
		return
	}
	if list != "" {
		if _, ok := at.task.Args[list]; !ok {
			w.arg(at, inputs, c, list, e.Items)
		}
	}
	if e.Artifact {
		s.ArtifactIterator = &kfpspec.ArtifactIterator{ItemInput: e.Item, Items: kfpspec.ArtifactItems{InputArtifact: list}}
		return
	}
	s.ParameterIterator = &kfpspec.ParameterIterator{ItemInput: e.Item, Items: kfpspec.ParameterItems{InputParameter: list}}
	if list == "" {
		raw, err := w.constant(w.image(at, e.Items.Const), kfptype.List)
		if err != nil {
			at.errorf("items of the loop: %v", err)
		}
		s.ParameterIterator.Items.Raw = pythonJSON(raw)
	}
}

// noPod refuses the settings of a pod for a step that has none.
func (w *writer) noPod(at place, s *program.Settings, x *program.Executor) {
	if s.Pod(x) {
		at.refuse("options.none")
	} else if s.TimeoutSecs != 0 {
		at.refuse("timeout.claim")
	}
}

// retry returns the policy, with KFP's defaults written out as Python does.
func (w *writer) retry(at place, r *program.Retry) *kfpspec.RetryPolicy {
	if r == nil {
		return nil
	}
	text, ok := r.Max.Constant()
	n, err := strconv.Atoi(text)
	switch {
	case !ok:
		at.refuse("retry.reference")
	case err != nil:
		at.errorf("dsl.Retry takes a number, not %q", text)
	}
	p := &kfpspec.RetryPolicy{MaxRetryCount: n, BackoffDuration: "0s", BackoffFactor: 2, BackoffMaxDuration: "3600s"}
	if r.Factor != 0 {
		p.BackoffFactor = r.Factor
	}
	for _, d := range []struct {
		text string
		to   *string
	}{{r.Initial, &p.BackoffDuration}, {r.MaxBackoff, &p.BackoffMaxDuration}} {
		if d.text == "" {
			continue
		}
		got, err := time.ParseDuration(d.text)
		if err != nil || got < 0 {
			at.errorf("dsl.Retry: no such wait: %q", d.text)
			continue
		}
		*d.to = strconv.FormatFloat(got.Seconds(), 'f', -1, 64) + "s"
	}
	return p
}

// artifactArg returns where an artifact comes from.
func (w *writer) artifactArg(at place, name string, v program.Value) *kfpspec.InputArtifact {
	switch v.Kind {
	case program.Input:
		return &kfpspec.InputArtifact{ComponentInputArtifact: v.Name}
	case program.Output:
		return &kfpspec.InputArtifact{TaskOutputArtifact: &kfpspec.TaskOutputArtifact{ProducerTask: v.Task, OutputArtifactKey: v.Name}}
	}
	at.errorf("input %s: an artifact can't come from a %s", name, v.Kind)
	return nil
}
