// Package gputrain trains on a GPU, with data on a claim of the run's own, from a checkpoint if one is given.
package gputrain

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type In struct {
	Epochs     dsl.Param[int]     `default:"10"`
	Rate       dsl.Param[float64] `default:"0.001"`
	Checkpoint dsl.Model          `kfp:",optional"`
}

type Out struct {
	Model   dsl.Model
	Metrics dsl.Metrics
	Loss    dsl.Param[float64]
}

var Train = dsl.Container("train", func(in In, out Out) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   "ghcr.io/acme/train:1.4",
		Command: []string{"python", "-m", "acme.train"},
		Args: dsl.Args("--epochs", in.Epochs, "--lr", in.Rate, "--data", "/data", "--ckpt-dir", "/data/ckpt",
			dsl.IfPresent(in.Checkpoint, "--resume", in.Checkpoint.Path()),
			"--model", out.Model.Path(), "--metrics", out.Metrics.Path(), "--loss", out.Loss.Path()),
	}
})

var Pipeline = dsl.Pipeline("train-gpu", func(s *dsl.Scope, in In) Out {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-data"), Size: dsl.Const("200Gi"), StorageClass: dsl.Const("standard")}).Out.Name
	train := Train.Call(s, in,
		dsl.GPU(1), dsl.CPU("8"), dsl.Memory("32Gi"),
		k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"),
		k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists, Effect: k8s.NoSchedule}),
		k8s.MountPVC(claim, "/data"),
		k8s.SecretEnv("WANDB_API_KEY", "wandb", "key"),
		dsl.Env("NCCL_DEBUG", "INFO"),
		dsl.Retry(3, dsl.Backoff{Initial: 30 * time.Second, Factor: 2, Max: 10 * time.Minute}),
		dsl.Timeout(6*time.Hour))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim}, dsl.After(train))
	return train.Out
})
