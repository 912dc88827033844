package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// small is a record with all that the page shows.
const small = `{"schema": 1, "id": "a-1", "pipeline": "a", "state": "FAILED", "error": "x", "started": "2026-01-02T03:04:05Z", "params": {"n": 1}, "outputs": {"o": "x"},
 "tasks": [{"path": "loop", "name": "loop", "kind": "loop", "state": "FAILED"}, {"path": "loop/0", "name": "loop", "kind": "loop", "iteration": 0, "state": "FAILED"},
  {"path": "loop/0/step", "name": "step", "kind": "go", "state": "FAILED", "inputs": {"n": [{"a": 1}]}, "reads": {"d": [{"type": "system.Dataset", "uri": "s3://b/d"}]}, "logs": ["log"],
   "writes": {"m": [{"type": "system.ClassificationMetrics", "uri": "file:///x", "metadata": {"confusionMatrix": {"annotationSpecs": [{"displayName": "a"}], "rows": [{"row": [1]}]},
    "confidenceMetrics": [{"confidenceThreshold": 1, "falsePositiveRate": 0, "recall": 1}, {"confidenceThreshold": 0, "falsePositiveRate": 1, "recall": 1}]}}]}}]}`

// TestMutants: of any record there is a page, or an error.
func TestMutants(t *testing.T) {
	dir := t.TempDir()
	mutants.Each(t, []byte(small), func(bad []byte) {
		write(t, filepath.Join(dir, "run.json"), bad)
		_ = Write(dir)
	})
}

// FuzzWrite writes the page of any record and any program.
func FuzzWrite(f *testing.F) {
	program, err := os.ReadFile("testdata/program.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(small), program)
	f.Add([]byte(`{"schema": 1, "tasks": [null]}`), []byte(`{"main": "a", "components": [null]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, run, program []byte) {
		write(t, filepath.Join(dir, "run.json"), run)
		write(t, filepath.Join(dir, "program.json"), program)
		_ = Write(dir)
	})
}
