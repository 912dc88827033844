// Package gpucheck looks at the GPUs of a step before a training needs them: the
// driver, what CUDA it is good for, each device, and whether that is what the
// framework wants.
//
// Product also times a matrix product on each device, in the framework's own image.
//
//	check := gpucheck.Check.Call(s, gpucheck.In{Framework: dsl.Const("tensorflow==2.16.1"), MinDevices: dsl.Const(1)}, dsl.GPU(1))
//	Train.Call(s, args, dsl.GPU(1), dsl.After(check))
//
// In place of dsl.GPU, the option pod.Placement{GPUs: 1, ...}.Option() also says on which
// nodes it looks.
package gpucheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// In is what must be there.
type In struct {
	Framework  dsl.Param[string] `kfp:",optional" doc:"such as tensorflow==2.16.1 or torch==2.5.1: its CUDA is compared with the driver's"`
	CUDA       dsl.Param[string] `kfp:"cuda,optional" doc:"the CUDA that is needed, such as 12.3, in place of Framework"`
	MinDevices dsl.Param[int]    `default:"1" doc:"0: a step without a GPU is not an error" check:"min=0"`
	MinMemory  dsl.Param[int]    `kfp:"min_memory_mib" default:"0" doc:"of each device, in MiB" check:"min=0"`
	Samples    dsl.Param[int]    `default:"3" doc:"how often use and memory are looked at, a second apart" check:"min=1"`
}

// Out is what is there.
type Out struct {
	Devices dsl.Param[[]Device]
	Driver  dsl.Param[string]
	CUDA    dsl.Param[string] `kfp:"cuda" doc:"the newest that the driver is good for"`
	Metrics dsl.Metrics       `doc:"devices, and of each its memory, use and temperature"`
}

// A Device is a GPU.
type Device struct {
	Index       int     `json:"index"`
	Name        string  `json:"name"`
	UUID        string  `json:"uuid"`
	MemoryMiB   int     `json:"memory_mib"`
	UsedMiB     int     `json:"used_mib"`
	Use         float64 `json:"use_percent"`
	Temperature float64 `json:"temperature_c"`
	Capability  string  `json:"capability,omitempty"` // such as 8.0
}

// frameworks are the versions of CUDA that builds of frameworks want, by their
// first two numbers: TensorFlow's list of tested builds, PyTorch's default wheels.
var frameworks = map[string]map[string]string{
	"tensorflow": {"2.12": "11.8", "2.13": "11.8", "2.14": "11.8", "2.15": "12.2", "2.16": "12.3", "2.17": "12.3", "2.18": "12.5", "2.19": "12.5", "2.20": "12.5"},
	"torch":      {"2.0": "11.7", "2.1": "12.1", "2.2": "12.1", "2.3": "12.1", "2.4": "12.1", "2.5": "12.4", "2.6": "12.4", "2.7": "12.6", "2.8": "12.8"},
}

// branches are the CUDA of each branch of the driver, by NVIDIA's release notes.
var branches = map[string]string{
	"450": "11.0", "455": "11.1", "460": "11.2", "465": "11.3", "470": "11.4", "495": "11.5", "510": "11.6", "515": "11.7", "520": "11.8",
	"525": "12.0", "530": "12.1", "535": "12.2", "545": "12.3", "550": "12.4", "555": "12.5", "560": "12.6", "565": "12.7", "570": "12.8", "575": "12.9", "580": "13.0",
}

// wanted returns the CUDA that a framework wants.
func wanted(framework string) (string, error) {
	name, version, ok := strings.Cut(framework, "==")
	byVersion := frameworks[name]
	if !ok || byVersion == nil {
		return "", fmt.Errorf("framework %q is not of the form tensorflow==2.16.1 or torch==2.5.1; give CUDA instead", framework)
	}
	parts := strings.SplitN(version, ".", 3)
	if len(parts) >= 2 {
		if cuda := byVersion[parts[0]+"."+parts[1]]; cuda != "" {
			return cuda, nil
		}
	}
	return "", fmt.Errorf("the CUDA of %s is not known here; give CUDA instead", framework)
}

// Check reports the GPUs, and fails if they don't meet the requirements.
var Check = work.Check(dsl.Func("gpu-check", func(ctx context.Context, in In, out *Out) error {
	return check(ctx, in, out, smi)
}, dsl.NoCache()), func(c *work.Call) {
	if f, ok := work.Arg[string](c, "framework"); ok && c.Given("framework") && !c.Given("cuda") {
		if _, err := wanted(f); err != nil {
			c.Errorf("input framework: %v", err)
		}
	}
	if v, ok := work.Arg[string](c, "cuda"); ok && c.Given("cuda") && !cudaForm.MatchString(v) {
		c.Errorf("input cuda: %q is not a version, such as 12.3", v)
	}
})

var cudaForm = lazyregexp.New(`^[0-9]+\.[0-9]+$`)

// smi runs nvidia-smi, which the container runtime puts into each container with
// a GPU.
func smi(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "nvidia-smi", args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("nvidia-smi: %w: it is there, and the C library that it is linked to isn't; build the image of the steps on one that has it: kfpgo build --base debian:12-slim", err)
	}
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("nvidia-smi: %w: %s", err, bytes.TrimSpace(append(out, stderr.Bytes()...)))
	}
	return out, err
}

const query = "--query-gpu=index,name,uuid,driver_version,memory.total,memory.used,utilization.gpu,temperature.gpu"

