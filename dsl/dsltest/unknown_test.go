package dsltest_test

import (
	"context"
	"os"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/dsltest"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// TestUnknown: a task that the definition doesn't have ends the test, and one in a
// branch that was not taken did not run.
func TestUnknown(t *testing.T) {
	r := dsltest.Run(t, pipeline, trainIn{}, dsltest.Fake(train, trained(0.5)))
	if r.Ran("ship") || len(r.Executions("condition-1/ship")) > 0 || !r.Ran("train") {
		t.Errorf("got %v", r.Tasks)
	}
	for _, ask := range []func(r *dsltest.Result[trainOut]){
		func(r *dsltest.Result[trainOut]) { r.Ran("shpi") },
		func(r *dsltest.Result[trainOut]) { r.Executions("shpi") },
		func(r *dsltest.Result[trainOut]) { r.Ran("condition-1/shpi") },
		func(r *dsltest.Result[trainOut]) { r.Ran("condition-7/ship") },
		func(r *dsltest.Result[trainOut]) { r.Executions("condition-7") },
		func(r *dsltest.Result[trainOut]) { r.Ran("") },
	} {
		failed(t, "there are train, condition-1, condition-1/ship", func(t testing.TB) {
			ask(dsltest.Run(t, pipeline, trainIn{}, dsltest.Fake(train, trained(0.5))))
		})
	}
}

// TestFakeSecrets: a fake needs no secret and no config map of its task.
func TestFakeSecrets(t *testing.T) {
	p := dsl.Pipeline("secretive", func(s *dsl.Scope, in trainIn) trainOut {
		return train.Call(s, in, k8s.SecretEnv("WANDB_API_KEY", "wandb", "key"), k8s.ConfigMapEnv("LEVEL", "settings", "level"),
			k8s.SecretVolume("certs", "/certs")).Out
	})
	if r := dsltest.Run(t, p, trainIn{}, dsltest.Fake(train, trained(0.5))); r.Out.Accuracy.Get() != 0.5 {
		t.Errorf("got %v", r.Out.Accuracy)
	}
	failed(t, "in a test, give the component a dsltest.Fake", func(t testing.TB) { dsltest.Run(t, p, trainIn{}) })
}

// TestOutputs: results have the types of the components, in loops and nested pipelines
// too.
func TestOutputs(t *testing.T) {
	nested := dsl.Pipeline("nested", func(s *dsl.Scope, in trainIn) trainOut { return pipeline.Call(s, in).Out })
	p := dsl.Pipeline("many", func(s *dsl.Scope, _ dsl.None) dsl.None {
		dsl.ParallelFor(s, dsl.Const([]int{3, 4}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			nested.Call(s, trainIn{Epochs: n})
			return dsl.None{}
		})
		return dsl.None{}
	})
	r := dsltest.Run(t, p, dsl.None{}, dsltest.Fake(train, func(_ context.Context, in trainIn, out *trainOut) error {
		out.Accuracy.Set(float64(in.Epochs.Get())/100 + 0.935)
		return os.WriteFile(out.Model.Path(), []byte("abc"), 0o644)
	}))
	sizes := dsltest.Outputs(r, ship)
	if trained := dsltest.Outputs(r, train); len(trained) != 2 || len(sizes) != 1 || sizes[0].Size.Get() != 3 || !r.Ran("for-loop-2/1/nested/digits/train") {
		t.Errorf("got %v and %v of %v", trained, sizes, r.Tasks)
	} else if b, err := os.ReadFile(trained[1].Model.Path()); err != nil || string(b) != "abc" {
		t.Errorf("got %q, %v", b, err)
	}
	if got := dsltest.Output(r, ship).Size.Get(); got != 3 || len(dsltest.Outputs(r, pipeline)) != 2 {
		t.Errorf("got %d, and %v", got, dsltest.Outputs(r, pipeline))
	}
	failed(t, "2 executions of train succeeded, not one", func(t testing.TB) {
		dsltest.Output(dsltest.Run(t, p, dsl.None{}, dsltest.Fake(train, trained(0.5))), train)
	})
	failed(t, "day is not called by many", func(t testing.TB) {
		dsltest.Outputs(dsltest.Run(t, p, dsl.None{}, dsltest.Fake(train, trained(0.5))), day)
	})
}
