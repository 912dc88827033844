package program_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"b"}]}},{"name":"b"}]}`: "",
		`null`:                             `the main component "" is not there`,
		`{"main":"a","components":[null]}`: "components[0] is null, where an object belongs",
		`{"main":"a","components":[{"name":"a","dag":{"tasks":[null]}}]}`:                                                                      "components[0].dag.tasks[0] is null",
		`{"main":"a","components":[{"name":"a","dag":{"tasks":[]}}],"schedules":[null]}`:                                                       "schedules[0] is null",
		`{"main":"a","components":[{"name":"a"}]}`:                                                                                             `the main component "a" is not there, or has no tasks`,
		`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"b"}]}}]}`:                                              `task x of component a calls the component "b", which is not there`,
		`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"a"}]}}]}`:                                              "task x of component a calls a, which calls itself that way",
		`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"b","when":{"op":"!","args":[null]}}]}},{"name":"b"}]}`: "when.args[0] is null",
	} {
		if _, err := program.Read([]byte(text)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestMutants: what is read has all that is walked.
func TestMutants(t *testing.T) {
	const good = `{"schema": 1, "name": "a", "main": "a", "components": [{"name": "a", "inputs": [{"name": "n", "type": {"name": "LIST", "elem": {"name": "STRING"}}, "default": ["x"]}], "dag": {"kind": "pipeline",
		"tasks": [{"name": "x", "component": "b", "args": {"n": {"kind": "format", "text": ["a", "b"], "of": [{"kind": "input", "name": "n"}]}}, "after": ["y"], "when": {"op": "&&", "args": [{"op": "given", "name": "n"}, {"op": "==", "args": [{"op": "name", "name": "n"}, {"op": "const", "const": 1}]}]},
			"each": {"items": {"kind": "input", "name": "n"}, "item": "n"}, "settings": {"retry": {"count": 1}}}], "outputs": {"o": {"from": [{"task": "x", "output": "o"}]}}}},
		{"name": "b", "outputs": [{"name": "o", "type": {"name": "STRING"}}], "exec": {"container": {"image": "i", "command": ["a"], "args": ["b"]}}}], "schedules": [{"name": "s", "cron": "0 0 * * *", "args": {"n": {"kind": "const", "const": []}}}]}`
	mutants.Each(t, []byte(good), func(bad []byte) {
		if p, err := program.Read(bad); err == nil {
			for _, c := range p.Components {
				if c.DAG != nil {
					for _, task := range c.DAG.Tasks {
						task.Values()
						if task.When != nil {
							task.When.Names()
						}
					}
				}
			}
		}
	})
}
