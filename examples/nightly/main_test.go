package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/fakekfp"
)

// TestNightly compiles MNIST, and starts and schedules it twice: there are two runs
// and one schedule.
func TestNightly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mnist.yaml")
	if out, err := exec.Command("go", "run", "../../cmd/kfpgo", "compile", "../mnist", "--image", "registry.example.com/mnist:1", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := fakekfp.New(t)
	t.Setenv("KF_PIPELINES_ENDPOINT", s.URL)
	t.Setenv("KFPGO_CONFIG", filepath.Join(t.TempDir(), "none.yaml"))
	args := os.Args
	defer func() { os.Args = args }()
	os.Args = []string{"nightly", file}
	main()
	main()
	if s.Count("runs") != 2 || s.Count("recurringruns") != 1 {
		t.Errorf("%d runs and %d recurring runs", s.Count("runs"), s.Count("recurringruns"))
	}
}
