package feature_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

var echo = dsl.Container("echo", func(in noBase, out textOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"sh", "-c", "echo"}, Outputs: []dsl.OutputFile{dsl.OutputAt(out.Text, "/tmp/text")}}
})

type (
	textOut struct{ Text dsl.Param[string] }
	textsIn struct{ Texts dsl.Param[[]string] }
	RowOf   struct {
		Names []string `json:"names"`
	}
)

type (
	baseIn   struct{ M dsl.Model }
	maybeOut struct {
		Text dsl.Param[string] `kfp:",optional"`
	}
)

var (
	metadata = dsl.Container("metadata", func(in baseIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: dsl.Args("echo", in.M.MetadataJSON())}
	})
	maybe = dsl.Func("maybe", func(context.Context, dsl.None, *maybeOut) error { return nil })
)

var texts = dsl.Func("texts", func(context.Context, textsIn, *dsl.None) error { return nil })

// wrongs show what KFP's servers get wrong.
var wrongs = []dsl.Definition{
	plain("ignores-after-loop", func(s *dsl.Scope, p noBase) {
		var inside *dsl.Task[readOut]
		dsl.ParallelFor(s, dsl.Const([]int{1}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			inside = read.Call(s, dsl.None{})
			return dsl.None{}
		})
		read.Call(s, dsl.None{}, dsl.After(inside), dsl.IgnoreUpstreamFailure())
	}),
	plain("ignores-after-claim", func(s *dsl.Scope, p noBase) {
		gone := k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: p.Text})
		read.Call(s, dsl.None{}, dsl.After(gone), dsl.IgnoreUpstreamFailure())
	}),
	plain("ignores-after-skipped", func(s *dsl.Scope, p noBase) {
		m := dsl.OneOf(s, dsl.Eq(p.N, 1), func(s *dsl.Scope) dsl.Model { return read.Call(s, dsl.None{}).Out.M }).Optional()
		step.Call(s, in{N: p.N, Text: p.Text, Base: m}, dsl.IgnoreUpstreamFailure())
	}),
	plain("ignores-before", func(s *dsl.Scope, p noBase) {
		a := read.Call(s, dsl.None{})
		b := read.Call(s, dsl.None{}, dsl.After(a), dsl.IgnoreUpstreamFailure())
		read.Call(s, dsl.None{}, dsl.After(b))
	}),
	plain("collects-one-of", func(s *dsl.Scope, p noBase) {
		l := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) textOut {
			say := func(s *dsl.Scope) dsl.Param[string] { return echo.Call(s, p).Out.Text }
			return textOut{dsl.OneOf(s, dsl.Gt(n, 1), say).Else(say)}
		})
		texts.Call(s, textsIn{dsl.Collected(l.Each.Text)})
	}),
	plain("collects-one-of-artifact", func(s *dsl.Scope, p noBase) {
		l := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) readOut {
			some := func(s *dsl.Scope) dsl.Model { return read.Call(s, dsl.None{}).Out.M }
			return readOut{dsl.OneOf(s, dsl.Gt(n, 1), some).Else(some)}
		})
		models.Call(s, modelsIn{dsl.CollectedArtifacts(l.Each.M)})
	}),
	plain("imports-found", func(s *dsl.Scope, p noBase) {
		dsl.Import[dsl.Model](s, echo.Call(s, p).Out.Text)
	}),
	plain("reads-metadata", func(s *dsl.Scope, p noBase) { metadata.Call(s, baseIn{M: read.Call(s, dsl.None{}).Out.M}) }),
	plain("may-leave-out", func(s *dsl.Scope, p noBase) { maybe.Call(s, dsl.None{}) }),
	plain("each-of-item", func(s *dsl.Scope, p noBase) {
		dsl.ParallelFor(s, dsl.Const([]RowOf{{Names: []string{"a"}}}), func(s *dsl.Scope, row dsl.Param[RowOf]) dsl.None {
			dsl.ParallelFor(s, dsl.Field(row, func(r *RowOf) *[]string { return &r.Names }), func(s *dsl.Scope, name dsl.Param[string]) dsl.None {
				echo.Call(s, noBase{N: p.N, Text: name})
				return dsl.None{}
			})
			return dsl.None{}
		})
	}),
}

// TestWrong: what KFP's servers get wrong is refused for those that do, and for no other.
func TestWrong(t *testing.T) {
	shown := map[string]bool{}
	programs := []*program.Program{}
	for _, d := range slices.Concat(definitions, wrongs) {
		programs = append(programs, lowered.Program(t, d))
	}
	for _, p := range pairs.All() {
		if p.Definition != nil {
			programs = append(programs, lowered.Program(t, p.Definition))
		}
	}
	for _, r := range feature.Table {
		wrong := r.Support[feature.KFP].Wrong
		if wrong == nil {
			continue
		}
		for _, p := range programs {
			if len(feature.UsesOf(p, func(id string) bool { return id == r.ID })) == 0 {
				continue
			}
			shown[r.ID] = true
			says := feature.Bare(r.Write) + " and would " + wrong.Does + "; " + wrong.Instead
			if err := feature.CheckServer(p, feature.Newest); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %s: %v", p.Name, r.ID, err)
			}
			if err := feature.CheckServer(p, wrong.Since-1); err != nil && strings.Contains(err.Error(), says) {
				t.Errorf("%s: %s: a server before 2.%d is said to have it too: %v", p.Name, r.ID, wrong.Since, err)
			}
		}
		if !shown[r.ID] {
			t.Errorf("row %s: no program here shows it", r.ID)
		}
	}
}
