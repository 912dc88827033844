package suite

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
)

// Kept fails in a group whose handler runs, while the tasks beside the group continue.
var Kept = dsl.Pipeline("kept", func(s *dsl.Scope, _ dsl.None) Text {
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			Report.Call(s, StatusIn{status, dsl.Const("FAILED")})
		})
		Fail.Call(s, Text{dsl.Const("x")})
	})
	return Echo.Call(s, Text{dsl.Const("beside")}).Out
})

// Cleaned has a group that succeeds, with a handler, before another task.
var Cleaned = dsl.Pipeline("cleaned", func(s *dsl.Scope, _ dsl.None) Text {
	group := dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			Report.Call(s, StatusIn{status, dsl.Const("SUCCEEDED")})
		})
		Echo.Call(s, Text{dsl.Const("x")})
	})
	return Echo.Call(s, Text{dsl.Const("after")}, dsl.After(group)).Out
})

// States reads the state of a task that succeeds, and takes it apart.
var States = dsl.Pipeline("states", func(s *dsl.Scope, _ dsl.None) TwoOut {
	good := Echo.Call(s, Text{dsl.Const("x")})
	status := dsl.StatusOf(good)
	state := dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })
	return TwoOut{
		stateOf.Call(s, stateIn{status}, dsl.IgnoreUpstreamFailure()).Out.Text,
		Echo.Call(s, Text{dsl.Sprintf("<%v>", state)}, dsl.IgnoreUpstreamFailure()).Out.Text,
	}
})

type stateIn struct {
	Status dsl.Param[dsl.FinalStatus]
}

var stateOf = dsl.Func("state-of", func(_ context.Context, in stateIn, out *Text) error {
	out.Text.Set(in.Status.Get().State)
	return nil
})

// Blames fails, and its handler reads which task failed.
var Blames = dsl.Pipeline("blames", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) { blame.Call(s, stateIn{status}) })
	Echo.Call(s, Text{dsl.Const("fine")})
	Fail.Call(s, Text{dsl.Const("x")})
	return dsl.None{}
})

// blame succeeds where it knows the task that failed; its run fails all the same.
var blame = dsl.Func("blame", func(_ context.Context, in stateIn, _ *dsl.None) error {
	if s := in.Status.Get(); s.PipelineTask != "fail" || s.Error.Message == "" {
		return fmt.Errorf("the task is %q, and the message %q", s.PipelineTask, s.Error.Message)
	}
	return nil
})
