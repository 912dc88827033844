package runlineage_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/local/runlineage"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: any record that is read has a lineage.
func TestMutants(t *testing.T) {
	const record = `{"schema": 1, "id": "a-1", "pipeline": "a", "tasks": [{"path": "g", "name": "g", "kind": "condition"}, {"path": "g/step", "name": "step", "kind": "importer", "state": "SUCCEEDED", "inputs": {"uri": "x"},
		"reads": {"d": [{"type": "system.Dataset", "uri": "s3://b/d", "metadata": {"a": 1}}]}, "writes": {"m": [{"name": "m", "type": "system.Model", "uri": "file:///x", "metadata": {"a": 1}}]}}]}`
	mutants.Each(t, []byte(record), func(bad []byte) {
		if r, err := run.Read(bad); err == nil {
			b := lineage.NewBuilder()
			runlineage.Add(b, r)
			b.Graph()
		}
	})
}
