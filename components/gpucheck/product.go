package gpucheck

import (
	_ "embed" // the Python source

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed product.py
var productPy string

// ProductIn is what to multiply, and what must come of it.
type ProductIn struct {
	Framework  dsl.Param[string]  `default:"" doc:"torch, tensorflow or cupy; empty: the first of them that the image has"`
	Size       dsl.Param[int]     `default:"8192" doc:"rows and columns of the matrices" check:"min=1"`
	Repeats    dsl.Param[int]     `default:"20" check:"min=1"`
	DType      dsl.Param[string]  `kfp:"dtype" default:"float32" doc:"of the numbers: float32, float16 and what else the framework has"`
	MinDevices dsl.Param[int]     `default:"1" doc:"0: without a GPU the product is timed on the CPU" check:"min=0"`
	MinTFLOPS  dsl.Param[float64] `kfp:"min_tflops" default:"0" doc:"of each device: a slower one fails the task"`
}

// ProductOut is how fast the devices are.
type ProductOut struct {
	Framework dsl.Param[string]   `doc:"and its version, such as torch==2.5.1"`
	CUDA      dsl.Param[string]   `kfp:"cuda" doc:"that it was built for; empty: none"`
	Devices   dsl.Param[[]Timing] `doc:"a GPU each, or the CPU"`
	Metrics   dsl.Metrics         `doc:"of each device: ms, tflops, and what nvidia-smi said meanwhile: use_percent_max, use_percent_mean, used_mib_max"`
}

// A Timing is how fast a device is.
type Timing struct {
	Index  int     `json:"index"` // -1: the CPU
	Name   string  `json:"name"`
	MS     float64 `json:"ms"` // of a product
	TFLOPS float64 `json:"tflops"`

	// What nvidia-smi said meanwhile; without it they are 0.
	UseMax  float64 `json:"use_percent_max,omitempty"`
	UseMean float64 `json:"use_percent_mean,omitempty"`
	UsedMiB float64 `json:"used_mib_max,omitempty"`
	Samples float64 `json:"samples,omitempty"`
}

// Product times a matrix product on each GPU, in the framework that a training
// uses and in its image, and reports what the framework sees: its version, the CUDA
// that it was built for, and the devices.
//
//	gpucheck.Product.Call(s, gpucheck.ProductIn{}, dsl.GPU(1), dsl.Image("pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime"))
//
// It needs one of the three frameworks: a program in CUDA that would do without is
// not part of it.
var Product = work.Check(dsl.Python[ProductIn, ProductOut]("gpu-product", dsl.PythonSource{
	Source: productPy, Function: "product", Image: "tensorflow/tensorflow:2.16.1-gpu",
}, dsl.NoCache()), func(c *work.Call) {
	work.OneOf(c, "framework", "", "torch", "tensorflow", "cupy")
	if x, ok := work.Arg[float64](c, "min_tflops"); ok && x < 0 {
		c.Errorf("input min_tflops is %v", x)
	}
})
