// Package digits is a pipeline that learns to read handwritten digits, from the
// download to a server. Command mnist runs its steps.
package digits

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
	Source        dsl.Param[string]    `default:"https://storage.googleapis.com/cvdf-datasets/mnist" doc:"folder with the four files of MNIST, or an mnist.npz: a URL or a path"`
	Trainer       dsl.Param[string]    `default:"go" doc:"tensorflow, which needs a GPU; anything else is go"`
	Sweep         dsl.Param[[]Config]  `doc:"what to train; the best model is kept"`
	Threshold     dsl.Param[float64]   `default:"0.95" doc:"accuracy below which nothing is served"`
	Volume        dsl.Param[string]    `default:"mnist-data" doc:"claim that the run makes for its data, and deletes"`
	StorageClass  dsl.Param[string]    `default:"" doc:"of that claim; on KFP name one, since none is a volume that exists already"`
	Seed          dsl.Param[int]       `default:"1" doc:"the same seed trains the same models"`
	ShuffleLabels dsl.Param[bool]      `default:"false" doc:"learn from wrong labels, to see that nothing is learned"`
	Day           dsl.Param[time.Time] `kfp:",optional" doc:"what the run is for; a schedule gives its fire time"`
}

// gpu is what a TensorFlow training gets.
var gpu = dsl.Options(
	dsl.GPU(1), dsl.Memory("16Gi"),
	k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"),
	k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: "Exists", Effect: "NoSchedule"}),
)

// Pipeline goes from the download to a server. It has no outputs, because KFP
// lets none out of what an exit handler guards.
var Pipeline = dsl.Pipeline("mnist", func(s *dsl.Scope, in PipelineIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		Report.Call(s, ReportIn{Status: status, Day: in.Day}) //kfpgo:ignore server it prints the message where there is one
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: in.Volume})
	})

	volume := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: in.Volume, StorageClass: in.StorageClass, Size: dsl.Const("1Gi")})
	mount := k8s.MountPVC(volume.Out.Name, dataPath)
	download := Download.Call(s, DownloadIn{Source: in.Source, ShuffleLabels: in.ShuffleLabels}, mount)

	train := TrainIn{Data: download.Out.Data, Seed: in.Seed}
	best := dsl.OneOf(s, dsl.Eq(in.Trainer, "tensorflow"), func(s *dsl.Scope) PickOut {
		return sweep(s, TrainTensorFlow, in.Sweep, train, gpu, mount)
	}).Else(func(s *dsl.Scope) PickOut {
		return sweep(s, TrainGo, in.Sweep, train, dsl.CPU("2"), dsl.CPURequest("500m"), mount)
	})

	//kfpgo:ignore unused the predictions are for people
	evaluate := Evaluate.Call(s, EvaluateIn{Data: download.Out.Data, Model: best.Model}, mount)
	dsl.If(s, dsl.GeRef(evaluate.Out.Accuracy, in.Threshold), func(s *dsl.Scope) {
		claim := ModelClaim.Call(s, ModelClaimIn{Name: dsl.Const("mnist-models")})
		publish := Publish.Call(s, PublishIn{Model: best.Model}, k8s.MountPVC(claim.Out.Name, modelPath))
		deployed := Serve.Call(s, ServeIn{Name: dsl.Const("mnist"), Claim: claim.Out.Name, Version: publish.Out.Version})
		service := Expose.Call(s, ExposeIn{Name: deployed.Out.Name})
		Query.Call(s, QueryIn{Host: service.Out.Host, Data: download.Out.Data, Model: best.Model}, mount)
	})
	return dsl.None{}
}).Defaults(PipelineIn{
	Sweep: dsl.Const([]Config{
		{Epochs: dsl.Const(8), Rate: dsl.Const(0.05)},
		{Epochs: dsl.Const(8), Rate: dsl.Const(0.2)},
	}),
})

// sweep trains a model for each config, and picks the best of them.
func sweep(s *dsl.Scope, train *dsl.Component[TrainIn, TrainOut], configs dsl.Param[[]Config], in TrainIn, opts ...dsl.Option) PickOut {
	trained := dsl.ParallelFor(s, configs, func(s *dsl.Scope, item dsl.Param[Config]) TrainOut {
		c := dsl.Fields(item)
		in.Epochs, in.Rate = c.Epochs, c.Rate
		//kfpgo:ignore pvc,unused at most two at once, and the example is for a cluster of one node; what device it was is for people
		return train.Call(s, in, opts...).Out
	}, dsl.Parallelism(2))
	//kfpgo:ignore unused how good the best one was is for people
	return Pick.Call(s, PickIn{
		Models:     dsl.CollectedArtifacts(trained.Each.Model),
		Accuracies: dsl.Collected(trained.Each.Accuracy),
	}).Out
}

// Nightly trains on each new day, and serves what it finds.
var Nightly = dsl.NewSchedule("mnist-nightly", Pipeline, dsl.When{
	Cron: "0 3 * * *",
	Zone: "Europe/Zurich",
}, PipelineIn{Day: dsl.FireTime()})
