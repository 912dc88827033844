// Command writer writes what make demo shows beside the run: the MNIST example as YAML for
// Kubeflow Pipelines and for Argo, and the report of the run. It is a program of its own,
// since the types of Argo and of Kubernetes take longer to compile than MNIST to train.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/examples/mnist/digits"
	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/local/report"
)

func main() {
	out := flag.String("o", "", "`folder` for mnist.yaml and mnist-argo.yaml")
	image := flag.String("image", "", "`reference` of the image that they name")
	folder := flag.String("report", "", "`folder` of a run, for its report.html")
	flag.Parse()
	var err error
	if *folder != "" {
		err = report.Write(*folder)
	} else {
		err = yaml(*out, *image)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// yaml writes the pipeline for both targets.
func yaml(out, image string) error {
	for name, target := range map[string]compiler.Target{"mnist.yaml": compiler.KFP, "mnist-argo.yaml": argo.Workflow} {
		b, err := compiler.Compile(digits.Pipeline, target, compiler.Image(image))
		if err != nil {
			return err
		}
		if err := atomicfile.Write(filepath.Join(out, name), 0o644, b); err != nil {
			return err
		}
	}
	return nil
}
