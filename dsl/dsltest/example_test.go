package dsltest_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/dsltest"
)

type trainIn struct {
	Epochs dsl.Param[int] `default:"5"`
}

type trainOut struct {
	Model    dsl.Model
	Accuracy dsl.Param[float64]
}

// train needs an image that a test can't run.
var train = dsl.Container("train", func(in trainIn, out trainOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "ghcr.io/acme/train:1.4", Command: []string{"train"},
		Args: dsl.Args("--epochs", in.Epochs, "--model", out.Model.Path(), "--accuracy", out.Accuracy.Path())}
}, dsl.GPU(1))

type shipIn struct{ Model dsl.Model }

type shipOut struct{ Size dsl.Param[int] }

var ship = dsl.Func("ship", func(_ context.Context, in shipIn, out *shipOut) error {
	b, err := os.ReadFile(in.Model.Path())
	out.Size.Set(len(b))
	return err
})

var pipeline = dsl.Pipeline("digits", func(s *dsl.Scope, in trainIn) trainOut {
	t := train.Call(s, in)
	dsl.If(s, dsl.Ge(t.Out.Accuracy, 0.97), func(s *dsl.Scope) {
		ship.Call(s, shipIn{Model: t.Out.Model})
	})
	return t.Out
})

// trained is a fake of train with an accuracy.
func trained(accuracy float64) func(context.Context, trainIn, *trainOut) error {
	return func(_ context.Context, in trainIn, out *trainOut) error {
		out.Accuracy.Set(accuracy)
		return os.WriteFile(out.Model.Path(), []byte(strings.Repeat("x", in.Epochs.Get())), 0o644)
	}
}

// A bad model goes nowhere, and a good one is shipped.
func TestShips(t *testing.T) {
	r := dsltest.Run(t, pipeline, trainIn{}, dsltest.Fake(train, trained(0.5)))
	if r.Ran("ship") || r.Out.Accuracy.Get() != 0.5 {
		t.Error("shipped")
	}
	r = dsltest.Run(t, pipeline, trainIn{Epochs: dsl.Const(7)}, dsltest.Fake(train, trained(0.98)))
	if got := dsltest.Output(r, ship).Size.Get(); got != 7 {
		t.Errorf("shipped %d bytes", got)
	}
	if b, err := os.ReadFile(r.Out.Model.Path()); err != nil || len(b) != 7 {
		t.Errorf("%q, %v", b, err)
	}
}

// TestFakes: nested pipelines and Go functions have fakes too, and one that can't
// work says so.
func TestFakes(t *testing.T) {
	outer := dsl.Pipeline("outer", func(s *dsl.Scope, _ dsl.None) shipOut {
		return ship.Call(s, shipIn{Model: pipeline.Call(s, trainIn{}).Out.Model}).Out
	})
	r := dsltest.Run(t, outer, dsl.None{},
		dsltest.Fake(pipeline, trained(1)),
		dsltest.Fake(ship, func(_ context.Context, _ shipIn, out *shipOut) error { out.Size.Set(-1); return nil }))
	if r.Out.Size.Get() != -1 {
		t.Errorf("got %d", r.Out.Size.Get())
	}
	f := dsltest.RunFails(t, outer, dsl.None{}, dsltest.Fake(pipeline, func(context.Context, trainIn, *trainOut) error { return errors.New("no data") }))
	if !strings.Contains(f.Err.Error(), "no data") || f.Ran("ship") {
		t.Errorf("got %v", f.Err)
	}
	other := dsl.Func("other", func(context.Context, dsl.None, *dsl.None) error { return nil })
	failed(t, "other is not called by outer, which calls", func(t testing.TB) {
		dsltest.Run(t, outer, dsl.None{}, dsltest.Fake(other, func(context.Context, dsl.None, *dsl.None) error { return nil }))
	})
	failed(t, "no task evaluate was reached; there are", func(t testing.TB) {
		dsltest.Run(t, outer, dsl.None{}, dsltest.Fake(pipeline, trained(1))).Task("evaluate")
	})
	// the fakes are gone: what they stood for is needed again
	failed(t, "train", func(t testing.TB) {
		t.Setenv("PATH", "")
		dsltest.Run(t, outer, dsl.None{})
	})
}

// TestArtifacts: a component, and a pipeline, get artifacts that the test made.
func TestArtifacts(t *testing.T) {
	file := t.TempDir() + "/model"
	if err := os.WriteFile(file, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := dsltest.Run(t, ship, shipIn{Model: dsl.File[dsl.Model](file)}); r.Out.Size.Get() != 3 {
		t.Errorf("got %d", r.Out.Size.Get())
	}
	type in struct{ Models dsl.List[dsl.Model] }
	type out struct{ Sizes dsl.Param[[]int] }
	all := dsl.Func("all", func(_ context.Context, in in, out *out) error {
		var sizes []int
		for _, m := range in.Models.All() {
			b, err := os.ReadFile(m.Path())
			if err != nil {
				return err
			}
			sizes = append(sizes, len(b))
		}
		out.Sizes.Set(sizes)
		return nil
	})
	p := dsl.Pipeline("all-of-them", func(s *dsl.Scope, in in) out { return all.Call(s, in).Out })
	r := dsltest.Run(t, p, in{dsl.ListOf(dsl.File[dsl.Model](file), dsl.File[dsl.Model](file))})
	if got := r.Out.Sizes.Get(); len(got) != 2 || got[0] != 3 || got[1] != 3 {
		t.Errorf("got %v", got)
	}
	failed(t, "no such file or directory", func(t testing.TB) {
		dsltest.Run(t, ship, shipIn{Model: dsl.File[dsl.Model](file + "-2")})
	})
}

func TestWiring(t *testing.T) {
	if got := dsltest.FindTask(t, pipeline, "ship").Args["model"]; got != "train.model" {
		t.Errorf("ship reads %s", got)
	}
	const want = `digits
  train; epochs = epochs
  condition-1: if train.accuracy >= 0.97 after train
    ship; model = train.model
`
	if got := dsltest.Outline(t, pipeline); got != want {
		t.Errorf("got\n%s", got)
	}
	failed(t, "there is no task evaluate; there are train, condition-1, condition-1/ship", func(t testing.TB) {
		dsltest.FindTask(t, pipeline, "evaluate")
	})
}

func TestGolden(t *testing.T) {
	file := t.TempDir() + "/testdata/digits.yaml"
	image := compiler.Image("ghcr.io/acme/digits:1")
	failed(t, "KFPGO_UPDATE=1", func(t testing.TB) { dsltest.Golden(t, file, pipeline, image) })
	t.Setenv("KFPGO_UPDATE", "1")
	dsltest.Golden(t, file, pipeline, image)
	t.Setenv("KFPGO_UPDATE", "")
	dsltest.Golden(t, file, pipeline, image)
	failed(t, "ghcr.io/acme/digits:2", func(t testing.TB) { dsltest.Golden(t, file, pipeline, compiler.Image("ghcr.io/acme/digits:2")) })
}
