// Package bertpretrain pre-trains a BERT on a text: masked characters are guessed, on
// all GPUs of a pod.
package bertpretrain

import (
	"embed"
	"io/fs"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// Shape is how large the model is.
type Shape struct {
	Layers       dsl.Param[int]     `default:"12"`
	Hidden       dsl.Param[int]     `default:"768"`
	Heads        dsl.Param[int]     `default:"12"`
	Intermediate dsl.Param[int]     `default:"3072" doc:"width of the feed-forward layers"`
	Sequence     dsl.Param[int]     `default:"512" doc:"characters in an example, with [CLS]"`
	Vocabulary   dsl.Param[int]     `default:"21128" doc:"most characters that are kept; others are [UNK]"`
	Dropout      dsl.Param[float64] `default:"0.1"`
}

// Training is how it learns.
type Training struct {
	Steps       dsl.Param[int]     `default:"100000"`
	Batch       dsl.Param[int]     `default:"32" doc:"examples of each process in a step"`
	Rate        dsl.Param[float64] `default:"0.0001" doc:"learning rate, after the warm-up"`
	Warmup      dsl.Param[int]     `default:"1000" doc:"steps in which the rate rises; after them it falls to 0"`
	WeightDecay dsl.Param[float64] `default:"0.01"`
	Masked      dsl.Param[float64] `default:"0.15" doc:"share of the characters that are to be guessed"`
	SaveEvery   dsl.Param[int]     `default:"1000" doc:"steps between checkpoints on the volume, from which a retry goes on"`
	Seed        dsl.Param[int]     `default:"1"`
	Processes   dsl.Param[int]     `default:"1" doc:"where there is no GPU; else there is one for each"`
}

// TrainIn is a text on the volume and the name of the model to be.
type TrainIn struct {
	Corpus dsl.Param[string] `doc:"path of a text in UTF-8, a paragraph on each line"`
	Name   dsl.Param[string] `doc:"of the model, its files and its checkpoints"`
	Shape
	Training
}

// TrainOut is the model.
type TrainOut struct {
	Model   dsl.Model          `doc:"a folder with NAME.pt, config.json and vocab.txt"`
	Metrics dsl.Metrics        `doc:"steps, first_loss, last_loss, characters_per_second, processes"`
	Loss    dsl.Param[float64] `doc:"of the last step"`
	Device  dsl.Param[string]
}

//go:embed pretrain.py
var pretrainPy string

//go:embed worker
var worker embed.FS

func files() fs.FS {
	sub, err := fs.Sub(worker, "worker")
	if err != nil {
		return worker
	}
	return sub
}

// Train starts a process for each GPU with torchrun. A retry goes on from the last
// checkpoint.
var Train = dsl.Python[TrainIn, TrainOut]("pretrain", dsl.PythonSource{
	Source: pretrainPy, Function: "pretrain", Files: files(), Image: "pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
}, dsl.Retry(3))

// In is what can be changed from run to run.
type In struct {
	Volume dsl.Param[string] `default:"bert-data" doc:"claim with the text, on a NAS for instance; checkpoints go there too"`
	Corpus dsl.Param[string] `default:"/data/语料/维基百科.txt" doc:"below /data, where the claim is mounted"`
	Name   dsl.Param[string] `default:"中文-bert-基础"`
	GPUs   dsl.Param[int]    `default:"1"`
	Shape
	Training
}

// Pipeline pre-trains one model.
var Pipeline = dsl.Pipeline("bert-pretrain", func(s *dsl.Scope, in In) TrainOut {
	return Train.Call(s, TrainIn{Corpus: in.Corpus, Name: in.Name, Shape: in.Shape, Training: in.Training},
		dsl.GPU(in.GPUs), dsl.CPU("8"), dsl.Memory("64Gi"), k8s.MountPVC(in.Volume, "/data"),
		k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists}),
	).Out
})
