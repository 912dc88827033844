package dsl

import (
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Group adds tasks that belong together, so that [OnExit] in it guards only
// them. KFP calls a group with an exit handler an ExitHandler. The result stands
// for all of it in [After].
func Group(s *Scope, body func(*Scope)) Handle {
	return group{s.nest(graph.Group, body, nil).g}
}

// A group is a Handle of a whole scope.
type group struct{ g *record.Scope }

func (g group) handle() (*record.Task, *record.Scope) { return nil, g.g }

// StatusOf returns how a task ended, whatever it did, for a task that runs even
// if that one failed. KFP has it as a PipelineTaskFinalStatus of a task with
// ignore_upstream_failure.
//
//	Tell.Call(s, TellIn{Status: dsl.StatusOf(train)}, dsl.IgnoreUpstreamFailure())
func StatusOf(task Handle) Param[FinalStatus] {
	var p Param[FinalStatus]
	var t *record.Task
	if task != nil {
		t, _ = task.handle()
	}
	if t == nil {
		p.src = record.Invalidf("StatusOf takes a task; for a group use OnExit in it")
		return p
	}
	p.bind(&record.Value{Kind: graph.Status, Task: t, Owner: t.Scope.Owner, Scope: t.Scope})
	return p
}

// upstream checks what a task reads that runs even if those before it failed.
func (s *Scope) upstream(t *record.Task) {
	ignores := false
	for _, o := range t.Options {
		ignores = ignores || o.Name == "ignore-upstream-failure"
	}
	before := map[*record.Task]bool{}
	for _, a := range t.After {
		before[a] = true
	}
	status := ""
	for _, f := range t.Component.Inputs {
		v := t.Args[f.Name]
		for v != nil && v.Kind == graph.Member {
			v = v.Of[0]
		}
		switch {
		case v == nil:
		case v.Kind == graph.Status && v.Task != nil:
			status = f.Name
			before[v.Task] = true
			if !ignores {
				t.Errorf("input %s is dsl.StatusOf(%s), and this task runs only if that one succeeded; add dsl.IgnoreUpstreamFailure()", f.Name, v.Task.Name)
			}
		case v.Kind == graph.Output:
			before[v.Task] = true
			fallthrough
		case v.Kind == graph.OneOf, v.Kind == graph.Collected:
			if ignores && f.Required() {
				t.Errorf("input %s is %s, which doesn't exist if its task failed, and this task runs then too (dsl.IgnoreUpstreamFailure): give the input a default, or make it optional", f.Name, v.Describe())
			}
		}
	}
	if status != "" && (len(before) > 1 || len(t.AfterScopes) > 0) {
		t.Errorf("input %s is dsl.StatusOf one task, and this task waits for others too; let it wait for that one only", status)
	}
}
