// Package savedmodel turns Keras models and TensorFlow checkpoints into
// SavedModels, in the folder of a version as TensorFlow Serving and KServe want
// them, and checks their signature.
//
//	savedmodel.Export.Call(s, savedmodel.In{Model: train.Out.Model, InputShape: dsl.Const([]int{28, 28, 1})})
//
// A model is one of these, by itself or in a folder:
//
//   - a .keras or .h5 file, which has the whole model
//   - a SavedModel, as it is or in the folder of a version
//   - weights (.weights.h5) and the model's to_json beside them, in a .json file
//   - a checkpoint of TensorFlow 1 with its graph: NAME.meta, NAME.index and
//     NAME.data-*; Inputs and Outputs say which of its tensors the signature has
//
// A checkpoint of TensorFlow 2 has weights without a model, and is refused: save
// the model, or its to_json, where it is trained.
package savedmodel

import (
	_ "embed" // the Python source

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed savedmodel.py
var source string

// In is a model, and what its signature must be.
type In struct {
	Model      dsl.Model         `doc:"a .keras or .h5 file, a SavedModel, weights with their model in JSON, or a checkpoint with its graph"`
	Version    dsl.Param[int]    `default:"1" doc:"the folder that the SavedModel goes into" check:"min=1"`
	Signature  dsl.Param[string] `default:"serving_default"`
	InputShape dsl.Param[[]int]  `doc:"that an input of the signature must have, without the batch; [] : any"`
	InputType  dsl.Param[string] `default:"" doc:"that the same input must have, such as float32; empty: any"`

	Inputs  dsl.Param[map[string]string] `doc:"of a checkpoint with its graph: the tensor of each input, such as {\"images\": \"x:0\"}"`
	Outputs dsl.Param[map[string]string] `doc:"the tensor of each output"`
}

// Out is the SavedModel.
type Out struct {
	SavedModel dsl.Model         `kfp:"saved_model" doc:"a folder with a folder for the version; its metadata have inputs and outputs"`
	Inputs     dsl.Param[string] `doc:"of the signature, as JSON: the shape and type of each"`
	Outputs    dsl.Param[string]
}

// Export writes a SavedModel and checks that it loads and has the signature.
var Export = work.Check(dsl.Python[In, Out]("export-saved-model", dsl.PythonSource{
	Source: source, Function: "export_saved_model",
	Image: "tensorflow/tensorflow:2.16.1", LocalPackages: []string{"tensorflow-cpu==2.16.1"},
}).Defaults(In{InputShape: dsl.Const([]int{}), Inputs: dsl.Const(map[string]string{}), Outputs: dsl.Const(map[string]string{})}), func(c *work.Call) {
	shape, _ := work.Arg[[]int](c, "input_shape")
	for _, n := range shape {
		if n < 1 {
			c.Errorf("input input_shape: %v has a side of %d; leave the batch out, and the whole empty for any", shape, n)
		}
	}
})
