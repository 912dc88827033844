package run_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

const record = `{"schema": 1, "id": "a-1", "pipeline": "a", "state": "FAILED", "error": "x", "source": {"pipeline": "./a", "dir": "/"}, "started": "2026-01-02T03:04:05Z",
 "params": {"n": 1}, "outputs": {"o": "x"}, "made": {"m": [{"type": "system.Model", "uri": "file:///x", "metadata": {"a": 9007199254740993}}]},
 "tasks": [{"path": "loop", "name": "loop", "kind": "loop", "state": "FAILED"}, {"path": "loop/0", "name": "loop", "kind": "loop", "iteration": 0, "state": "FAILED", "inputs": {"n": 1}},
  {"path": "loop/0/step", "name": "step", "kind": "go", "state": "FAILED", "after": ["x"], "inputs": {"n": 1}, "reads": {"d": [{"type": "system.Dataset", "uri": "s3://b/d"}]},
   "writes": {"m": [{"type": "system.Model", "uri": "file:///x"}]}, "logs": ["log"]}]}`

// TestMutants: a record that is read has no task that is nil.
func TestMutants(t *testing.T) {
	mutants.Each(t, []byte(record), func(bad []byte) {
		r, err := run.Read(bad)
		if err != nil {
			return
		}
		for _, task := range r.Tasks {
			_ = task.Path
		}
	})
}

// FuzzRead reads any record.
func FuzzRead(f *testing.F) {
	f.Add([]byte(record))
	f.Add([]byte(`{"tasks": [null]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := run.Read(b); err == nil {
			for _, task := range r.Tasks {
				_ = task.Path
			}
		}
	})
}
