package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
)

type twoOut struct {
	N    dsl.Param[int64]
	List dsl.Param[[]string]
}

var two = dsl.Func("two", func(_ context.Context, in numIn, out *twoOut) error {
	out.N.Set(in.N.Get())
	out.List.Set([]string{"made", fmt.Sprint(in.N.Get())})
	return nil
})

type showIn struct {
	N    dsl.Param[int64]
	List dsl.Param[[]string]
	Also dsl.Param[int64]
}

var show = dsl.Func("show", func(_ context.Context, in showIn, out *textOut) error {
	out.Text.Set(fmt.Sprint(in.N.Get(), in.List.Get(), in.Also.Get()))
	return nil
})

// OutOf reads values out of a OneOf with a default, of a group and of a group with
// an exit handler.
var outOf = dsl.Pipeline("out-of", func(s *dsl.Scope, in numIn) textOut {
	both := dsl.OneOf(s, dsl.Gt(in.N, 1), func(s *dsl.Scope) twoOut {
		return two.Call(s, numIn{in.N}).Out
	}).Default(twoOut{N: in.N, List: dsl.Const([]string{"given {{x}}"})})
	number := dsl.OneOf(s, dsl.Eq(in.N, 0), func(s *dsl.Scope) dsl.Param[int64] {
		return double.Call(s, numIn{dsl.Const(int64(7))}).Out.N
	}).Default(dsl.Const(int64(1<<53 - 1)))
	var made dsl.Param[int64]
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { echo.Call(s, textIn{dsl.Const("bye")}) })
		dsl.Group(s, func(s *dsl.Scope) { made = double.Call(s, numIn{number}).Out.N })
	})
	return show.Call(s, showIn{N: both.N, List: both.List, Also: made}).Out
})

func TestOutOf(t *testing.T) {
	for n, want := range map[int]string{0: "0 [given {{x}}] 28", 1: "1 [given {{x}}] 18014398509481982", 2: "2 [made 2] 18014398509481982"} {
		r := start(t, context.Background(), outOf, engine.Options{}, fmt.Sprintf(`{"n": %d}`, n))
		if got := string(r.Outputs["text"]); got != fmt.Sprintf("%q", want) {
			t.Errorf("%d: %s, want %q; %s", n, got, want, r.Error)
		}
	}
}
