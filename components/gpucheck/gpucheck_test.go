package gpucheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/components/internal/tried"
	"github.com/kfpgo/kfpgo/dsl"
)

var pipeline = dsl.Pipeline("gpus", func(s *dsl.Scope, _ dsl.None) dsl.None {
	gpucheck.Check.Call(s, gpucheck.In{Framework: dsl.Const("tensorflow==2.16.1")}, dsl.GPU(1))
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

// The output of nvidia-smi on three machines.
const (
	a100  = "0, NVIDIA A100-SXM4-40GB, GPU-5f0c, 550.54.15, 40960, 3, 0, 31, 8.0\n1, NVIDIA A100-SXM4-40GB, GPU-77aa, 550.54.15, 40960, 1024, 97, 64, 8.0\n"
	t4    = "0, Tesla T4, GPU-11bb, 470.82.01, 15109, 0, [N/A], 40, 7.5\n"
	empty = "No devices were found\n"
)

func banner(driver, cuda string) string {
	return fmt.Sprintf("+---+\n| NVIDIA-SMI %s   Driver Version: %s   CUDA Version: %s     |\n+---+\n", driver, driver, cuda)
}

// machine puts an nvidia-smi into PATH that writes what a real one wrote.
func machine(t *testing.T, devices, head string, code int) {
	dir := t.TempDir()
	for name, text := range map[string]string{"devices": devices, "head": head} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf("#!/bin/sh\nf=%s/head\n[ $# = 0 ] || f=%s/devices\nwhile IFS= read -r l; do echo \"$l\"; done <$f\nexit %d\n", dir, dir, code)
	if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

func TestCheck(t *testing.T) {
	machine(t, a100, banner("550.54.15", "12.4"), 0)
	out, err := gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: dsl.Const("tensorflow==2.16.1"), MinDevices: dsl.Const(2), MinMemory: dsl.Const(40000), Samples: dsl.Const(1)})
	if err != nil {
		t.Fatal(err)
	}
	if d := out.Devices.Get(); len(d) != 2 || d[1].Use != 97 || d[1].UsedMiB != 1024 || d[0].Name != "NVIDIA A100-SXM4-40GB" || d[0].Capability != "8.0" {
		t.Errorf("devices %v", d)
	}
	if out.CUDA.Get() != "12.4" || out.Driver.Get() != "550.54.15" || out.Metrics.Metadata("gpu1_use_percent_max") != 97.0 {
		t.Errorf("CUDA %s, driver %s, %s", out.CUDA.Get(), out.Driver.Get(), out.Metrics.MetadataJSON())
	}
}

func TestMismatch(t *testing.T) {
	one := dsl.Const(1)
	tf := dsl.Const("tensorflow==2.16.1")
	machine(t, t4, banner("470.82.01", "11.4"), 0)
	_, err := gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: tf, Samples: one, MinDevices: dsl.Const(2), MinMemory: dsl.Const(16000)})
	tried.Fails(t, err, "tensorflow==2.16.1 wants CUDA 12.3, and driver 470.82.01 is good for CUDA 11.4", "the step has 1 GPUs and needs 2", "GPU 0, Tesla T4, has 15109 MiB and 16000 are needed")
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{CUDA: dsl.Const("12.1"), Samples: one})
	tried.Fails(t, err, "CUDA 12.1 is needed, and driver")
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: dsl.Const("jax==0.5")})
	tried.Fails(t, err, `framework "jax==0.5" is not of the form`)
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: dsl.Const("torch==9.9.1")})
	tried.Fails(t, err, "the CUDA of torch==9.9.1 is not known here")

	machine(t, empty, "", 0)
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: tf, Samples: one})
	tried.Fails(t, err, "the step has 0 GPUs and needs 1")
	machine(t, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "", 9)
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: tf, Samples: one})
	tried.Fails(t, err, "nvidia-smi: exit status 9: NVIDIA-SMI has failed because it couldn't communicate")
}

// TestNoGPU: on a machine without one.
func TestNoGPU(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := gpucheck.Check.Run(t.Context(), gpucheck.In{Samples: dsl.Const(1)})
	tried.Fails(t, err, "the step has no GPU: there is no nvidia-smi in its container; give the task dsl.GPU(1)")
	out, err := gpucheck.Check.Run(t.Context(), gpucheck.In{Samples: dsl.Const(1), MinDevices: dsl.Const(0), Framework: dsl.Const("torch==2.5.1")})
	if err != nil || len(out.Devices.Get()) != 0 || out.CUDA.Get() != "" {
		t.Error(out, err)
	}
}
