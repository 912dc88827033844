// Package examples_test tries the examples of systems that people run by hand.
package examples_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
	eciimagenet "github.com/kfpgo/kfpgo/examples/eci-imagenet"
	gpupod "github.com/kfpgo/kfpgo/examples/gpu-pod"
	kservemnist "github.com/kfpgo/kfpgo/examples/kserve-mnist"
	seldonmnist "github.com/kfpgo/kfpgo/examples/seldon-mnist"
	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
	volcanomnist "github.com/kfpgo/kfpgo/examples/volcano-mnist"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/local"
)

// systems are in the order of how few lines replace how many.
var systems = []struct {
	folder, what string
	pipeline     dsl.Definition
}{
	{"volcano-mnist", "Volcano job, five pods", volcanomnist.Pipeline},
	{"tf-serving-bench", "TensorFlow servers, built and compared", tfservingbench.Pipeline},
	{"eci-imagenet", "serverless GPU pod", eciimagenet.Pipeline},
	{"gpu-pod", "GPU pod on a claim", gpupod.Pipeline},
	{"seldon-mnist", "Seldon classifier", seldonmnist.Pipeline},
	{"kserve-mnist", "KServe classifier", kservemnist.Pipeline},
}

func TestCompile(t *testing.T) {
	for _, s := range systems {
		if _, err := compiler.Compile(s.pipeline, compiler.KFP, compiler.Image("ghcr.io/acme/steps:1")); err != nil {
			t.Errorf("%s: kfp: %v", s.folder, err)
		}
		if _, err := compiler.Compile(s.pipeline, argo.Workflow, compiler.Image("ghcr.io/acme/steps:1"), compiler.ArtifactRoot("s3://bucket/runs")); err != nil {
			t.Errorf("%s: argo: %v", s.folder, err)
		}
	}
}

// lines counts those that aren't blank or comments; of Go, those after the imports.
func lines(t *testing.T, file string) (n int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(file) == ".go" {
		_, b, _ = bytes.Cut(b, []byte("\n)\n"))
	}
	for _, l := range strings.Split(string(b), "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "#") && l != "---" {
			n++
		}
	}
	return n
}

// TestPage: the page has each manifest beside our lines, counted.
func TestPage(t *testing.T) {
	var page strings.Builder
	page.WriteString(pageHead)
	for _, s := range systems {
		fmt.Fprintf(&page, "| [%s](../../examples/%s) | %d | %d |\n", s.what, s.folder, lines(t, s.folder+"/byhand.yaml"), lines(t, s.folder+"/pipeline.go"))
	}
	page.WriteString(pageRest)
	for _, s := range systems {
		fmt.Fprintf(&page, "\n## %s%s\n", strings.ToUpper(s.what[:1]), s.what[1:])
		for _, f := range []struct{ name, lang, head string }{{"byhand.yaml", "yaml", "By hand:"}, {"pipeline.go", "go", "With kfpgo:"}} {
			b, err := os.ReadFile(filepath.Join(s.folder, f.name))
			if err != nil {
				t.Fatal(err)
			}
			if f.lang == "go" {
				_, b, _ = bytes.Cut(b, []byte("\n)\n"))
			}
			fmt.Fprintf(&page, "\n%s\n\n```%s\n%s\n```\n", f.head, f.lang, strings.TrimSpace(string(b)))
		}
	}
	golden.Check(t, "../docs/guides/systems.md", []byte(page.String()))
}

const pageHead = `# Systems that people run by hand

Each of these systems has a ready-made component and an example that uses it. By hand you apply, maintain and clean up
a manifest. The pipeline also waits for completion, follows the logs, reports the reason and the
last events of a failure, and deletes what it created. A test counts the lines, without blank lines and comments.
The lines of Go also include the steps before and after: training, checking the GPU, queries and deletion.

| system | lines by hand | lines with kfpgo |
| --- | --: | --: |
`

