package argo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

type countIO struct{ N dsl.Param[int64] }

type twoOut struct {
	N    dsl.Param[int64]
	List dsl.Param[[]string]
}

type showIn struct {
	N    dsl.Param[int64]
	List dsl.Param[[]string]
	Also dsl.Param[int64]
}

type shownOut struct{ Text dsl.Param[string] }

func idle[In, Out any](context.Context, In, *Out) error { return nil }

var (
	countStep = dsl.Func[countIO, countIO]("count", idle[countIO, countIO])
	twoStep   = dsl.Func[countIO, twoOut]("two", idle[countIO, twoOut])
	showStep  = dsl.Func[showIn, shownOut]("show", idle[showIn, shownOut])
)

// outOf reads values out of a OneOf with a default, of a group and of a group with
// an exit handler.
var outOf = dsl.Pipeline("out-of", func(s *dsl.Scope, in countIO) shownOut {
	both := dsl.OneOf(s, dsl.Gt(in.N, 1), func(s *dsl.Scope) twoOut {
		return twoStep.Call(s, countIO{in.N}).Out
	}).Default(twoOut{N: in.N, List: dsl.Const([]string{"given {{x}}"})})
	number := dsl.OneOf(s, dsl.Eq(in.N, 0), func(s *dsl.Scope) dsl.Param[int64] {
		return countStep.Call(s, countIO{dsl.Const(int64(7))}).Out.N
	}).Default(dsl.Const(int64(1<<53 - 1)))
	var made dsl.Param[int64]
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { countStep.Call(s, countIO{dsl.Const(int64(0))}) })
		dsl.Group(s, func(s *dsl.Scope) { made = countStep.Call(s, countIO{number}).Out.N })
	})
	return showStep.Call(s, showIn{N: both.N, List: both.List, Also: made}).Out
})

func TestOutOf(t *testing.T) {
	for n, want := range map[string]string{
		"0": `0 ["given {{x}}"] 7`, "1": `1 ["given {{x}}"] 9007199254740991`, "2": `2 ["made"] 9007199254740991`,
	} {
		s := newSim(t, workflow(t, outOf, options), map[string]string{"n": n})
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			switch {
			case name == "two":
				return write(x, map[string]any{"n": in(x, "n"), "list": []string{"made"}}), nil
			case name == "count":
				return write(x, map[string]any{"n": in(x, "n")}), nil
			case strings.HasPrefix(name, "default-twoout-"):
				return write(x, map[string]any{"n": in(x, "n"), "list": in(x, "list")}), nil
			case name == "default-int64":
				return write(x, map[string]any{"value": in(x, "value")}), nil
			case name == "show":
				list, err := json.Marshal(in(x, "list"))
				return write(x, map[string]any{"text": fmt.Sprint(in(x, "n"), " ", string(list), " ", in(x, "also"))}), err
			}
			return nil, fmt.Errorf("no step %s", name)
		}
		got := s.run()
		var text string
		json.Unmarshal([]byte(got.out["text"]), &text)
		if text != want || got.phase != "Succeeded" {
			t.Errorf("%s: %s %s, want %q", n, got.phase, got.out["text"], want)
		}
	}
}
