package replay_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/local/replay"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a step is found in any record that is read, or it is an error.
func TestMutants(t *testing.T) {
	const record = `{"schema": 1, "id": "a-1", "pipeline": "a", "params": {"n": 1}, "tasks": [{"path": "loop", "name": "loop", "kind": "loop", "inputs": {"n": 1}},
		{"path": "loop/0", "name": "loop", "kind": "loop", "iteration": 0, "inputs": {"item": 1}}, {"path": "loop/0/step", "name": "step", "kind": "go", "state": "FAILED", "iteration": 1, "inputs": {"n": 1},
		"started": "2026-01-02T03:04:05Z", "reads": {"d": [{"type": "system.Dataset", "uri": "s3://b/d"}]}}]}`
	mutants.Each(t, []byte(record), func(bad []byte) {
		if r, err := run.Read(bad); err == nil {
			_, _ = replay.Local(r, "step")
		}
	})
}
