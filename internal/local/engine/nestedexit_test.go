package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
)

// TestNestedExits: an exit handler in a pipeline that is called in one that has an
// exit handler, at three levels. KFP's Python has exit handlers in the outermost
// scope only, of each pipeline.
func TestNestedExits(t *testing.T) {
	type tellIn struct {
		Who    dsl.Param[string]
		Status dsl.Param[dsl.FinalStatus]
	}
	var mu sync.Mutex
	var told []string
	tell := dsl.Func("tell", func(_ context.Context, in tellIn, _ *dsl.None) error {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, in.Who.Get()+" "+in.Status.Get().State)
		return nil
	})
	work := dsl.Func("work", func(_ context.Context, in numIn, out *numOut) error {
		if in.N.Get() < 0 {
			return errors.New("less than nothing")
		}
		out.N.Set(in.N.Get() + 1)
		return nil
	})
	level := func(name string, body func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64]) *dsl.Component[numIn, numOut] {
		return dsl.Pipeline(name, func(s *dsl.Scope, in numIn) numOut {
			dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
				tell.Call(s, tellIn{dsl.Const(name), status})
			})
			return numOut{body(s, in.N)}
		})
	}
	inner := level("inner", func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] { return work.Call(s, numIn{n}).Out.N })
	middle := level("middle", func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] {
		return work.Call(s, numIn{inner.Call(s, numIn{n}).Out.N}).Out.N
	})
	outer := level("outer", func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] { return middle.Call(s, numIn{n}).Out.N })
	for n, want := range map[int64]struct {
		told []string
		out  string
	}{
		1:                {[]string{"inner SUCCEEDED", "middle SUCCEEDED", "outer SUCCEEDED"}, "3"},
		9007199254740993: {[]string{"inner SUCCEEDED", "middle SUCCEEDED", "outer SUCCEEDED"}, "9007199254740995"}, // beyond doubles
		-1:               {[]string{"inner FAILED", "middle FAILED", "outer FAILED"}, ""},
	} {
		told = nil
		r := start(t, t.Context(), outer, engine.Options{}, fmt.Sprintf(`{"n": %d}`, n))
		if !slices.Equal(told, want.told) || string(r.Outputs["n"]) != want.out {
			t.Errorf("%d: %q, %s; want %q, %s", n, told, r.Outputs["n"], want.told, want.out)
		}
	}
}
