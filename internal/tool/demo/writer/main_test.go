package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestYAML: there is a file for each target, with the image.
func TestYAML(t *testing.T) {
	dir := t.TempDir()
	if err := yaml(dir, "localhost:5000/digits:1"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"mnist.yaml": "pipelineInfo:", "mnist-argo.yaml": "kind: Workflow"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), want) || !strings.Contains(string(b), "localhost:5000/digits:1") {
			t.Errorf("%s: %v\n%.300s", name, err, b)
		}
	}
	if err := yaml(dir, "No Image"); err == nil {
		t.Error("a wrong image is accepted")
	}
}
