//go:build tensorflow

package savedmodel_test

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/savedmodel"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

//go:embed testdata/models.py
var modelsPy string

type modelsOut struct{ Model dsl.Model }

type askIn struct{ Models dsl.Param[[]string] }

type askOut struct{ Sums dsl.Param[[]float64] }

var (
	tf     = []string{"tensorflow-cpu==2.16.1"}
	models = dsl.Python[dsl.None, modelsOut]("models", dsl.PythonSource{Source: modelsPy, Function: "models", Image: "tensorflow/tensorflow:2.16.1", LocalPackages: tf})
	ask    = dsl.Python[askIn, askOut]("ask", dsl.PythonSource{Source: modelsPy, Function: "ask", Image: "tensorflow/tensorflow:2.16.1", LocalPackages: tf})
)

type exportIn struct {
	Model, Signature, Type dsl.Param[string]
	Shape                  dsl.Param[[]int]
	Inputs, Outputs        dsl.Param[map[string]string]
}

var export = dsl.Pipeline("export-one", func(s *dsl.Scope, in exportIn) savedmodel.Out {
	return savedmodel.Export.Call(s, savedmodel.In{
		Model: dsl.Import[dsl.Model](s, in.Model), Version: dsl.Const(3), Signature: in.Signature, InputShape: in.Shape, InputType: in.Type,
		Inputs: in.Inputs, Outputs: in.Outputs,
	}).Out
})

// TestTensorFlow exports each kind of model with the real TensorFlow. All of them
// add up 4 numbers.
func TestTensorFlow(t *testing.T) {
	home, none := os.Getenv("KFPGO_HOME"), map[string]string{}
	if home == "" {
		home = t.TempDir()
	}
	made, err := local.Run(t.Context(), models, dsl.None{}, local.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	tensors := func(in, out string) [2]map[string]string {
		return [2]map[string]string{{"numbers": in}, {"sum": out}}
	}
	for _, tt := range []struct {
		kind, signature, dtype string
		shape                  []int
		tensors                [2]map[string]string
		want                   string // in the error
	}{
		{"keras", "serving_default", "float32", []int{4}, [2]map[string]string{none, none}, ""},
		{"keras-file", "serving_default", "", []int{}, [2]map[string]string{none, none}, ""},
		{"h5-file", "serving_default", "", []int{4}, [2]map[string]string{none, none}, ""},
		{"saved-model", "serving_default", "float32", []int{4}, [2]map[string]string{none, none}, ""},
		{"version", "serving_default", "float32", []int{4}, [2]map[string]string{none, none}, ""},
		{"weights", "serving_default", "float32", []int{4}, [2]map[string]string{none, none}, ""},
		{"checkpoint-1", "serving_default", "float32", []int{4}, tensors("numbers:0", "sum:0"), ""},

		{"keras", "serving_default", "", []int{5}, [2]map[string]string{none, none}, "the signature serving_default takes numbers: float32 [4], and any type, [5] is wanted"},
		{"keras", "serving_default", "int32", []int{4}, [2]map[string]string{none, none}, "the signature serving_default takes numbers: float32 [4], and int32 [4] is wanted"},
		{"keras", "classify", "", []int{}, [2]map[string]string{none, none}, "the SavedModel has no signature classify; it has serve, serving_default"},
		{"checkpoint-2", "serving_default", "", []int{}, [2]map[string]string{none, none}, "has weights and no model: put its to_json beside them"},
		{"checkpoint-1", "serving_default", "", []int{}, [2]map[string]string{none, none}, "Inputs and Outputs must name tensors of the graph; its placeholders are numbers:0"},
		{"checkpoint-1", "serving_default", "", []int{}, tensors("numbers:0", "total:0"), "the graph has no tensor total:0"},
		{"text", "serving_default", "", []int{}, [2]map[string]string{none, none}, "neither a .keras nor a .h5 file"},
		{"empty", "serving_default", "", []int{}, [2]map[string]string{none, none}, "is neither a Keras model, a SavedModel nor a checkpoint; it has nothing"},
	} {
		r, err := local.Run(t.Context(), export, exportIn{
			Model: dsl.Const("file://" + filepath.Join(made.Out.Model.Path(), tt.kind)), Signature: dsl.Const(tt.signature), Type: dsl.Const(tt.dtype), Shape: dsl.Const(tt.shape),
			Inputs: dsl.Const(tt.tensors[0]), Outputs: dsl.Const(tt.tensors[1]),
		}, local.Options{Home: home})
		if r == nil {
			t.Fatal(err)
		}
		if tt.want != "" {
			log, _ := os.ReadFile(filepath.Join(r.Dir, "tasks", "export-saved-model", "log.1"))
			if err == nil || !strings.Contains(err.Error()+string(log), tt.want) {
				t.Errorf("%s: got %v, want %s\n%s", tt.kind, err, tt.want, log)
			}
			if left, _ := filepath.Glob(filepath.Join(r.Dir, "artifacts", "export-saved-model", "saved_model", "3")); len(left) > 0 {
				t.Errorf("%s: left %q", tt.kind, left)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.kind, err)
			continue
		}
		var inputs map[string]struct {
			Shape []*int
			DType string
		}
		if err := json.Unmarshal([]byte(r.Out.Inputs.Get()), &inputs); err != nil || len(inputs) != 1 {
			t.Errorf("%s: inputs %s, %v", tt.kind, r.Out.Inputs.Get(), err)
		}
		exported = append(exported, r.Out.SavedModel.Path())
	}
	r, err := local.Run(t.Context(), ask, askIn{Models: dsl.Const(exported)}, local.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range r.Out.Sums.Get() {
		if got != 10 {
			t.Errorf("%s says that 1 + 2 + 3 + 4 is %v", exported[i], got)
		}
	}
	if n := len(r.Out.Sums.Get()); n != 7 {
		t.Errorf("%d models were asked, want 7", n)
	}
}
