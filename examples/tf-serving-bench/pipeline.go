// Package tfservingbench compares TensorFlow Serving on one CPU, eight CPUs and a
// GPU. It builds the server for each, standard and optimised, and posts one image
// to each server in many sizes, as PNG and as JPEG, with batching off and on. A
// report says how long that takes and what it changes.
package tfservingbench

import (
	"github.com/kfpgo/kfpgo/components/fetch"
	"github.com/kfpgo/kfpgo/components/kaniko"
	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/components/savedmodel"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

// In is what can be changed from run to run.
type In struct {
	Photo    dsl.Param[string] `default:"" doc:"URL of a PNG or JPEG; empty: the Moon, 2048 pixels wide"`
	Sizes    dsl.Param[[]int]  `doc:"pixels of the longer edge; those that the photo doesn't have are left out"`
	Requests dsl.Param[int]    `default:"100" doc:"for each picture and server"`
	Parallel dsl.Param[int]    `default:"4" doc:"requests at once"`
	Servers  dsl.Param[[]Case]
	Builds   dsl.Param[[]Recipe] `doc:"images of the server to build; [] : none, and the published ones are used"`
	Registry dsl.Param[string]   `default:"registry.example.com/serving" doc:"where they are pushed to"`
	Secret   dsl.Param[string]   `default:"registry" doc:"that has config.json for it, if it wants one"`
	Claim    dsl.Param[string]   `default:"models" doc:"volume claim for the model"`
	StandIn  dsl.Param[bool]     `default:"false" doc:"on this machine: a server in Go, so that TensorFlow isn't needed"`
}

// Pipeline ends with the report, and with no server left.
var Pipeline = dsl.Pipeline("tf-serving-bench", func(s *dsl.Scope, in In) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { RemoveAll.Call(s, RemoveAllIn{Servers: in.Servers}) })

	built := dsl.ParallelFor(s, in.Builds, func(s *dsl.Scope, item dsl.Param[Recipe]) BuiltOut {
		r := dsl.Fields(item)
		source := Source.Call(s, SourceIn{Ref: dsl.Const(Version)})
		began := Clock.Call(s, dsl.None{}, dsl.After(source))
		credentials := k8s.SecretVolume(in.Secret, "/kaniko/.docker", k8s.Optional())
		commit := dsl.Const("TF_SERVING_VERSION_GIT_COMMIT=" + Version)
		devel := Build.Call(s, kaniko.In{
			Context: source.Out.Source, Dockerfile: r.Dockerfile, Destination: dsl.Sprintf("%s:%s-devel", in.Registry, r.Name),
			BuildArg: dsl.Sprintf("TF_SERVING_BUILD_OPTIONS=%s", r.Options), BuildArg2: commit,
		}, credentials, dsl.After(began))
		image := Build.Call(s, kaniko.In{
			Context: source.Out.Source, Dockerfile: r.Runtime, Destination: dsl.Sprintf("%s:%s", in.Registry, r.Name),
			BuildArg: dsl.Sprintf("TF_SERVING_BUILD_IMAGE=%s@%s", in.Registry, devel.Out.Digest), BuildArg2: commit,
		}, credentials)
		return Built.Call(s, BuiltIn{Name: r.Name, Began: began.Out.Now, Digest: image.Out.Digest}).Out
	}, dsl.Parallelism(2))
	builds := dsl.Collected(built.Each.Build)
	images := Choose.Call(s, ChooseIn{Registry: in.Registry, Builds: builds})

	model := dsl.OneOf(s, dsl.Not(dsl.True(in.StandIn)), func(s *dsl.Scope) ModelOut {
		made := Classifier.Call(s, dsl.None{})
		exported := savedmodel.Export.Call(s, savedmodel.In{Model: made.Out.Model})
		copied := pvcdata.CopyIn.Call(s, pvcdata.CopyInIn{Data: exported.Out.SavedModel.Any(), To: dsl.Const(modelPath)}, k8s.MountPVC(in.Claim, volumePath))
		return ModelOut{SavedModel: exported.Out.SavedModel, Bytes: copied.Out.Bytes, Python: made.Out.Python}
	}).Else(func(s *dsl.Scope) ModelOut { return NoModel.Call(s, dsl.None{}).Out })

	photo := dsl.OneOf(s, dsl.Ne(in.Photo, ""), func(s *dsl.Scope) dsl.Dataset {
		return fetch.File.Call(s, fetch.FileIn{URL: in.Photo, Digest: dsl.Const("any")}).Out.Data
	}).Else(func(s *dsl.Scope) dsl.Dataset { return Moon.Call(s, dsl.None{}).Out.Photo })
	pictures := Draw.Call(s, DrawIn{Photo: photo, Sizes: in.Sizes})

	measured := dsl.ParallelFor(s, in.Servers, func(s *dsl.Scope, item dsl.Param[Case]) MeasureOut {
		c := dsl.Fields(item)
		served := Serve.Call(s, ServeIn{
			Name: c.Name, Claim: in.Claim, Variant: c.Variant, Batching: c.Batching,
			CPUImage: images.Out.CPU, GPUImage: images.Out.GPU, Model: model.Bytes,
			Standard: c.Standard, CPUStandard: images.Out.CPUStandard, GPUStandard: images.Out.GPUStandard,
		})
		asked := Measure.Call(s, MeasureIn{
			Pictures: pictures.Out.Pictures, Variant: c.Variant, Batching: c.Batching, Standard: c.Standard, Server: served.Out.Server,
			Model: model.SavedModel, Python: model.Python, Requests: in.Requests, Parallel: in.Parallel,
		})
		Remove.Call(s, RemoveIn{Name: c.Name}, dsl.After(asked))
		return asked.Out
	}, dsl.Parallelism(1))

	Report.Call(s, ReportIn{
		Pictures: pictures.Out.Pictures, Builds: builds, Measured: dsl.CollectedArtifacts(measured.Each.Measured),
		Requests: in.Requests, Parallel: in.Parallel,
	})
	return dsl.None{}
}).Defaults(In{Sizes: dsl.Const(bench.Sizes), Servers: dsl.Const(Cases()), Builds: dsl.Const(Recipes())})