const pageRest = `
The steps run as the service account of the pipeline's pods. It needs permissions to create, get and delete the
objects and to get pods, their logs and events: ` + "`" + `kfpgo compile --target argo --rbac` + "`" + ` writes the Role of a pipeline, and the
ClusterRole for cluster-scoped objects (this needs ` + "`" + `--namespace` + "`" + `). Most steps need none of these
permissions. Add ` + "`" + `--object-service-account NAME` + "`" + ` to this command and when you compile the pipeline for Argo, or set
` + "`" + `argo.Config{ObjectServiceAccount: ...}` + "`" + `. The token in the pods of the other steps can then only report results. On this machine the steps use the cluster of the
file that KUBECONFIG names.

A step that fails, is cancelled (` + "`" + `kfpgo runs terminate` + "`" + `, ` + "`" + `argo stop` + "`" + `, Ctrl-C) or times out deletes what it created, unless
Keep is set. It keeps objects that existed before.

## Tests

` + "`" + `make e2e-systems` + "`" + ` runs these pipelines on a real Kubernetes of one node, with the systems' own CRDs and strict validation.
It prints a line for each: the applied objects, the pods, the result, the expected result, and whether everything is cleaned
up. A stand-in replaces anything that needs a GPU, a cloud or a container registry, and each line names its stand-ins.

| system | controller | in the pods |
| --- | --- | --- |
| GPU pod on a claim | Kubernetes; the node reports GPUs | a real TensorFlow training; nvidia-smi prints recorded output |
| TFJob, PyTorchJob | the real training operator 1.9.2 | scripts that print the settings from the operator, to Succeeded and to Failed |
| TrainJob | the real Trainer 2.0.0 and JobSet 0.8.2 | the same |
| Volcano job | a test controller that follows Volcano's documentation, with CRDs generated from Volcano's types | Python that records the TF_CONFIG of each of five pods |
| three TensorFlow servers | Kubernetes | KServe's server for a SavedModel, instead of TensorFlow Serving, with the same REST API and flags |
| KServe | the real controller 0.15.2, RawDeployment | its own storage initializer, and the server above |
| Seldon | a test controller that follows Seldon's documentation | the real microservice of seldon-core 1.18.2, in front of the server above |
| serverless pod | a test controller that sets the states of an ImageCache | a script, with an empty folder instead of NAS |

It also tests: a field that Kubernetes doesn't know, a condition that never becomes true, an API that is missing in the cluster, a
service account without permissions, an image that can't be pulled, a job that is deleted during the run, ` + "`" + `argo stop` + "`" + `, ` + "`" + `argo
terminate` + "`" + ` and SIGTERM. Each step finishes with the reason, and leaves nothing behind.
`

// TestRun runs those that are Go steps only, on this machine with a Kubernetes
// API in memory.
func TestRun(t *testing.T) {
	job := map[string]any{"state": map[string]any{"phase": "Completed"}, "succeeded": 5}
	c := (&kubefake.Cluster{ClusterKinds: []string{"Queue", "ImageCache"}, States: map[string][]map[string]any{
		"Job": {job}, "Pod": {{"phase": "Succeeded"}}, "ImageCache": {{"phase": "Ready", "imageCacheId": "imc-1"}},
	}}).Start(t)
	v, err := local.Run(t.Context(), volcanomnist.Pipeline, volcanomnist.In{Epochs: dsl.Const(5)}, local.Options{Home: t.TempDir()})
	if err != nil || v.Out.Succeeded.Get() != 5 {
		t.Error(v, err)
	}
	e, err := local.Run(t.Context(), eciimagenet.Pipeline, eciimagenet.In{}, local.Options{Home: t.TempDir()})
	if err != nil || e.Out.Name.Get() != "imagenet-x1" {
		t.Error(e, err)
	}
	sent := fmt.Sprintf("%s", c.Sent())
	for _, want := range []string{`"--epochs","5"`, `"--epochs","90"`, `"k8s.aliyun.com/eci-image-snapshot-id":"imc-1"`} {
		if !strings.Contains(sent, want) {
			t.Errorf("nothing that was sent has %s", want)
		}
	}
}
