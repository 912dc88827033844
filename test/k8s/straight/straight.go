// Package straight is examples/mnist as far as KFP 2.0 goes: no branch, loop or exit
// handler, and the same steps, each of which is tried once.
package straight

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/examples/mnist/digits"
)

// In says where the digits are, and what makes volumes.
type In struct {
	Source       dsl.Param[string]
	StorageClass dsl.Param[string]
}

// Out is how good the model is.
type Out struct {
	Accuracy dsl.Param[float64]
}

// Pipeline downloads the digits, trains a model and evaluates it.
var Pipeline = dsl.Pipeline("mnist-straight", func(s *dsl.Scope, in In) Out {
	volume := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-digits"), StorageClass: in.StorageClass, Size: dsl.Const("1Gi")})
	mount := k8s.MountPVC(volume.Out.Name, "/data")
	data := digits.Download.Call(s, digits.DownloadIn{Source: in.Source, ShuffleLabels: dsl.Const(false)}, mount, dsl.Retry(0)).Out.Data
	model := digits.TrainGo.Call(s, digits.TrainIn{Data: data, Seed: dsl.Const(1), Epochs: dsl.Const(1), Rate: dsl.Const(0.2)}, mount).Out.Model
	evaluate := digits.Evaluate.Call(s, digits.EvaluateIn{Data: data, Model: model}, mount)
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: volume.Out.Name}, dsl.After(evaluate))
	return Out{evaluate.Out.Accuracy}
})
