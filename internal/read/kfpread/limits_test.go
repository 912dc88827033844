package kfpread_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// TestItems: what is counted are the items of the list, and nothing in them.
func TestItems(t *testing.T) {
	for list, bad := range map[string]bool{
		"[]": false, "": false, `["a,,,,", [1, 2, 3], {"a": 1, "b": "\",,"}]`: false,
		"[" + strings.Repeat("1,", kfpread.MaxItems-1) + "1]": false,
		"[" + strings.Repeat("1,", kfpread.MaxItems) + "1]":   true,
		"[[" + strings.Repeat("1,", kfpread.MaxItems) + "1]]": false,
		`["` + strings.Repeat(`\",`, kfpread.MaxItems) + `"]`: false,
	} {
		if err := kfpread.Items(list); (err != nil) != bad {
			t.Errorf("%.40s: %v", list, err)
		}
	}
}

// TestLimits: each limit is told by its number, what the file has and what to do, and
// what is just below it is read.
func TestLimits(t *testing.T) {
	const head = `{"pipelineInfo":{"name":"x"},"schemaVersion":"2.1.0","deploymentSpec":{"executors":{"e":{"container":{"image":"i:1","command":["a"]}}}},"components":{"comp-a":{"executorLabel":"e"}%s},"root":{"dag":{"tasks":{%s}}}}`
	nested := func(n int) string {
		var b strings.Builder
		for i := range n - 1 {
			fmt.Fprintf(&b, `,"comp-n%d":{"dag":{"tasks":{"t":{"componentRef":{"name":"comp-n%d"}}}}}`, i, i+1)
		}
		fmt.Fprintf(&b, `,"comp-n%d":{"executorLabel":"e"}`, n-1)
		return fmt.Sprintf(head, b.String(), `"t":{"componentRef":{"name":"comp-n0"}}`)
	}
	for name, c := range map[string]struct{ file, want string }{
		"nested":    {nested(kfpread.MaxNested), ""},
		"too deep":  {nested(kfpread.MaxNested + 1), "is nested more than 100 deep, in components that call each other; call it from further out"},
		"recursive": {fmt.Sprintf(head, `,"comp-b":{"dag":{"tasks":{"b":{"componentRef":{"name":"comp-b"}}}}}`, `"b":{"componentRef":{"name":"comp-b"}}`), "holds itself"},
	} {
		_, err := kfpread.Read("x.json", []byte(c.file))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %.300v, want %s", name, err, c.want)
		}
	}
}
