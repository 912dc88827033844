package oracle

import (
	"os"
	"path/filepath"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"sigs.k8s.io/yaml"
)

// TestArgo validates the Workflows of the examples.
func TestArgo(t *testing.T) {
	for _, pipeline := range examples(t) {
		t.Run(pipeline, func(t *testing.T) { validArgo(t, compile(t, pipeline, "argo")) })
	}
}

// TestArgoGoldens validates the goldens of package argo.
func TestArgoGoldens(t *testing.T) {
	files, err := filepath.Glob("../../internal/argo/testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			validArgo(t, b)
		})
	}
}

// validArgo decodes a Workflow strictly and validates it as argo lint and as
// Argo's server do.
func validArgo(t *testing.T, b []byte) {
	t.Helper()
	defer func() { tally("Argo's validator accepted our Workflows", !t.Failed(), "") }()
	var wf wfv1.Workflow
	if err := yaml.UnmarshalStrict(b, &wf); err != nil {
		t.Fatal(err)
	}
	if wf.Kind != "Workflow" || wf.Spec.Entrypoint == "" {
		t.Fatalf("not a Workflow with an entrypoint: %s", wf.Kind)
	}
	if err := LintArgo(&wf); err != nil {
		t.Error(err)
	}
	// What has no default is given when a Workflow is submitted, as argo submit -p does.
	for i := range wf.Spec.Arguments.Parameters {
		if p := &wf.Spec.Arguments.Parameters[i]; p.Value == nil {
			p.Value = wfv1.AnyStringPtr("1")
		}
	}
	if err := ValidateArgo(&wf); err != nil {
		t.Error(err)
	}
}