// devices asks for the devices. Drivers before 495 don't know what a device is
// capable of, and fail when they are asked for it.
func devices(ctx context.Context, smi func(context.Context, ...string) ([]byte, error)) ([]byte, error) {
	const format = "--format=csv,noheader,nounits"
	text, err := smi(ctx, query+",compute_cap", format)
	if err != nil && strings.Contains(err.Error(), "compute_cap") {
		return smi(ctx, query, format)
	}
	return text, err
}

func check(ctx context.Context, in In, out *Out, smi func(context.Context, ...string) ([]byte, error)) error {
	need := in.CUDA.Get()
	if f, ok := in.Framework.Lookup(); ok && need == "" {
		var err error
		if need, err = wanted(f); err != nil {
			return err
		}
	}
	var all [][]Device
	driver := ""
	for i := range max(1, in.Samples.Get()) {
		if i > 0 {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(time.Second):
			}
		}
		text, err := devices(ctx, smi)
		if errors.Is(err, exec.ErrNotFound) {
			text, err = nil, nil
			if in.MinDevices.Get() > 0 {
				return errors.New("the step has no GPU: there is no nvidia-smi in its container; give the task dsl.GPU(1), and check that the node has the NVIDIA container runtime")
			}
		}
		if err != nil {
			return err
		}
		var found []Device
		if found, driver, err = parse(text); err != nil {
			return err
		}
		all = append(all, found)
	}
	cuda := ""
	if driver != "" {
		text, err := smi(ctx)
		if err != nil {
			return err
		}
		if v := cudaVersion.FindSubmatch(text); v != nil {
			cuda = string(v[1])
		}
		if branch, _, _ := strings.Cut(driver, "."); cuda == "" {
			cuda = branches[branch] // N/A, where the container has no libcuda
		}
	}
	list := all[len(all)-1]
	if list == nil {
		list = []Device{}
	}
	out.Devices.Set(list)
	out.Driver.Set(driver)
	out.CUDA.Set(cuda)
	dsl.LogMetric(out.Metrics, "devices", float64(len(list)))
	for i, d := range list {
		use, sum, used := 0.0, 0.0, 0
		for _, sample := range all {
			if i < len(sample) {
				use, used = max(use, sample[i].Use), max(used, sample[i].UsedMiB)
				sum += sample[i].Use
			}
		}
		dsl.LogMetric(out.Metrics, fmt.Sprintf("gpu%d_memory_mib", d.Index), float64(d.MemoryMiB))
		dsl.LogMetric(out.Metrics, fmt.Sprintf("gpu%d_used_mib_max", d.Index), float64(used))
		dsl.LogMetric(out.Metrics, fmt.Sprintf("gpu%d_use_percent_max", d.Index), use)
		dsl.LogMetric(out.Metrics, fmt.Sprintf("gpu%d_use_percent_mean", d.Index), sum/float64(len(all)))
		dsl.LogMetric(out.Metrics, fmt.Sprintf("gpu%d_temperature_c", d.Index), d.Temperature)
	}
	return enough(in, need, cuda, driver, list)
}

// enough compares the GPUs with the requirements.
func enough(in In, need, cuda, driver string, devices []Device) error {
	var errs []error
	if len(devices) < in.MinDevices.Get() {
		errs = append(errs, fmt.Errorf("the step has %d GPUs and needs %d", len(devices), in.MinDevices.Get()))
	}
	for _, d := range devices {
		if d.MemoryMiB < in.MinMemory.Get() {
			errs = append(errs, fmt.Errorf("GPU %d, %s, has %d MiB and %d are needed", d.Index, d.Name, d.MemoryMiB, in.MinMemory.Get()))
		}
	}
	if need != "" && len(devices) > 0 && cuda == "" {
		errs = append(errs, fmt.Errorf("CUDA %s is needed, and nvidia-smi doesn't report the CUDA version of driver %s", need, driver))
	}
	if need != "" && len(devices) > 0 && older(cuda, need) {
		what := "CUDA " + need + " is needed"
		if f, ok := in.Framework.Lookup(); ok {
			what = f + " wants CUDA " + need
		}
		errs = append(errs, fmt.Errorf("%s, and driver %s is good for CUDA %s; use a node with a newer driver, or a build for an older CUDA", what, driver, cuda))
	}
	return errors.Join(errs...)
}

// older reports whether version a is before b. An unknown one isn't.
func older(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		m, err1 := strconv.Atoi(x[i])
		n, err2 := strconv.Atoi(y[i])
		if err1 != nil || err2 != nil {
			return false
		}
		if m != n {
			return m < n
		}
	}
	return false
}

var cudaVersion = lazyregexp.New(`CUDA Version: *([0-9.]+)`)

// parse reads what nvidia-smi writes for a query, a line a device.
func parse(text []byte) (devices []Device, driver string, err error) {
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.TrimSpace(line) == "" || strings.Contains(line, "No devices were found") {
			continue
		}
		f := strings.Split(line, ",")
		if len(f) < 8 {
			return nil, "", fmt.Errorf("nvidia-smi writes %q, which has %d fields and not 8 or 9", line, len(f))
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		d := Device{Name: f[1], UUID: f[2], Use: number(f[6]), Temperature: number(f[7])}
		d.Index, d.MemoryMiB, d.UsedMiB = int(number(f[0])), int(number(f[4])), int(number(f[5]))
		if len(f) > 8 {
			d.Capability = f[8]
		}
		driver = f[3]
		devices = append(devices, d)
	}
	return devices, driver, nil
}

// number reads a number; what a device doesn't support, [N/A], is 0.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return v
}

// String returns a device in one line.
func (d Device) String() string {
	b, err := json.Marshal(d)
	if err != nil {
		return d.Name
	}
	return string(b)
}
