// Package savedmodel turns Keras models and TensorFlow checkpoints into
// SavedModels, in the folder of a version as TensorFlow Serving and KServe want
// them, and checks their signature.
package savedmodel

import (
	_ "embed" // the Python source

	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed savedmodel.py
var source string

// In is a model.
type In struct {
	Model      dsl.Model         `doc:"a .keras file, or a folder that holds one or a SavedModel"`
	Version    dsl.Param[int]    `default:"1" doc:"the folder that the SavedModel goes into"`
	Signature  dsl.Param[string] `default:"serving_default"`
	InputShape dsl.Param[[]int]  `doc:"that the signature must have, without the batch; [] : any"`
}

// Out is the SavedModel.
type Out struct {
	SavedModel dsl.Model         `kfp:"saved_model" doc:"a folder with a folder for the version; its metadata have inputs and outputs"`
	Inputs     dsl.Param[string] `doc:"of the signature, as JSON"`
	Outputs    dsl.Param[string]
}

// Export writes a SavedModel and checks that it loads and has the signature.
var Export = dsl.Python[In, Out]("export-saved-model", dsl.PythonSource{
	Source: source, Function: "export_saved_model",
	Image: "tensorflow/tensorflow:2.16.1", LocalPackages: []string{"tensorflow-cpu==2.16.1"},
}).Defaults(In{InputShape: dsl.Const([]int{})})
