package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// TestNightly starts and schedules MNIST twice: there are two runs and one schedule.
func TestNightly(t *testing.T) {
	s := fakekfp.New(t)
	t.Setenv("KF_PIPELINES_ENDPOINT", s.URL)
	t.Setenv("KFPGO_CONFIG", filepath.Join(t.TempDir(), "none.yaml"))
	t.Setenv("KFPGO_IMAGE", "registry.example.com/mnist:1")
	main()
	main()
	if s.Count("runs") != 2 || s.Count("recurringruns") != 1 {
		t.Errorf("%d runs and %d recurring runs", s.Count("runs"), s.Count("recurringruns"))
	}
}

// TestArgo: what the README says makes it a program for Argo.
func TestArgo(t *testing.T) {
	b, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	text := strings.NewReplacer("client/kfp", "client/argo", "kfp.", "argo.").Replace(string(b))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
