package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
)

// Panics has a step that panics; its handler reads the line and the value.
var Panics = dsl.Pipeline("panics", func(s *dsl.Scope, _ dsl.None) dsl.None {
	expect(s, "faults.go:19: no way: {{7}}")
	panics.Call(s, dsl.None{})
	return dsl.None{}
})

var panics = dsl.Func("panics-step", func(context.Context, dsl.None, *dsl.None) error {
	panic("no way: {{7}}")
})

// Unwritten has a step that doesn't write the file that it promised, and another that
// would read it. The first one fails.
var Unwritten = dsl.Pipeline("unwritten", func(s *dsl.Scope, _ dsl.None) dsl.None {
	expect(s, "output data was never written")
	Read.Call(s, ReadIn{forgets.Call(s, dsl.None{}).Out.Data})
	return dsl.None{}
})

var forgets = dsl.Func("forgets", func(context.Context, dsl.None, *WriteOut) error { return nil })

// Metadata has a step whose metrics are metadata alone, and whose optional artifact
// isn't written.
var Metadata = dsl.Pipeline("metadata", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("x")}, dsl.After(measures.Call(s, dsl.None{}))).Out
})

type measuresOut struct {
	Metrics dsl.Metrics
	Curve   dsl.ClassificationMetrics
	Perhaps dsl.Model `kfp:",optional"`
}

var measures = dsl.Func("measures", func(_ context.Context, _ dsl.None, out *measuresOut) error {
	dsl.LogMetric(out.Metrics, "loss", 0.5)
	return nil
})

// expect adds a handler that fails where the message of the failure lacks a string.
func expect(s *dsl.Scope, text string) {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		expected.Call(s, expectedIn{status, dsl.Const(text)})
	})
}

type expectedIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Text   dsl.Param[string]
}

// expected gets no message from KFP.
var expected = dsl.Func("expected", func(_ context.Context, in expectedIn, _ *dsl.None) error {
	if msg := in.Status.Get().Error.Message; msg != "" && !strings.Contains(msg, in.Text.Get()) {
		return fmt.Errorf("the message is %q, without %q", msg, in.Text.Get())
	}
	return nil
})
