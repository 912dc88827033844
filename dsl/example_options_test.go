package dsl_test

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// What a task needs and how it runs. Options of a component hold for all its
// tasks; each takes a value that is known now, or a reference.
func ExampleOptions() {
	type in struct {
		GPUs   dsl.Param[int]    `default:"1"`
		Memory dsl.Param[string] `default:"16Gi"`
		Image  dsl.Param[string] `default:"ghcr.io/acme/train:1.4"`
	}
	patient := dsl.Options(dsl.Retry(3, dsl.Backoff{Initial: time.Minute, Factor: 2, Max: time.Hour}), dsl.Timeout(6*time.Hour))
	tool := dsl.Container("tool", func(dsl.None, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "ghcr.io/acme/tool:1", Command: []string{"/tool"}}
	}, dsl.Env("LOG_LEVEL", "info"))
	p := dsl.Pipeline("options", func(s *dsl.Scope, in in) dsl.None {
		first := tool.Call(s, dsl.None{}, patient, dsl.Named("Prepare the data"),
			dsl.CPU("4"), dsl.CPURequest("500m"), dsl.Memory("8Gi"), dsl.MemoryRequest("2Gi"))
		second := tool.Call(s, dsl.None{}, dsl.After(first), dsl.GPU(in.GPUs), dsl.Memory(in.Memory), dsl.Image(in.Image))
		tool.Call(s, dsl.None{}, dsl.After(first), dsl.Accelerator("amd.com/gpu", 2), dsl.CacheKey("tool-v2"))
		tool.Call(s, dsl.None{}, dsl.After(second), dsl.IgnoreUpstreamFailure(), dsl.NoCache())
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A task waits for all of a group when it waits for the last of it, or for a
// pipeline that holds it.
func ExampleAfter() {
	prepare := dsl.Pipeline("prepare", func(s *dsl.Scope, in ModelsIn) dsl.None {
		dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) dsl.None {
			show.Call(s, showIn{Text: dsl.Sprintf("rate %v", rate)})
			return dsl.None{}
		})
		return dsl.None{}
	})
	p := dsl.Pipeline("after", func(s *dsl.Scope, in ModelsIn) dsl.None {
		all := prepare.Call(s, in)
		Train.Call(s, TrainIn{Data: in.Data}, dsl.After(all))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A text with values that only the run knows: KFP's f-string.
func ExampleSprintf() {
	p := dsl.Pipeline("texts", func(s *dsl.Scope, in ModelsIn) dsl.None {
		train := Train.Call(s, TrainIn{Data: in.Data})
		show.Call(s, showIn{Text: dsl.Sprintf("loss %v, notes: %s", train.Out.Loss, in.Notes)})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Artifacts that are somewhere already.
func ExampleImport() {
	type in struct {
		Source dsl.Param[string] `kfp:"uri"`
	}
	p := dsl.Pipeline("import", func(s *dsl.Scope, in in) dsl.None {
		Train.Call(s, TrainIn{Data: dsl.Import[dsl.Dataset](s, in.Source)})
		Evaluate.Call(s, EvaluateIn{Model: dsl.Import[dsl.Model](s, "s3://models/base")})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// What a loop in a loop made, as a list of lists.
func ExampleCollected() {
	type flatIn struct{ Losses dsl.Param[[][]float64] }
	flatten := dsl.Func("flatten", func(_ context.Context, in flatIn, _ *dsl.None) error {
		for _, losses := range in.Losses.Get() {
			fmt.Println(losses)
		}
		return nil
	})
	type losses struct{ All dsl.Param[[]float64] }
	p := dsl.Pipeline("collected", func(s *dsl.Scope, in ModelsIn) dsl.None {
		outer := dsl.ParallelFor(s, dsl.Const([]int{1, 10}), func(s *dsl.Scope, epochs dsl.Param[int]) losses {
			inner := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) TrainOut {
				return Train.Call(s, TrainIn{Data: in.Data, Epochs: epochs, Rate: rate}).Out
			})
			return losses{dsl.Collected(inner.Each.Loss)}
		})
		flatten.Call(s, flatIn{dsl.Collected(outer.Each.All)})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A task for each artifact of a list, and a list of what they made.
func ExampleParallelForArtifacts() {
	type in struct{ Models dsl.List[dsl.Model] }
	p := dsl.Pipeline("each-model", func(s *dsl.Scope, in in) dsl.None {
		dsl.ParallelForArtifacts(s, in.Models, func(s *dsl.Scope, m dsl.Model) dsl.None {
			Evaluate.Call(s, EvaluateIn{Model: m})
			return dsl.None{}
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Numbers, a confusion matrix and a ROC curve, which the KFP UI draws.
func ExampleLogMetric() {
	type out struct {
		Metrics dsl.Metrics
		Classes dsl.ClassificationMetrics
	}
	score := dsl.Func("score", func(_ context.Context, _ dsl.None, out *out) error {
		dsl.LogMetric(out.Metrics, "accuracy", 0.97)
		if err := dsl.SetConfusionMatrix(out.Classes, []string{"cat", "dog"}, [][]int{{9, 1}, {2, 8}}); err != nil {
			return err
		}
		return dsl.LogROC(out.Classes, []float64{0, 0.1, 1}, []float64{0, 0.9, 1}, []float64{2, 0.5, 0})
	})
	_, err := score.Run(context.Background(), dsl.None{})
	fmt.Println(err)
	// Output: <nil>
}

// Inputs that may be left out: with a default, or without one.
func ExampleGiven() {
	type in struct {
		Rate  dsl.Param[float64] `default:"0.05" doc:"learning rate"`
		Notes dsl.Param[string]  `kfp:",optional" doc:"what to print"`
	}
	p := dsl.Pipeline("optional", func(s *dsl.Scope, in in) dsl.None {
		dsl.If(s, dsl.Given(in.Notes), func(s *dsl.Scope) {
			show.Call(s, showIn{Text: dsl.Sprintf("%s at %v", in.Notes, in.Rate)})
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A container whose arguments depend on what it was given.
func ExampleIfPresent() {
	type in struct {
		Text  dsl.Param[string]
		Notes dsl.Param[string] `kfp:",optional"`
	}
	print := dsl.Container("print", func(in in, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{
			Image:   "busybox:1.36",
			Command: []string{"echo"},
			Args:    dsl.Args("--text="+in.Text.String(), dsl.IfPresent(in.Notes, "--notes", in.Notes)),
		}
	})
	fmt.Println(print.Check())
	// Output: <nil>
}

type vertexModelKind struct{}

func (vertexModelKind) Schema() (title, version string) { return "google.VertexModel", "0.0.1" }

// A kind of artifact of your own, or of somebody else's platform: passing any
// other kind for it doesn't compile.
func ExampleKind() {
	type in struct{ Model dsl.Artifact[vertexModelKind] }
	use := dsl.Func("use", func(_ context.Context, in in, _ *dsl.None) error {
		fmt.Println(in.Model.Path())
		return nil
	})
	_, err := use.Run(context.Background(), in{dsl.File[dsl.Artifact[vertexModelKind]]("/tmp/model")})
	fmt.Println(err)
	// Output:
	// /tmp/model
	// <nil>
}
