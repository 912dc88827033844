// Package mnist is a pipeline that uses most of what package dsl has, for its
// tests: examples/mnist as it would be if it were only defined and never ran.
package mnist

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// A Config is one training of the sweep.
type Config struct {
	Epochs dsl.Param[int]     `json:"epochs"`
	Rate   dsl.Param[float64] `json:"rate"`
}

type PipelineIn struct {
	Day       dsl.Param[time.Time] `kfp:",optional" doc:"what the run is for; a schedule gives its fire time"`
	URL       dsl.Param[string]    `default:"https://storage.googleapis.com/cvdf-datasets/mnist"`
	Trainer   dsl.Param[string]    `default:"go" doc:"go or tensorflow"`
	Sweep     dsl.Param[[]Config]
	Threshold dsl.Param[float64] `default:"0.9" doc:"accuracy below which nothing is served"`
	Env       dsl.Param[string]  `default:"staging"`
}

type PipelineOut struct {
	Model    dsl.Model
	Accuracy dsl.Param[float64]
}

// gpu is what a TensorFlow training gets.
var gpu = dsl.Options(
	dsl.GPU(1), dsl.CPU("4"), dsl.Memory("16Gi"), dsl.Retry(3),
	k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"),
	k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: "Exists", Effect: "NoSchedule"}),
)

var Pipeline = dsl.Pipeline("mnist", func(s *dsl.Scope, in PipelineIn) PipelineOut {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		Notify.Call(s, NotifyIn{Status: status, Day: in.Day, To: dsl.Const("#ml")})
	})

	volume := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
		NameSuffix: dsl.Const("-mnist"),
		Size:       dsl.Const("1Gi"),
	})
	cache := k8s.MountPVC(volume.Out.Name, "/cache")
	data := Download.Call(s, DownloadIn{URL: in.URL}, cache, dsl.NoCache())

	sweep := dsl.ParallelFor(s, in.Sweep, func(s *dsl.Scope, item dsl.Param[Config]) TrainOut {
		c := dsl.Fields(item)
		train := TrainIn{Digits: data.Out.Train, Epochs: c.Epochs, Rate: c.Rate}
		return dsl.OneOf(s, dsl.Eq(in.Trainer, "tensorflow"), func(s *dsl.Scope) TrainOut {
			return TrainTensorFlow.Call(s, train, gpu).Out
		}).Else(func(s *dsl.Scope) TrainOut {
			return TrainGo.Call(s, train, dsl.CPU("2")).Out
		})
	}, dsl.Parallelism(2))

	best := Pick.Call(s, PickIn{
		Models: dsl.CollectedArtifacts(sweep.Each.Model),
		Losses: dsl.Collected(sweep.Each.Loss),
	})
	eval := Evaluate.Call(s, EvaluateIn{Digits: data.Out.Test, Model: best.Out.Model})

	good := dsl.GeRef(eval.Out.Accuracy, in.Threshold)
	live := dsl.Eq(in.Env, "production")
	dsl.If(s, dsl.And(good, live), func(s *dsl.Scope) {
		Serve.Call(s, ServeIn{Name: dsl.Const("mnist"), Model: best.Out.Model})
	})

	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: volume.Out.Name}, dsl.After(data))
	return PipelineOut{Model: best.Out.Model, Accuracy: eval.Out.Accuracy}
}).Defaults(PipelineIn{
	Sweep: dsl.Const([]Config{
		{Epochs: dsl.Const(5), Rate: dsl.Const(0.1)},
		{Epochs: dsl.Const(10), Rate: dsl.Const(0.01)},
	}),
})

// Nightly trains on each new day and serves what it finds.
var Nightly = dsl.NewSchedule("mnist-nightly", Pipeline, dsl.When{
	Cron: "0 3 * * *",
	Zone: "Europe/Zurich",
}, PipelineIn{
	Day: dsl.FireTime(),
	Env: dsl.Const("production"),
})
