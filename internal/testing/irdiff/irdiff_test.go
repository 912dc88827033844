package irdiff_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

const one = `
components:
  comp-a: {executorLabel: exec-a, inputDefinitions: {parameters: {x: {parameterType: STRING, description: an x}}}}
deploymentSpec: {executors: {exec-a: {container: {image: i, args: ['{"Concat": ["a"]}']}}}}
pipelineInfo: {name: p}
root:
  dag:
    tasks:
      a: {componentRef: {name: comp-a}, inputs: {parameters: {x: {runtimeValue: {constant: v}}}}}
      b: {componentRef: {name: comp-a}, parameterIterator: {items: {raw: '[1, {"a": 2}]'}}}
schemaVersion: 2.1.0
sdkVersion: one
---
platforms: {kubernetes: {deploymentSpec: {executors: {exec-a: {activeDeadlineSeconds: '1'}}}}}
`

// other is one with other names, nothing shared, and JSON written differently.
const other = `
components:
  comp-x: {executorLabel: exec-x, inputDefinitions: {parameters: {x: {parameterType: STRING}}}}
  comp-y: {executorLabel: exec-y, inputDefinitions: {parameters: {x: {parameterType: STRING}}}}
deploymentSpec:
  executors:
    exec-x: {container: {image: i, args: ['{"Concat":["a"]}']}}
    exec-y: {container: {image: i, args: ['{"Concat":["a"]}']}}
pipelineInfo: {name: p}
root:
  dag:
    tasks:
      a: {componentRef: {name: comp-x}, inputs: {parameters: {x: {runtimeValue: {constant: v}}}}}
      b: {componentRef: {name: comp-y}, parameterIterator: {items: {raw: '[1.0,{"a":2}]'}}}
schemaVersion: 2.1.0
sdkVersion: two
---
platforms: {kubernetes: {deploymentSpec: {executors: {exec-x: {activeDeadlineSeconds: '1'}, exec-y: {activeDeadlineSeconds: '1'}}}}}
`

func TestCompare(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"constant: v", "constant: w", "/root/dag/tasks/a/inputs/parameters/x/runtimeValue/constant"},
		{`"a":2`, `"a":3`, "/root/dag/tasks/b/parameterIterator/items/raw[1]/a"},
		{"exec-y: {container: {image: i,", "exec-y: {container: {image: j,", "/root/dag/tasks/b/componentRef/executor/container/image"},
		{`exec-x: {container: {image: i, args: ['{"Concat":["a"]}']}`, `exec-x: {container: {image: i}`, "/root/dag/tasks/a/componentRef/executor/container/args"},
		{"exec-y: {activeDeadlineSeconds: '1'}", "exec-y: {activeDeadlineSeconds: '2'}", "/root/dag/tasks/b/componentRef/kubernetes/activeDeadlineSeconds"},
		{"parameterType: STRING}}}}\ndep", "parameterType: LIST}}}}\ndep", "/root/dag/tasks/b/componentRef/inputDefinitions/parameters/x/parameterType"},
	} {
		changed := strings.Replace(other, c.old, c.new, 1)
		if c.old != c.new && changed == other {
			t.Fatalf("nothing to replace: %s", c.old)
		}
		lines, err := irdiff.Compare([]byte(changed), []byte(one))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.want == "" && lines != nil:
			t.Errorf("differ, but should not: %q", lines)
		case c.want != "" && (len(lines) != 1 || !strings.HasPrefix(lines[0], c.want+":")):
			t.Errorf("%s: got %q, want one at %s", c.new, lines, c.want)
		}
	}
	if _, err := irdiff.Compare([]byte("a: 1"), []byte(one)); err == nil {
		t.Error("what is no IR has no error")
	}
	if _, err := irdiff.Compare([]byte(strings.Replace(one, "comp-a:", "comp-b:", 1)), []byte(one)); err == nil {
		t.Error("a component that isn't there has no error")
	}
}

// TestCompareDescribed: descriptions make a difference only where they are asked for.
func TestCompareDescribed(t *testing.T) {
	changed := []byte(strings.Replace(one, "an x", "a y", 1))
	if lines, err := irdiff.Compare(changed, []byte(one)); err != nil || lines != nil {
		t.Errorf("differ, but should not: %q, %v", lines, err)
	}
	const want = `/root/dag/tasks/a/componentRef/inputDefinitions/parameters/x/description: "a y", want "an x"`
	lines, err := irdiff.CompareDescribed(changed, []byte(one))
	if err != nil || len(lines) != 2 || lines[0] != want { // of both tasks
		t.Errorf("got %q, %v, want %s", lines, err, want)
	}
}
