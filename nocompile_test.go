package kfpgo_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/want"
)

// TestTextForArtifact is a text given to an input that takes an artifact: TestNoCompile has
// the compiler refuse that, at a line that must be there.
func TestTextForArtifact(t *testing.T) {
	src, err := os.ReadFile("testdata/nocompile/nocompile.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(src), `EvaluateIn{Digits: in.URL})`) {
		t.Error("no bad line gives a parameter to an artifact")
	}
	TestNoCompile(t)
}

// TestNoCompile checks that the Go compiler rejects each line of
// testdata/nocompile that should not compile, and only those, with the message
// that its want comment gives.
func TestNoCompile(t *testing.T) {
	const file = "testdata/nocompile/nocompile.go"
	out, err := exec.Command("go", "build", "-gcflags=-e", "./testdata/nocompile").CombinedOutput()
	if err == nil {
		t.Fatal("testdata/nocompile compiles")
	}
	want.Check(t, file, want.Parse(string(out)))

	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(src), "// want "); n < 30 {
		t.Errorf("%s has %d bad lines, want at least 30", file, n)
	}
}
