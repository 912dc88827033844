package gpucheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

// torch is as much of PyTorch as a product takes, on a machine with two GPUs, or
// with none and without CUDA.
const torch = `
import os, time
__version__ = "2.5.1"
float32 = "float32"
gpus = int(os.environ["FAKE_GPUS"])
class version: cuda = "12.4" if gpus else None
class cuda:
    is_available = staticmethod(lambda: gpus > 0)
    device_count = staticmethod(lambda: gpus)
    get_device_name = staticmethod(lambda i: "NVIDIA A100-SXM4-40GB")
    synchronize = staticmethod(lambda i: time.sleep(0.02 * (i + 1)))
class Tensor:
    def __init__(self, device): self.device = device
    def to(self, dtype): return self
rand = lambda shape, device: Tensor(device)
def matmul(a, b): time.sleep(0.001)
`

func product(t *testing.T, in gpucheck.ProductIn, gpus string) (gpucheck.ProductOut, string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "torch.py"), []byte(torch), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", dir)
	t.Setenv("FAKE_GPUS", gpus)
	r, err := local.Run(t.Context(), gpucheck.Product, in, local.Options{Home: t.TempDir()})
	if r == nil {
		t.Fatal(err)
	}
	logs, _ := filepath.Glob(filepath.Join(r.Dir, "tasks", "*", "log.1"))
	if len(logs) != 1 {
		t.Fatalf("logs %q", logs)
	}
	log, err2 := os.ReadFile(logs[0])
	if err2 != nil {
		t.Fatal(err2)
	}
	return r.Out, string(log), err
}

// TestProduct: the time, the numbers that come of it, and what nvidia-smi says
// meanwhile.
func TestProduct(t *testing.T) {
	machine(t, "a100-550", 0)
	out, log, err := product(t, gpucheck.ProductIn{MinDevices: dsl.Const(2), Size: dsl.Const(1000), Repeats: dsl.Const(3)}, "2")
	if err != nil {
		t.Fatal(err, log)
	}
	d := out.Devices.Get()
	if out.Framework.Get() != "torch==2.5.1" || out.CUDA.Get() != "12.4" || len(d) != 2 {
		t.Fatalf("%s, CUDA %s, %v", out.Framework.Get(), out.CUDA.Get(), d)
	}
	for i, least := range []float64{20, 40} { // milliseconds, by which it sleeps
		if d[i].Index != i || d[i].MS < least || d[i].TFLOPS <= 0 || d[i].TFLOPS > 2e9/least*1000/1e12 {
			t.Errorf("device %d: %+v", i, d[i])
		}
	}
	if d[0].UseMax != 93 || d[0].UseMean != 93 || d[0].UsedMiB != 2011 || d[1].UseMax != 0 || d[1].UsedMiB != 517 || d[1].Samples < 1 {
		t.Errorf("samples %+v", d)
	}
	for name, want := range map[string]any{"devices": 2.0, "gpu0_use_percent_max": 93.0, "gpu1_used_mib_max": 517.0, "gpu1_ms": d[1].MS} {
		if got := out.Metrics.Metadata(name); got != want {
			t.Errorf("metric %s is %v, want %v", name, got, want)
		}
	}
}

func TestProductFails(t *testing.T) {
	machine(t, "a100-550", 0)
	small := gpucheck.ProductIn{Size: dsl.Const(1000), Repeats: dsl.Const(1)}
	for _, tt := range []struct {
		change func(*gpucheck.ProductIn)
		gpus   string
		want   string
	}{
		{func(*gpucheck.ProductIn) {}, "0", "torch sees 0 GPUs and 1 are needed (torch is a build without CUDA); what nvidia-smi says: NVIDIA A100-SXM4-40GB, driver 550.54.15"},
		{func(in *gpucheck.ProductIn) { in.MinDevices = dsl.Const(3) }, "2", "torch sees 2 GPUs and 3 are needed; what"},
		{func(in *gpucheck.ProductIn) { in.MinTFLOPS = dsl.Const(100.0) }, "1", "gpu0, NVIDIA A100-SXM4-40GB, comes to 0.0"},
		{func(in *gpucheck.ProductIn) { in.Framework = dsl.Const("jax") }, "1", "framework jax is not one of torch, tensorflow and cupy"},
		{func(in *gpucheck.ProductIn) { in.Framework = dsl.Const("cupy") }, "1", "the product is timed by cupy, and the image has no such (cupy: "},
	} {
		in := small
		tt.change(&in)
		_, log, err := product(t, in, tt.gpus)
		if err == nil || !strings.Contains(err.Error()+log, tt.want) {
			t.Errorf("got %v, want %s\n%s", err, tt.want, log)
		}
	}
	small.MinDevices = dsl.Const(0)
	out, log, err := product(t, small, "0")
	if d := out.Devices.Get(); err != nil || len(d) != 1 || d[0].Name != "CPU" || d[0].Index != -1 || d[0].Samples != 0 || out.CUDA.Get() != "" {
		t.Errorf("%+v, %v\n%s", d, err, log)
	}
}
