package kfpgo_test

import (
	"os/exec"
	"testing"

	"github.com/kfpgo/kfpgo/internal/want"
)

// TestNoCompile checks that the Go compiler rejects each line of
// testdata/nocompile that should not compile, and only those.
func TestNoCompile(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-e", "./testdata/nocompile").CombinedOutput()
	if err == nil {
		t.Fatal("testdata/nocompile compiles")
	}
	want.Check(t, "testdata/nocompile/nocompile.go", want.Parse(string(out)))
}
