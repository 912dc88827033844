// Command demo is what make demo and make tensorflow show: the MNIST example as
// YAML for Kubeflow Pipelines and for Argo, and a run of it on this machine with
// the real data. The numbers that it prints are those of run.json, and the
// accuracy is counted again from the labels that the run predicted.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

const example = "./examples/mnist"

func main() {
	d := demo{stdout: os.Stdout}
	flag.StringVar(&d.kfpgo, "kfpgo", "bin/kfpgo", "the `program`")
	flag.StringVar(&d.data, "data", "", "`folder` with the four files of MNIST")
	flag.StringVar(&d.out, "o", "out", "`folder` for the output")
	flag.StringVar(&d.image, "image", "ghcr.io/kfpgo/mnist:demo", "`reference` of the image that the YAML names")
	flag.StringVar(&d.trainer, "trainer", "go", "go or tensorflow")
	flag.Float64Var(&d.least, "least", 0.97, "accuracy below which the demo fails")
	flag.Parse()
	if d.data == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := d.run(); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

type demo struct {
	kfpgo, data, out, image, trainer string
	least                            float64
	stdout                           io.Writer
}

func (d demo) run() error {
	data, err := filepath.Abs(d.data)
	if err != nil {
		return err
	}
	home, err := filepath.Abs(d.out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.out, 0o755); err != nil {
		return err
	}
	files := map[string]string{"kfp": filepath.Join(d.out, "mnist.yaml"), "argo": filepath.Join(d.out, "mnist-argo.yaml")}
	for _, target := range []string{"kfp", "argo"} {
		if err := d.call(nil, "compile", example, "--target", target, "--image", d.image, "-o", files[target]); err != nil {
			return err
		}
	}
	start := time.Now()
	args := []string{"run", example, "-p", "source=file://" + data}
	if d.trainer != "go" {
		args = append(args, "-p", "trainer="+d.trainer, "--gpus", "ignore")
	}
	if err := d.call([]string{"KFPGO_HOME=" + home}, args...); err != nil {
		return err
	}
	took := time.Since(start).Round(time.Second)
	folder, err := newest(filepath.Join(d.out, "runs"))
	if err != nil {
		return err
	}
	n, err := read(filepath.Join(folder, "run.json"))
	if err != nil {
		return err
	}
	images, err := n.check(data, d.least)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(d.stdout, `
trained on       %s
accuracy         %s of %d test images
served accuracy  %s
latency          %s ms (p50), %s ms (p99)
run              %v, %s
KFP IR           %s
Argo Workflow    %s
report           %s
`, n.device, n.accuracy, images, n.served, n.p50, n.p99, took, filepath.Join(folder, "run.json"), files["kfp"], files["argo"], filepath.Join(folder, "report.html"))
	return err
}

func (d demo) call(env []string, args ...string) error {
	fmt.Fprintf(d.stdout, "$ kfpgo")
	for _, a := range args {
		fmt.Fprintf(d.stdout, " %s", a)
	}
	fmt.Fprintln(d.stdout)
	cmd := exec.Command(d.kfpgo, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = d.stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("kfpgo %s: %w", args[0], err)
	}
	return nil
}

// newest returns the folder of the last run.
func newest(runs string) (string, error) {
	list, err := filepath.Glob(filepath.Join(runs, "mnist-*", "run.json"))
	if err != nil || len(list) == 0 {
		return "", cmp.Or(err, fmt.Errorf("%s has no run", runs))
	}
	return filepath.Dir(list[len(list)-1]), nil // names sort by time
}

// Numbers are what a run measured, as run.json has them.
type numbers struct {
	accuracy, served, p50, p99, device json.RawMessage
	predictions                        string // file
}

func read(file string) (n numbers, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return n, err
	}
	var r run.Run
	if err := json.Unmarshal(b, &r); err != nil {
		return n, fmt.Errorf("%s: %w", file, err)
	}
	for _, t := range r.Tasks {
		switch t.Component {
		case "train-go", "train-tensorflow":
			if t.State == run.Succeeded {
				n.device = t.Outputs["device"]
			}
		case "evaluate":
			n.accuracy = t.Outputs["accuracy"]
			if made := t.Writes["predictions"]; len(made) == 1 {
				n.predictions = strings.TrimPrefix(made[0].URI, "file://")
			}
		case "query":
			n.served, n.p50, n.p99 = t.Outputs["accuracy"], t.Outputs["p50_ms"], t.Outputs["p99_ms"]
		}
	}
	switch {
	case n.device == nil:
		return n, errors.New(file + ": no training says what device it used")
	case n.accuracy == nil || n.served == nil || n.predictions == "":
		return n, errors.New(file + ": nothing was evaluated or served")
	}
	return n, nil
}
