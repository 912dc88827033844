package twins_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/dsltest"
	"github.com/kfpgo/kfpgo/examples/twins/batch"
	"github.com/kfpgo/kfpgo/examples/twins/features"
	"github.com/kfpgo/kfpgo/examples/twins/gputrain"
	"github.com/kfpgo/kfpgo/examples/twins/quality"
	"github.com/kfpgo/kfpgo/examples/twins/sweep"
)

func TestBatch(t *testing.T) {
	for limit, want := range map[float64]bool{0.3: true, 0.6: false} {
		r := dsltest.Run(t, batch.Pipeline, batch.In{MaxDrift: dsl.Const(limit)})
		if got := r.Ran("request-retrain"); got != want || len(r.Executions("score")) != 3 || !r.Ran("notify") {
			t.Errorf("limit %v: asked for a new model: %v, want %v; %d objects", limit, got, want, len(r.Executions("score")))
		}
	}
}

func TestGPUTrain(t *testing.T) {
	checkpoint := dsl.File[dsl.Model](t.TempDir())
	for _, in := range []gputrain.In{{}, {Checkpoint: checkpoint}} {
		given := false
		r := dsltest.Run(t, gputrain.Pipeline, in, dsltest.Fake(gputrain.Train, func(_ context.Context, in gputrain.In, out *gputrain.Out) error {
			given = in.Checkpoint.Given()
			out.Loss.Set(in.Rate.Get() * float64(in.Epochs.Get()))
			return os.WriteFile(out.Model.Path(), nil, 0o644)
		}))
		if given != in.Checkpoint.Given() || r.Out.Loss.Get() != 0.01 || !r.Ran("deletepvc") {
			t.Errorf("a checkpoint was given: %v; loss %v", given, r.Out.Loss.Get())
		}
	}
}

func TestFeatures(t *testing.T) {
	r := dsltest.Run(t, features.Pipeline, dsl.None{}, dsltest.Fake(features.Fit, func(_ context.Context, in features.FitIn, out *features.FitOut) error {
		return os.WriteFile(out.Model.Path(), []byte("42\n"), 0o644)
	}))
	if r.Out.EU.Get() != 1.5 || r.Out.US.Get() != 1.5 {
		t.Errorf("scores %v and %v, want 1.5", r.Out.EU.Get(), r.Out.US.Get())
	}
}

func TestSweep(t *testing.T) {
	for limit, want := range map[float64]bool{0.95: true, 0.999: false} {
		r := dsltest.Run(t, sweep.Pipeline, sweep.In{AtLeast: dsl.Const(limit)})
		if got := r.Ran("deploy"); got != want || len(r.Executions("train")) != 4 {
			t.Errorf("limit %v: deployed: %v, want %v; %d models", limit, got, want, len(r.Executions("train")))
		}
	}
}

func TestQuality(t *testing.T) {
	check := quality.Check.Func()
	r := dsltest.RunSchedule(t, quality.Nightly, quality.Pipeline, time.Date(2027, 3, 28, 2, 30, 0, 0, time.UTC),
		dsltest.Fake(quality.Check, func(ctx context.Context, in quality.CheckIn, out *quality.CheckOut) error {
			if in.Day.Get() != "2027-03-28" {
				t.Errorf("the day is %s", in.Day.Get())
			}
			return check(ctx, in, out)
		}))
	if checks, alerts := r.Executions("check"), r.Executions("alert"); len(checks) != 2 || len(alerts) != 1 {
		t.Errorf("%d checks and %d alerts, want 2 and 1", len(checks), len(alerts))
	}
}
