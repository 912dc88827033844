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
	"github.com/kfpgo/kfpgo/internal/golden"
	"github.com/kfpgo/kfpgo/internal/kubefake"
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

Each of these has a ready-made component, and an example that uses it. By hand there is a manifest to apply,
to look after and to clean up; the pipeline also waits for the end, follows the logs, tells the reason and the
last events of what fails, and deletes what it made. Lines are counted by a test, without blank lines and comments;
those of Go also have what comes before or after: the training, the check of the GPU, the queries, what is deleted.

| system | lines by hand | lines with kfpgo |
| --- | --: | --: |
`

const pageRest = `
The steps run as the service account of the pipeline's pods, which needs the right to create, get and delete the
objects and to get pods, their logs and events. On this machine they use the cluster of the file that KUBECONFIG names.
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
