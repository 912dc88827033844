package dsl_test

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

type learnIn struct{ Rate dsl.Param[float64] }

type serveIn struct{ Model dsl.Model }

func ExampleAs() {
	train := dsl.Func("train", func(context.Context, learnIn, *dsl.None) error { return nil })
	type in struct{ Mixed dsl.Param[[]any] }
	p := dsl.Pipeline("mixed", func(s *dsl.Scope, in in) dsl.None {
		dsl.ParallelFor(s, in.Mixed, func(s *dsl.Scope, item dsl.Param[any]) dsl.None {
			train.Call(s, learnIn{Rate: dsl.As[float64](item)})
			return dsl.None{}
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

func ExampleAsArtifact() {
	serve := dsl.Func("serve", func(context.Context, serveIn, *dsl.None) error { return nil })
	type in struct {
		Any  dsl.Any
		Many dsl.List[dsl.Any]
	}
	p := dsl.Pipeline("kinds", func(s *dsl.Scope, in in) dsl.None {
		serve.Call(s, serveIn{Model: dsl.AsArtifact[dsl.Model](in.Any)})
		dsl.ParallelForArtifacts(s, dsl.AsList[dsl.Model](in.Many), func(s *dsl.Scope, m dsl.Model) dsl.None {
			serve.Call(s, serveIn{Model: m})
			return dsl.None{}
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

func ExampleTaskKey() {
	train := dsl.Func("train", func(context.Context, learnIn, *dsl.None) error { return nil })
	p := dsl.Pipeline("keys", func(s *dsl.Scope, in learnIn) dsl.None {
		train.Call(s, in, dsl.TaskKey("train-first"))
		return dsl.None{}
	})
	fmt.Println(p.Check(), recorded.Graph(p).Tasks[0].Name)
	// Output: <nil> train-first
}

func ExampleExecutorInput() {
	launch := dsl.Container("launch", func(in learnIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{
			Image: "ghcr.io/acme/launcher:2",
			Args:  []string{"--input", dsl.ExecutorInput, "--output", dsl.ExecutorOutput},
		}
	})
	fmt.Println(launch.Check())
	// Output: <nil>
}

func ExampleLabel() {
	train := dsl.Func("train", func(context.Context, learnIn, *dsl.None) error { return nil })
	type in struct{ Rates dsl.Param[[]float64] }
	p := dsl.Pipeline("labels", func(s *dsl.Scope, in in) dsl.None {
		dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) dsl.None {
			dsl.Label(s, "all rates")
			train.Call(s, learnIn{Rate: rate})
			return dsl.None{}
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
