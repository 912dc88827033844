package graph_test

import (
	"bytes"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a graph with null, or something else, in any place is refused, or is sound.
func TestMutants(t *testing.T) {
	const good = `{"schema": 1, "components": [{"id": 1, "name": "p", "kind": "pipeline", "scope": 1, "inputs": [{"name": "n", "type": {"name": "LIST", "elem": {"name": "STRUCT", "fields": [{"name": "a", "type": {"name": "STRING"}}]}}}]},
		{"id": 2, "name": "c", "kind": "container", "inputs": [{"name": "x", "type": {"name": "STRING"}}], "container": {"image": "i", "command": ["a"], "args": ["b"]}}],
		"scopes": [{"id": 1, "kind": "pipeline", "owner": 1, "nodes": [{"task": 1}, {"scope": 2}]}, {"id": 2, "kind": "if", "owner": 1, "parent": 1, "nodes": [{"task": 2}], "cond": {"op": "&&", "conds": [{"op": "==", "values": [1, 2]}, {"op": "==", "values": [1, 2]}]}}],
		"tasks": [{"id": 1, "name": "c", "component": 2, "scope": 1, "args": {"x": 2}, "options": [{"name": "retry", "args": [{"const": 1}]}]}, {"id": 2, "name": "d", "component": 2, "scope": 2, "args": {"x": 2}, "after": [1]}],
		"values": [{"id": 1, "kind": "input", "scope": 1, "name": "n", "type": "LIST"}, {"id": 2, "kind": "const", "type": "STRING", "const": "x"}],
		"schedules": [{"name": "s", "component": 1, "cron": "0 0 * * *", "args": {"n": 2}}], "errors": [{"pos": {"file": "a", "line": 1}, "msg": "x"}]}`
	mutants.Each(t, []byte(good), func(bad []byte) {
		g, err := graph.Read(bad)
		if err != nil {
			return
		}
		var b bytes.Buffer
		for _, v := range g.Values {
			b.WriteString(g.Describe(v.ID))
		}
		_, _ = g.Pick("")
		_ = graph.Write(&b, g)
	})
}
