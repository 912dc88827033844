package tfservingbench_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
	"github.com/kfpgo/kfpgo/local"
)

func TestCompile(t *testing.T) {
	for name, target := range map[string]compiler.Target{"kfp": compiler.KFP, "argo": argo.Workflow} {
		got, err := compiler.Compile(tfservingbench.Pipeline, target, compiler.Image("ghcr.io/acme/steps:1"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{"gcr.io/kaniko-project/executor:v1.24.0", "--copt=-mavx2", "--copt=-O3", "TF_SERVING_VERSION_GIT_COMMIT=2.16.1", "Dockerfile.devel-gpu", "Dockerfile.gpu", "classifier-gpu1-batching", "efficientnet-lite0"} {
			if !strings.Contains(string(got), want) {
				t.Errorf("%s: nothing in it has %s", name, want)
			}
		}
	}
}

// TestRun runs all of it on this machine, with the stand-in as the server.
func TestRun(t *testing.T) {
	recipes := tfservingbench.Recipes()
	in := tfservingbench.In{
		StandIn: dsl.Const(true), Sizes: dsl.Const([]int{4096, 256, 128}), Requests: dsl.Const(3), Parallel: dsl.Const(2),
		Builds: dsl.Const([]tfservingbench.Recipe{recipes[0], recipes[3]}), Photo: dsl.Const(""),
	}
	run, err := local.Run(t.Context(), tfservingbench.Pipeline, in, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	files := reported(t, run.Dir)
	var r bench.Report
	if err := json.Unmarshal(files["json"], &r); err != nil {
		t.Fatal(err)
	}
	if o := r.Original; o.Width != 2048 || o.Format != "jpeg" || o.Bytes != len(tfservingbench.MoonJPEG) {
		t.Errorf("the original is %+v", o)
	}
	if n := len(r.Pictures); n != 5 { // the original, and two sizes in two formats
		t.Errorf("%d pictures", n)
	}
	if len(r.Servers) != 9 || len(r.Gains) != 3 {
		t.Fatalf("%d servers", len(r.Servers))
	}
	for _, s := range r.Servers {
		switch {
		case s.Standard:
			if !strings.Contains(s.Missing, "nothing is served from the images") {
				t.Errorf("%+v", s)
			}
		case s.Name == "gpu1":
			if s.Missing == "" {
				t.Error("there is no GPU, and one was measured")
			}
		case s.Name == "cpu1":
			if s.Missing != "" || len(s.Cells) != 5 || s.What != "stand-in in Go, not TensorFlow" {
				t.Errorf("%+v", s)
			}
			for i, c := range s.Cells {
				if c.P50 <= 0 || c.P99 < c.P50 || c.Score <= 0 || c.Change > 0.05 || c.Change < -0.05 {
					t.Errorf("%s %+v: %+v", s.Label(), r.Pictures[i], c)
				}
			}
		}
	}
	for _, e := range r.Equal {
		if !strings.Contains(e.Missing, "gpu1: on this machine") {
			t.Errorf("%+v", e)
		}
	}
	if len(r.Builds) != 2 || r.Builds[0].Name != "cpu" || !strings.HasPrefix(r.Builds[0].Digest, "sha256:") || !r.Builds[0].StandIn || r.Builds[0].Seconds <= 0 {
		t.Errorf("builds %+v", r.Builds)
	}
	if len(r.Builds) == 2 && !strings.Contains(r.Builds[1].Missing, "GPU") {
		t.Errorf("builds %+v", r.Builds)
	}
	lines, err := csv.NewReader(strings.NewReader(string(files["csv"]))).ReadAll()
	if err != nil || len(lines) != 1+9*5 {
		t.Errorf("%d lines of CSV, %v", len(lines), err)
	}
	for _, want := range []string{"not measured: on this machine only servers without a GPU are tried", "the stand-in in Go, not an image of TensorFlow Serving", "<svg", "PNG&nbsp;/ JPEG"} {
		if !strings.Contains(string(files["page"]), want) {
			t.Errorf("the page doesn't have %s", want)
		}
	}
}

// reported returns the artifacts of the report.
func reported(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"page", "json", "csv"} {
		found, err := filepath.Glob(filepath.Join(dir, "artifacts", "*", "report", name))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %q, %v", name, found, err)
		}
		if files[name], err = os.ReadFile(found[0]); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestChoose: what was built is served, and what is only a stand-in is not.
func TestChoose(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	out, err := tfservingbench.Choose.Run(t.Context(), tfservingbench.ChooseIn{
		Registry: dsl.Const("r.example.com/serving"),
		Builds: dsl.Const([]bench.Build{
			{Name: "cpu", Digest: "sha256:" + strings.Repeat("b", 64)}, {Name: "cpu-optimised", Digest: digest},
			{Name: "gpu", Digest: digest, StandIn: true}, {Name: "gpu-optimised", Missing: "why"},
		}),
	})
	standard := "r.example.com/serving@sha256:" + strings.Repeat("b", 64)
	if err != nil || out.CPU.Get() != "r.example.com/serving@"+digest || out.CPUStandard.Get() != standard || out.GPU.Get() != "tensorflow/serving:2.16.1-gpu" || out.GPUStandard.Get() != "" {
		t.Error(out, err)
	}
	out, err = tfservingbench.Choose.Run(t.Context(), tfservingbench.ChooseIn{
		Registry: dsl.Const("r.example.com/serving"), Builds: dsl.Const([]bench.Build{{Name: "gpu", Digest: "sha256:" + strings.Repeat("b", 64)}}),
	})
	if err != nil || out.GPU.Get() != standard || out.GPUStandard.Get() != "" || out.CPU.Get() != "tensorflow/serving:2.16.1" {
		t.Error(out, err)
	}
}
