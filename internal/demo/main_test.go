package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain is also a kfpgo that does nothing but leave the record of a run.
func TestMain(m *testing.M) {
	record := os.Getenv("DEMO_RECORD")
	if record == "" {
		os.Exit(m.Run())
	}
	if os.Args[1] != "run" {
		return
	}
	dir := filepath.Join(os.Getenv("KFPGO_HOME"), "runs", "mnist-20260102T030405-abcd")
	if os.MkdirAll(dir, 0o755) != nil || os.WriteFile(filepath.Join(dir, "run.json"), []byte(record), 0o644) != nil {
		os.Exit(1)
	}
}

// TestDemo prints what run.json has, digit for digit.
func TestDemo(t *testing.T) {
	t.Setenv("DEMO_RECORD", `{"tasks":[
		{"path":"a/evaluate","component":"evaluate","outputs":{"accuracy":0.97810}},
		{"path":"a/query","component":"query","outputs":{"accuracy":0.985,"p50_ms":0.150,"p99_ms":1e0}}]}`)
	var out bytes.Buffer
	dir := t.TempDir()
	if err := (demo{kfpgo: os.Args[0], data: "data", out: dir, image: "x", stdout: &out}).run(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"accuracy         0.97810\n", "served accuracy  0.985\n", "latency          0.150 ms (p50), 1e0 ms (p99)\n",
		dir + "/mnist.yaml\n", dir + "/mnist-argo.yaml\n", dir + "/runs/mnist-20260102T030405-abcd/report.html\n",
		"$ kfpgo compile ./examples/mnist --target argo",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	t.Setenv("DEMO_RECORD", `{"tasks":[]}`)
	err := (demo{kfpgo: os.Args[0], data: "data", out: dir, stdout: &out}).run()
	if err == nil || !strings.Contains(err.Error(), "nothing was evaluated or served") {
		t.Errorf("got %v", err)
	}
}
