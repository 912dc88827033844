package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

type knownIn struct {
	Text dsl.Param[string] `kfp:",optional"`
	N    dsl.Param[int64]  `kfp:",optional"`
	Data dsl.Dataset       `kfp:",optional"`
}

type knownOut struct {
	Which dsl.Param[string]
	Text  dsl.Param[string]
	Data  dsl.Dataset
}

type seenOut struct {
	Text dsl.Param[string]
	Data dsl.Dataset
}

// seen says what it was given, and what its variable is.
var seen = dsl.Func("seen", func(_ context.Context, in knownIn, out *seenOut) error {
	text, hasText := in.Text.Lookup()
	n, hasN := in.N.Lookup()
	out.Text.Set(fmt.Sprintf("%q %v %d %v", text, hasText, n, hasN))
	return os.WriteFile(out.Data.Path(), []byte("data"), 0o644)
})

// branches asks for each of its inputs, in groups in groups.
var branches = dsl.Pipeline("branches", func(s *dsl.Scope, in knownIn) knownOut {
	is := func(which string) func(s *dsl.Scope) knownOut {
		return func(s *dsl.Scope) knownOut {
			out := seen.Call(s, in, dsl.Env("A", in.Text)).Out
			return knownOut{echo.Call(s, textIn{dsl.Sprintf("%s <%v|%v>", dsl.Const(which), in.Text, in.N)}).Out.Text, out.Text, out.Data}
		}
	}
	dsl.ParallelFor(s, dsl.Const([]int64{1, 2}), func(s *dsl.Scope, _ dsl.Param[int64]) dsl.None {
		dsl.If(s, dsl.Or(dsl.Lt(in.N, int64(8)), dsl.Not(dsl.Given(in.N))), func(s *dsl.Scope) { seen.Call(s, in) })
		return dsl.None{}
	})
	return dsl.OneOf(s, dsl.And(dsl.Given(in.Text), dsl.Given(in.Data)), is("text and data")).
		Elif(dsl.And(dsl.Given(in.N), dsl.Gt(in.N, 5)), is("large")).Elif(dsl.Ne(in.Text, "x"), is("a text")).Else(is("neither"))
})

// TestKnown: a program does the same in a run whose inputs are known.
func TestKnown(t *testing.T) {
	p0 := dsl.Pipeline("known", func(s *dsl.Scope, in knownIn) knownOut {
		made := seen.Call(s, in).Out
		branches.Call(s, knownIn{Data: made.Data, Text: made.Text})
		branches.Call(s, knownIn{N: in.N, Data: in.Data})
		branches.Call(s, knownIn{Text: dsl.Const("x"), N: dsl.Const(int64(9))})
		dsl.If(s, dsl.Eq(made.Text, "no"), func(s *dsl.Scope) { branches.Call(s, in) })
		return branches.Call(s, in).Out
	})
	g := recorded.Graph(p0)
	whole, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, params := range []map[string]json.RawMessage{{}, {"text": []byte(`"x"`)}, {"n": []byte("7")}, {"text": []byte(`""`), "n": []byte("0")}} {
		given := map[string]bool{}
		for name := range params {
			given[name] = true
		}
		runs := func(p *program.Program) *run.Run {
			r, err := execute(t, t.Context(), p0, p, engine.Options{Params: params})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		want := runs(whole)
		for name, p := range map[string]*program.Program{"known": whole.Known(given), "not known": whole.Known(nil), "in two steps": whole.Known(nil).Known(given)} {
			got := runs(p)
			a, b := states(got), states(want)
			for path, state := range a { // what is in a branch that is known not to run isn't there
				if state == run.Skipped {
					delete(a, path)
				}
			}
			maps.DeleteFunc(b, func(_ string, state run.State) bool { return state == run.Skipped })
			if got.State != run.Succeeded || !reflect.DeepEqual(got.Outputs, want.Outputs) || !maps.Equal(a, b) {
				t.Errorf("%s, %s: %s %s, %s; want %s; states %v, want %v", params, name, got.State, got.Error, got.Outputs, want.Outputs, a, b)
			}
		}
	}
}
