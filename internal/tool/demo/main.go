// Command demo is what make demo and make tensorflow show: a run of the MNIST example on
// this machine with the real data, its report, and the example as YAML for Kubeflow
// Pipelines and for Argo. The numbers that it prints are those of run.json, and the
// accuracy is counted again from the labels that the run predicted.
//
// It links only the local engine and the example, so that on a new machine the first step
// soon runs. The writers of YAML, with Argo's and Kubernetes' types, are a program of their
// own, package writer, which is built while the run trains.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/mnist/digits"
	"github.com/kfpgo/kfpgo/internal/local/progress"
)

func main() {
	dsl.Init(digits.Pipeline) // this program also runs the steps
	d := demo{stdout: os.Stdout, stderr: os.Stderr}
	flag.StringVar(&d.data, "data", "", "`folder` with the four files of MNIST, or a Go module PATH@VERSION that has them in its folder data")
	flag.StringVar(&d.out, "o", "out", "`folder` for the output")
	flag.StringVar(&d.image, "image", "ghcr.io/kfpgo/mnist:demo", "`reference` of the image that the YAML names")
	flag.StringVar(&d.trainer, "trainer", "go", "go or tensorflow")
	flag.Float64Var(&d.least, "least", 0.97, "accuracy below which the demo fails")
	flag.Parse()
	if d.data == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := d.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

type demo struct {
	data, out, image, trainer string
	least                     float64
	stdout, stderr            io.Writer
}

// run trains while the writers are built, and shows what came of both.
func (d demo) run(ctx context.Context) error {
	data, err := d.folder(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.out, 0o755); err != nil {
		return err
	}
	view := progress.New(d.stderr, progress.For(d.stderr, "mnist"))
	view.Note("meanwhile, go builds the writers of YAML and of the report: it downloads and compiles Argo's and Kubernetes' types")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	written := make(chan error, 1)
	go func() { written <- d.write(ctx, view.Note) }()

	start := time.Now()
	folder, err := d.train(ctx, data, view)
	view.Stop()
	took := time.Since(start).Round(time.Second)
	if err != nil {
		cancel()
		<-written
		return err
	}
	select {
	case err = <-written:
	default:
		fmt.Fprintln(d.stderr, "the run has ended; go still compiles Argo's and Kubernetes' types for the YAML")
		err = <-written
	}
	if err != nil {
		return err
	}
	if err := d.writer(ctx, "-report", folder); err != nil {
		return err
	}
	return d.summary(folder, data, took)
}

// summary checks and prints the numbers of a run, and where the files are.
func (d demo) summary(folder, data string, took time.Duration) error {
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
`, n.device, n.accuracy, images, n.served, n.p50, n.p99, took, filepath.Join(folder, "run.json"),
		filepath.Join(d.out, "mnist.yaml"), filepath.Join(d.out, "mnist-argo.yaml"), filepath.Join(folder, "report.html"))
	return err
}
