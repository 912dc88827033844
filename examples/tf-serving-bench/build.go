package tfservingbench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/gitclone"
	"github.com/kfpgo/kfpgo/components/kaniko"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

// A Recipe is an image of TensorFlow Serving.
type Recipe struct {
	Name       dsl.Param[string] `json:"name"`       // its tag
	Dockerfile dsl.Param[string] `json:"dockerfile"` // compiles the server
	Runtime    dsl.Param[string] `json:"runtime"`    // copies it to the small image that is served
	Options    dsl.Param[string] `json:"options"`    // of Bazel
}

// The options of Bazel: optimised code for any CPU of the architecture, and all that a CPU
// with AVX2 has. TensorFlow Serving's own default, --config=release, is in between.
const (
	standard  = "-c opt"
	optimised = "-c opt --copt=-msse4.1 --copt=-msse4.2 --copt=-mavx --copt=-mavx2 --copt=-mfma --copt=-O3"
)

// Recipes are the server for CPUs and for GPUs, each standard and optimised.
func Recipes() (list []Recipe) {
	for _, device := range []string{"cpu", "gpu"} {
		const folder = "tensorflow_serving/tools/docker/"
		devel, runtime := folder+"Dockerfile.devel", folder+"Dockerfile"
		if device == "gpu" {
			devel, runtime = devel+"-gpu", runtime+".gpu"
		}
		list = append(list,
			Recipe{Name: dsl.Const(device), Dockerfile: dsl.Const(devel), Runtime: dsl.Const(runtime), Options: dsl.Const(standard)},
			Recipe{Name: dsl.Const(device + "-optimised"), Dockerfile: dsl.Const(devel), Runtime: dsl.Const(runtime), Options: dsl.Const(optimised)})
	}
	return list
}

// Version is the tag of TensorFlow Serving that is built. Its Dockerfiles fetch the source
// by themselves: without the tag they take the newest, which their Bazel can't build.
const Version = "2.16.1"

// SourceIn is where TensorFlow Serving is.
type SourceIn struct {
	URL dsl.Param[string] `kfp:"url" default:"https://github.com/tensorflow/serving"`
	Ref dsl.Param[string]
}

// SourceOut is its source.
type SourceOut struct {
	Source dsl.Any
}

// Source clones TensorFlow Serving. On this machine it writes the source of the
// stand-in, since TensorFlow takes hours to build and Bazel.
var Source = dsl.Func("source", func(ctx context.Context, in SourceIn, out *SourceOut) error {
	if onCluster() {
		return gitclone.Clone.Func()(ctx, gitclone.In{URL: in.URL, Ref: in.Ref, Submodules: dsl.Const(false), History: dsl.Const(false)}, &gitclone.Out{Source: out.Source})
	}
	if err := os.CopyFS(filepath.Join(out.Source.Path(), "examples", "tf-serving-bench"), standInSource); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out.Source.Path(), "go.mod"), []byte("module github.com/kfpgo/kfpgo\n\ngo 1.26\n"), 0o644)
})

//go:embed standin/standin.go standin/batch.go standin/score.go standin/server/main.go
var standInSource embed.FS

// ClockOut is a time.
type ClockOut struct {
	Now dsl.Param[time.Time]
}

// Clock says when it runs.
var Clock = dsl.Func("clock", func(_ context.Context, _ dsl.None, out *ClockOut) error {
	out.Now.Set(time.Now())
	return nil
}, dsl.NoCache())

// Digests of what isn't an image: Build says so in place of a digest.
const (
	standIn     = "stand-in:"
	notMeasured = "not measured: "
)

// Build is Kaniko's. On this machine it builds the stand-in with the go command,
// if that is there, and nothing for a GPU. The image that is served is then the same file.
var Build = kaniko.New("build-server").OnLocal(func(ctx context.Context, in kaniko.In, out *kaniko.Out) error {
	digest, err := buildHere(ctx, in)
	if err != nil {
		return err
	}
	fmt.Println(in.Destination.Get(), digest)
	out.Digest.Set(digest)
	return nil
})

