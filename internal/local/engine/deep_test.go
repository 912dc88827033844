package engine_test

import (
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// TestDeep runs what is nested or chained more deeply than anybody writes by hand.
func TestDeep(t *testing.T) {
	const n = 300
	var nested func(level int) *dsl.Component[numIn, numOut]
	nested = func(level int) *dsl.Component[numIn, numOut] {
		return dsl.Pipeline(fmt.Sprintf("level-%d", level), func(s *dsl.Scope, in numIn) numOut {
			if level == 0 {
				return double.Call(s, in).Out
			}
			return nested(level-1).Call(s, in).Out
		})
	}
	var inside func(s *dsl.Scope, in numIn, level int)
	inside = func(s *dsl.Scope, in numIn, level int) {
		dsl.If(s, dsl.Ge(in.N, 0), func(s *dsl.Scope) {
			if level == 0 {
				double.Call(s, in)
				return
			}
			inside(s, in, level-1)
		})
	}
	for name, p := range map[string]*dsl.Component[numIn, numOut]{
		"pipelines": nested(n),
		"chain": dsl.Pipeline("chain", func(s *dsl.Scope, in numIn) numOut {
			last := double.Call(s, in)
			for range n {
				last = double.Call(s, in, dsl.After(last))
			}
			return last.Out
		}),
		"conditions": dsl.Pipeline("conditions", func(s *dsl.Scope, in numIn) numOut {
			inside(s, in, n)
			return double.Call(s, in).Out
		}),
	} {
		r := start(t, t.Context(), p, engine.Options{}, `{"n":21}`)
		if r.State != run.Succeeded || string(r.Outputs["n"]) != "42" {
			t.Errorf("%s: %s, %s: ...%s", name, r.State, r.Outputs["n"], r.Error[max(0, len(r.Error)-200):])
		}
		if len(r.Tasks) < n {
			t.Errorf("%s: %d tasks", name, len(r.Tasks))
		}
	}
}
