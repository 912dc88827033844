//go:build tensorflow

package gpucheck_test

import (
	_ "embed"
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

//go:embed product.py
var productPy string

// TestTensorFlow times a product in the real TensorFlow, on this machine's CPU: the
// same function, with TensorFlow to be installed for it.
func TestTensorFlow(t *testing.T) {
	here := dsl.Python[gpucheck.ProductIn, gpucheck.ProductOut]("product-here", dsl.PythonSource{
		Source: productPy, Function: "product", Image: "tensorflow/tensorflow:2.16.1", LocalPackages: []string{"tensorflow-cpu==2.16.1"},
	}, dsl.NoCache())
	r, err := local.Run(t.Context(), here, gpucheck.ProductIn{
		Framework: dsl.Const("tensorflow"), Size: dsl.Const(512), Repeats: dsl.Const(5), MinDevices: dsl.Const(0),
	}, local.Options{Home: os.Getenv("KFPGO_HOME")})
	if err != nil {
		t.Fatal(err)
	}
	d := r.Out.Devices.Get()
	if len(d) != 1 || d[0].Name != "CPU" || d[0].TFLOPS <= 0 || d[0].TFLOPS > 20 || !strings.HasPrefix(r.Out.Framework.Get(), "tensorflow==2.16.1") {
		t.Errorf("%+v, %s", d, r.Out.Framework.Get())
	}
}
