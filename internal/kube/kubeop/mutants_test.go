package kubeop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

const whole = `apiVersion: batch/v1
kind: Job
metadata: {name: "x-{{$.inputs.parameters['v']}}", labels: {a: b}, ownerReferences: [{kind: Pod, name: p, uid: u}]}
spec:
  template:
    spec:
      containers: [{name: c, image: i, args: [a, "{{$.inputs.parameters['v']}}"], env: [{name: A, value: b}]}]
status: {conditions: [{type: Complete, status: "True"}], phase: Done}
`

// TestMutants: a manifest, or what a server says of an object, with null, or something
// else, in any place is refused or used.
func TestMutants(t *testing.T) {
	f := &filler{inputs: map[string]json.RawMessage{"v": json.RawMessage(`"1"`)}, image: func() (string, error) { return "i", nil }}
	conditions, err := f.conditions("success", "status.phase == Done, status.conditions.#(type==\"Complete\").status == \"True\", !status.x")
	if err != nil {
		conditions, err = f.conditions("success", "status.phase == Done, !status.x")
	}
	if err != nil {
		t.Fatal(err)
	}
	mutants.Each(t, []byte(whole), func(bad []byte) {
		obj, err := f.object(string(bad))
		if err != nil {
			return
		}
		for _, c := range conditions {
			c.holds(obj)
		}
		Text(obj, "status.conditions.0.type")
		if _, err := json.Marshal(obj); err != nil {
			t.Error(err)
		}
	})
}

// TestLaughs: aliases that stand for ten of each other are no way to a large object.
func TestLaughs(t *testing.T) {
	var b strings.Builder
	b.WriteString("kind: X\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	f := &filler{image: func() (string, error) { return "i", nil }}
	if _, err := f.object(b.String()); err == nil || !strings.Contains(err.Error(), "values") {
		t.Errorf("it was read: %v", err)
	}
}
