package main

import (
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/irdiff"
)

// TestTwin compares the IR with what KFP's Python SDK makes of the same pipeline,
// which is in internal/kfp/testdata/twin. Only the command of the Python step
// differs: it is kfpgo's own.
func TestTwin(t *testing.T) {
	got, err := compiler.Compile(Pipeline, compiler.KFP, compiler.Image("prog"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../internal/kfp/testdata/twin/mnist.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := irdiff.Compare(got, want, func(_ string, executor map[string]any) {
		c, _ := executor["container"].(map[string]any)
		if image, _ := c["image"].(string); strings.HasPrefix(image, "tensorflow/") {
			delete(c, "command")
			delete(c, "args")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		t.Error(l)
	}
}
