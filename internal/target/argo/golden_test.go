package argo_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

var options = argo.Options{Image: "example.com/app:1", ArtifactRoot: "s3://bucket"}

// runtime is the argument with the runtime of Python steps, which has tests of its own.
var runtime = regexp.MustCompile(`- '-c'\n          - ("#[^\n]*|\|[-+]?\n(?:              [^\n]*\n|\n)*)\n`)

// TestGolden compares what is written for small pipelines, each of which has a
// construct or two, with what was looked at once.
func TestGolden(t *testing.T) {
	for _, d := range []dsl.Definition{
		calc.Pipeline, calc.ContainerPipeline, calc.PythonPipeline, values, branches, loops, nested, exits, objects, groups, pods, beside, imports, gathered, patched, argoOnly,
	} {
		t.Run(d.Name(), func(t *testing.T) {
			p := lowered.Program(t, d)
			got, err := argo.Write(p, options)
			if err != nil {
				t.Fatal(err)
			}
			strict(t, got)
			again, _ := argo.Write(p, options)
			if !bytes.Equal(got, again) {
				t.Error("a second time it is different")
			}
			got = runtime.ReplaceAll(got, []byte("- '-c'\n          - RUNTIME\n"))
			golden.Check(t, filepath.Join("testdata", d.Name()+".yaml"), got)
		})
	}
}

// strict decodes a Workflow that may have no unknown members.
func strict(t *testing.T, b []byte) *wfv1.Workflow {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(j))
	d.DisallowUnknownFields()
	var w wfv1.Workflow
	if err := d.Decode(&w); err != nil {
		t.Fatal(err)
	}
	return &w
}
