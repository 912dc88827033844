package argo_test

import (
	"context"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

type unsureIn struct {
	N    dsl.Param[int]
	Text dsl.Param[string] `kfp:",optional"`
	Data dsl.Dataset       `kfp:",optional"`
	More dsl.Param[string] `default:"more"`
}

type unsureOut struct {
	Text dsl.Param[string]
	Data dsl.Dataset
}

var (
	unsureMake = dsl.Func("make", func(context.Context, unsureNumber, *unsureOut) error { return nil })
	unsureRead = dsl.Func("read", func(context.Context, unsureIn, *dsl.None) error { return nil })
)

type unsureNumber struct{ N dsl.Param[int] }

// unsure has a step that runs though what it reads may not be there.
var unsure = dsl.Pipeline("unsure", func(s *dsl.Scope, in unsureNumber) dsl.None {
	made := dsl.OneOf(s, dsl.Gt(in.N, 5), func(s *dsl.Scope) unsureOut { return unsureMake.Call(s, in).Out }).Optional()
	unsureRead.Call(s, unsureIn{in.N, made.Text, made.Data, made.Text}, dsl.IgnoreUpstreamFailure())
	return dsl.None{}
})

// TestUnsure: what a skipped task would have made is not given to a step that runs
// all the same, and a default takes its place.
func TestUnsure(t *testing.T) {
	for n, want := range map[string][2]any{"1": {nil, "more"}, "9": {"made {{x}}", "made {{x}}"}} {
		s := newSim(t, workflow(t, unsure, options), map[string]string{"n": n})
		ran := false
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			if name != "read" {
				return write(x, map[string]any{"text": "made {{x}}"}), nil
			}
			ran = true
			if got := in(x, "text"); got != want[0] {
				t.Errorf("n=%s: text %v, want %v", n, got, want[0])
			}
			if got := in(x, "more"); got != want[1] {
				t.Errorf("n=%s: more %v, want %v", n, got, want[1])
			}
			return nil, nil
		}
		if n := s.run(); n.phase != "Succeeded" || !ran {
			t.Errorf("ran %t, %s", ran, n.phase)
		}
	}
}
