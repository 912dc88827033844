package gpucheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

var pipeline = dsl.Pipeline("gpus", func(s *dsl.Scope, _ dsl.None) dsl.None {
	check := gpucheck.Check.Call(s, gpucheck.In{Framework: dsl.Const("tensorflow==2.16.1")}, dsl.GPU(1))
	gpucheck.Product.Call(s, gpucheck.ProductIn{}, dsl.GPU(1), dsl.After(check))
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

// machine puts an nvidia-smi into PATH that writes what a real one wrote: NAME.csv
// of testdata when it is queried, NAME.txt else. One whose csv has 8 fields is too
// old to know what a device is capable of.
func machine(t *testing.T, name string, code int) {
	t.Helper()
	data, err := filepath.Abs("testdata/smi")
	if err != nil {
		t.Fatal(err)
	}
	csv, err := os.ReadFile(filepath.Join(data, name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	old := "false"
	if line, _, _ := strings.Cut(string(csv), "\n"); strings.Count(line, ",") == 7 {
		old = "true"
	}
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
f=%[1]s/%[2]s.txt
case "$*" in
*compute_cap*) if %[3]s; then echo 'Field "compute_cap" is not a valid field to query.'; exit 2; fi ;;
esac
case "$1" in
--query-gpu=index,utilization.gpu,memory.used) echo "0, 93, 2011"; echo "1, [N/A], 517"; exit 0 ;;
--query-gpu=name,driver_version) echo "NVIDIA A100-SXM4-40GB, 550.54.15"; exit 0 ;;
--query-gpu=*) f=%[1]s/%[2]s.csv ;;
esac
while IFS= read -r l; do echo "$l"; done <$f
exit %[4]d
`, data, name, old, code)
	if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func TestCheck(t *testing.T) {
	machine(t, "a100-550", 0)
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
	machine(t, "t4-470", 0)
	_, err := gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: tf, Samples: one, MinDevices: dsl.Const(2), MinMemory: dsl.Const(16000)})
	tried.Fails(t, err, "tensorflow==2.16.1 wants CUDA 12.3, and driver 470.82.01 is good for CUDA 11.4", "the step has 1 GPUs and needs 2", "GPU 0, Tesla T4, has 15109 MiB and 16000 are needed")
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{CUDA: dsl.Const("12.1"), Samples: one})
	tried.Fails(t, err, "CUDA 12.1 is needed, and driver")
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: dsl.Const("jax==0.5")})
	tried.Fails(t, err, `framework "jax==0.5" is not of the form`)
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: dsl.Const("torch==9.9.1")})
	tried.Fails(t, err, "the CUDA of torch==9.9.1 is not known here")

	machine(t, "none", 0)
	_, err = gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: tf, Samples: one})
	tried.Fails(t, err, "the step has 0 GPUs and needs 1")
	machine(t, "no-driver", 9)
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

// TestOthers: a part of a GPU, which says nothing of its use; a container without
// libcuda, whose CUDA is that of the driver's branch; a driver that nothing is known
// of; and one newer than all frameworks.
func TestOthers(t *testing.T) {
	for _, tt := range []struct{ name, framework, cuda, want string }{
		{"mig-535", "torch==2.4.1", "12.2", ""},
		{"mig-535", "tensorflow==2.16.1", "12.2", "tensorflow==2.16.1 wants CUDA 12.3, and driver 535.129.03 is good for CUDA 12.2; use a node with a newer driver"},
		{"nolibcuda-560", "torch==2.6.0", "12.6", ""},
		{"nolibcuda-560", "torch==2.8.0", "12.6", "torch==2.8.0 wants CUDA 12.8, and driver 560.35.03 is good for CUDA 12.6"},
		{"unknown-999", "torch==2.8.0", "", "CUDA 12.8 is needed, and nvidia-smi doesn't report the CUDA version of driver 999.10"},
		{"l4-580", "torch==2.8.0", "13.0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			machine(t, tt.name, 0)
			out, err := gpucheck.Check.Run(t.Context(), gpucheck.In{Framework: dsl.Const(tt.framework), Samples: dsl.Const(1)})
			if tt.want != "" {
				tried.Fails(t, err, tt.want)
				return
			}
			if err != nil || out.CUDA.Get() != tt.cuda {
				t.Errorf("CUDA %q, %v", out.CUDA.Get(), err)
			}
		})
	}
}
