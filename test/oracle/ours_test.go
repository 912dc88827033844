package oracle

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// kfpgo builds the command, once for all tests.
var kfpgo = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kfpgo-oracle-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "kfpgo")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/kfpgo")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	return bin, cmd.Run()
})

// compile runs kfpgo compile, as its users do.
func compile(t *testing.T, pipeline, target string) []byte {
	t.Helper()
	return compileWith(t, pipeline, target, "registry.example.com/prog:1")
}

func compileWith(t *testing.T, pipeline, target, image string) []byte {
	t.Helper()
	bin, err := kfpgo()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"compile", pipeline, "--target", target, "--image", image}
	if strings.HasPrefix(target, "argo") {
		args = append(args, "--artifact-root", "s3://bucket") // some ask for the URIs of artifacts
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	return b
}

// examples returns the pipelines of all examples.
func examples(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("../../examples/*")
	if err != nil || len(dirs) < 3 {
		t.Fatalf("%d examples, %v", len(dirs), err)
	}
	pipelines := []string{"./examples/calc#PythonPipeline", "./examples/calc#ContainerPipeline"}
	for _, d := range dirs {
		if definesPipeline(d) {
			pipelines = append(pipelines, "./examples/"+filepath.Base(d))
		}
	}
	return pipelines
}

// definesPipeline reports whether an example has a pipeline of its own; others are
// programs that work with one.
func definesPipeline(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && !strings.HasSuffix(f, "_test.go") && bytes.Contains(b, []byte("= dsl.Pipeline(")) {
			return true
		}
	}
	return false
}

// ours returns all of our IR, by name: the goldens of package kfp, which hold the
// pairs, and the examples as they are compiled now.
func ours(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../internal/target/kfp/testdata/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = b
	}
	for _, p := range examples(t) {
		all[p] = compile(t, p, "kfp")
	}
	return all
}