func buildHere(ctx context.Context, in kaniko.In) (string, error) {
	if _, from, ok := strings.Cut(in.BuildArg.Get(), "TF_SERVING_BUILD_IMAGE="); ok {
		_, digest, _ := strings.Cut(from, "@")
		return digest, nil
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "GOPROXY=off")
	optimise := strings.Contains(in.BuildArg.Get(), "-mavx2")
	switch {
	case strings.HasSuffix(in.Dockerfile.Get(), "-gpu"):
		return notMeasured + "nothing is built for a GPU on this machine", nil
	case optimise && runtime.GOARCH != "amd64":
		return notMeasured + "AVX2 is of amd64, and this machine is " + runtime.GOARCH, nil
	case optimise:
		env = append(env, "GOAMD64=v3") // AVX2 and FMA, as the recipe says
	default:
		env = append(env, "GOAMD64=v1")
	}
	program, err := exec.LookPath("go")
	if err != nil {
		return notMeasured + "there is no go command on this machine", nil
	}
	tmp, err := os.MkdirTemp("", "build-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "server")
	c := exec.CommandContext(ctx, program, "build", "-trimpath", "-o", exe, "./examples/tf-serving-bench/standin/server")
	c.Dir, c.Env = in.Context.Path(), env
	if text, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, text)
	}
	b, err := os.ReadFile(exe)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%ssha256:%x", standIn, sha256.Sum256(b)), nil
}

// BuiltIn is what was built, and when that began.
type BuiltIn struct {
	Name   dsl.Param[string]
	Began  dsl.Param[time.Time]
	Digest dsl.Param[string]
}

// BuiltOut is what the report has of it.
type BuiltOut struct {
	Build dsl.Param[bench.Build]
}

// Built says how long a build took. On a cluster the start of its pod is part of that.
var Built = dsl.Func("built", func(_ context.Context, in BuiltIn, out *BuiltOut) error {
	b := bench.Build{Name: in.Name.Get()}
	if why, ok := strings.CutPrefix(in.Digest.Get(), notMeasured); ok {
		b.Missing = why
	} else {
		b.Digest, b.StandIn = strings.CutPrefix(strings.TrimSpace(in.Digest.Get()), standIn)
		b.Seconds = time.Since(in.Began.Get()).Round(time.Millisecond).Seconds()
	}
	out.Build.Set(b)
	return nil
}, dsl.NoCache())

// ChooseIn is what was built.
type ChooseIn struct {
	Registry dsl.Param[string]
	Builds   dsl.Param[[]bench.Build]
}

// ChooseOut is the images that are served with. One that is compared with an optimised
// image is empty unless both were built.
type ChooseOut struct {
	CPU         dsl.Param[string] `kfp:"cpu"`
	GPU         dsl.Param[string] `kfp:"gpu"`
	CPUStandard dsl.Param[string] `kfp:"cpu_standard"`
	GPUStandard dsl.Param[string] `kfp:"gpu_standard"`
}

// Choose takes the optimised images, else the standard ones, else those that
// TensorFlow publishes, each by its digest.
var Choose = dsl.Func("choose", func(_ context.Context, in ChooseIn, out *ChooseOut) error {
	built := func(name string) string {
		for _, b := range in.Builds.Get() {
			if b.Name == name && b.Digest != "" && !b.StandIn {
				return in.Registry.Get() + "@" + b.Digest
			}
		}
		return ""
	}
	choose := func(device, published string) (best, standard string) {
		best, standard = built(device+"-optimised"), built(device)
		if best == "" {
			return cmp.Or(standard, published), ""
		}
		return best, standard
	}
	cpu, cpuStandard := choose("cpu", "tensorflow/serving:"+Version)
	gpu, gpuStandard := choose("gpu", "tensorflow/serving:"+Version+"-gpu")
	out.CPU.Set(cpu)
	out.GPU.Set(gpu)
	out.CPUStandard.Set(cpuStandard)
	out.GPUStandard.Set(gpuStandard)
	return nil
})
