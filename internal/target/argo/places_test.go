package argo_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/local"
)

type spotIn struct {
	Spot dsl.Param[string]
	Text dsl.Param[string] `kfp:",optional"`
}

type spotOut struct {
	Text dsl.Param[string] `kfp:",optional"`
}

// spot hands on what it is given, and nothing for nothing.
var spot = dsl.Func("spot", func(_ context.Context, in spotIn, out *spotOut) error {
	if text, ok := in.Text.Lookup(); ok {
		out.Text.Set(text)
	}
	return nil
})

type spotsIn struct {
	Text dsl.Param[string] `kfp:",optional"`
}

type spotsDefault struct {
	Text dsl.Param[string] `default:"d"`
}

// spots has the places to which a value that may not be there goes.
var spots = dsl.Pipeline("spots", func(s *dsl.Scope, in spotsIn) dsl.None {
	look := func(s *dsl.Scope, name string, text dsl.Param[string], opts ...dsl.Option) dsl.Param[string] {
		return spot.Call(s, spotIn{dsl.Const(name), text}, opts...).Out.Text
	}
	direct := look(s, "task", in.Text, k8s.Label("text", dsl.Sprintf("%v", in.Text)))
	look(s, "output", direct)
	inner := dsl.Pipeline("spots-inner", func(s *dsl.Scope, in spotsIn) spotOut { return spotOut{look(s, "inner", in.Text)} })
	nested := dsl.Pipeline("spots-nested", func(s *dsl.Scope, in spotsIn) spotOut { return inner.Call(s, in).Out })
	look(s, "nested output", nested.Call(s, in).Out.Text)
	withDefault := dsl.Pipeline("spots-default", func(s *dsl.Scope, in spotsDefault) dsl.None { look(s, "default", in.Text); return dsl.None{} })
	withDefault.Call(s, spotsDefault(in))
	dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, _ dsl.Param[int]) dsl.None {
		look(s, "loop", in.Text)
		nested.Call(s, in)
		return dsl.None{}
	})
	dsl.If(s, dsl.Not(dsl.Given(in.Text)), func(s *dsl.Scope) { look(s, "not given", in.Text) })
	dsl.If(s, dsl.Eq(in.Text, ""), func(s *dsl.Scope) { look(s, "empty", in.Text) }).Elif(dsl.Ne(in.Text, "x"), func(s *dsl.Scope) { look(s, "not x", in.Text) })
	chosen := dsl.OneOf(s, dsl.Given(in.Text), func(s *dsl.Scope) dsl.Param[string] { return look(s, "one", in.Text) }).Else(func(s *dsl.Scope) dsl.Param[string] { return look(s, "other", in.Text) })
	look(s, "one of", chosen)
	return dsl.None{}
})

// TestSpots: what is absent, empty and given arrives as such at each place, on Argo as
// on this machine.
func TestSpots(t *testing.T) {
	w := workflow(t, spots, options)
	for _, c := range []struct {
		text  string
		given bool
		want  map[string]string // where it isn't the value, or isn't reached
	}{
		{"", false, map[string]string{"default": "d", "one": "-", "empty": "-", "not x": "-"}},
		{"", true, map[string]string{"not given": "-", "other": "-", "not x": "-"}},
		{"x", true, map[string]string{"not given": "-", "other": "-", "empty": "-", "not x": "-"}},
		{"null", true, map[string]string{"not given": "-", "other": "-", "empty": "-"}},
	} {
		args := map[string]string{}
		arg := spotsIn{}
		if c.given {
			args["text"], arg.Text = c.text, dsl.Const(c.text)
		}
		there, here := map[string]string{}, map[string]string{}
		sim := newSim(t, w, args)
		sim.step = func(_ string, x map[string]any) (map[string]string, error) {
			there[fmt.Sprint(in(x, "spot"))] = fmt.Sprint(in(x, "text"))
			if in(x, "text") == nil {
				return nil, nil
			}
			return write(x, map[string]any{"text": in(x, "text")}), nil
		}
		if n := sim.run(); n.phase != "Succeeded" {
			t.Errorf("%+v: %s on Argo", c, n.phase)
		}
		var mu sync.Mutex
		_, err := local.Run(t.Context(), spots, arg, local.Options{Home: t.TempDir(), NoCache: true, StandIns: []local.StandIn{
			local.StandFor(spot, func(ctx context.Context, in spotIn, out *spotOut) error {
				mu.Lock()
				defer mu.Unlock()
				here[in.Spot.Get()] = "<nil>"
				if text, ok := in.Text.Lookup(); ok {
					here[in.Spot.Get()] = text
					out.Text.Set(text)
				}
				return nil
			})}})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		for _, name := range []string{"task", "output", "inner", "nested output", "default", "loop", "not given", "empty", "not x", "one", "other", "one of"} {
			want, ok := c.want[name]
			if !ok && c.given {
				want = c.text
			} else if !ok {
				want = "<nil>"
			}
			for where, got := range map[string]map[string]string{"argo": there, "local": here} {
				g, ran := got[name]
				if !ran {
					g = "-"
				}
				if g != want {
					t.Errorf("%q, given %t: %s gets %q on %s, want %q", c.text, c.given, name, g, where, want)
				}
			}
		}
	}
}
