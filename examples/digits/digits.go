// Package digits has what the examples of model servers share: MNIST, a classifier
// that scikit-learn trains on it, and servers for runs on this machine.
package digits

import (
	_ "embed" // the Python source

	"github.com/kfpgo/kfpgo/components/fetch"
	"github.com/kfpgo/kfpgo/dsl"
)

// TrainIn is MNIST, in the four files that were published, and how to train.
type TrainIn struct {
	TrainImages, TrainLabels dsl.Dataset
	TestImages, TestLabels   dsl.Dataset

	Epochs dsl.Param[int] `default:"8"`
	Asked  dsl.Param[int] `default:"1000" doc:"test images that the server will be asked for"`
}

// TrainOut is a classifier, and what to ask its server.
type TrainOut struct {
	Model   dsl.Model   `doc:"a folder with model.joblib, as the servers of Seldon and KServe want it"`
	Images  dsl.Dataset `doc:"784 numbers on each line"`
	Labels  dsl.Dataset `doc:"what they show, on the lines of a file"`
	Metrics dsl.Metrics `doc:"accuracy of the model, on all 10,000 test images"`
}

//go:embed train.py
var trainPy string

// scikit is what a model is trained and served with on this machine.
var scikit = []string{"scikit-learn==1.5.2", "numpy==1.26.4"}

// Trainer returns the training, to be run in the image of the server: a model that
// one scikit-learn writes is read by the same.
func Trainer(image string) *dsl.Component[TrainIn, TrainOut] {
	return dsl.Python[TrainIn, TrainOut]("train", dsl.PythonSource{Source: trainPy, Function: "train", Image: image, LocalPackages: scikit})
}

// Fetch gets MNIST from a folder on the web, and checks that it is what Yann LeCun
// and others published.
func Fetch(s *dsl.Scope, source dsl.Param[string]) TrainIn {
	get := func(file, sha256 string) dsl.Dataset {
		return fetch.File.Call(s, fetch.FileIn{URL: dsl.Sprintf("%s/%s.gz", source, file), Digest: dsl.Const("sha256:" + sha256)}, dsl.Named("fetch "+file)).Out.Data
	}
	return TrainIn{
		TrainImages: get("train-images-idx3-ubyte", "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
		TrainLabels: get("train-labels-idx1-ubyte", "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"),
		TestImages:  get("t10k-images-idx3-ubyte", "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
		TestLabels:  get("t10k-labels-idx1-ubyte", "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
	}
}
