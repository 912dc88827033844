package kfpgo_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// run runs a command in a folder, and returns what it writes to standard output.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// TestDSLDependencies: the packages that every pipeline's program links beside
// the standard library are a reviewed list.
func TestDSLDependencies(t *testing.T) {
	got := run(t, ".", nil, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./dsl", "./dsl/argo", "./dsl/k8s")
	golden.Check(t, "testdata/dsl_deps.txt", []byte(got))
}

// TestDSLAPI: a change of what users write is one that somebody meant.
func TestDSLAPI(t *testing.T) {
	for name, dir := range map[string]string{"dsl_api.txt": "./dsl", "dsl_argo_api.txt": "./dsl/argo", "dsl_k8s_api.txt": "./dsl/k8s", "dsl_k8s_pod_api.txt": "./dsl/k8s/pod"} {
		golden.Check(t, filepath.Join("testdata", name), []byte(run(t, ".", workspace(t), "go", "doc", "-all", dir)))
	}
}

// TestHelloIsSmall: a program that imports dsl alone has under 5 MB, which is
// most of its image.
func TestHelloIsSmall(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "hello")
	run(t, ".", []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, "./examples/hello")
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() >= 5e6 {
		t.Errorf("hello has %d bytes, want under 5,000,000", info.Size())
	}
	t.Logf("hello has %d bytes", info.Size())
}
