package argo_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

type tellExitIn struct {
	Who    dsl.Param[string]
	Status dsl.Param[dsl.FinalStatus]
}

var tellExit = dsl.Func("tell-exit", idle[tellExitIn, dsl.None])

func exitLevel(name string, body func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64]) *dsl.Component[countIO, countIO] {
	return dsl.Pipeline(name, func(s *dsl.Scope, in countIO) countIO {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			tellExit.Call(s, tellExitIn{dsl.Const(name), status})
		})
		return countIO{body(s, in.N)}
	})
}

var (
	innerExit  = exitLevel("inner", func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] { return countStep.Call(s, countIO{n}).Out.N })
	middleExit = exitLevel("middle", func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] {
		return countStep.Call(s, countIO{innerExit.Call(s, countIO{n}).Out.N}).Out.N
	})
	outerExit = exitLevel("outer", func(s *dsl.Scope, n dsl.Param[int64]) dsl.Param[int64] { return middleExit.Call(s, countIO{n}).Out.N })
)

// TestNestedExits: exit handlers of pipelines in pipelines, each told how its own
// ended; numbers beyond doubles keep their digits.
func TestNestedExits(t *testing.T) {
	for _, fail := range []bool{false, true} {
		s := newSim(t, workflow(t, outerExit, options), map[string]string{"n": "9007199254740993"})
		var told []string
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			if name == "tell-exit" {
				told = append(told, fmt.Sprint(in(x, "who"), " ", at(in(x, "status"), "state")))
				return nil, nil
			}
			if fail {
				return nil, errors.New("failed")
			}
			return write(x, map[string]any{"n": in(x, "n")}), nil
		}
		got := s.run()
		slices.Sort(told) // the outermost may be told by Argo's own hook
		state, out := "SUCCEEDED", "9007199254740993"
		if fail {
			state, out = "FAILED", "null"
		}
		want := fmt.Sprintf("inner %s, middle %s, outer %s", state, state, state)
		if strings.Join(told, ", ") != want || got.out["n"] != out && !fail {
			t.Errorf("%v: %q, %v; want %s, %s", fail, told, got, want, out)
		}
	}
}
