package source_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// TestCaller finds the innermost line of the user, here a test: its own, or that
// of a function which Go's own code calls.
func TestCaller(t *testing.T) {
	here := source.Caller()
	if here.File != "caller_test.go" || here.Line != 15 {
		t.Errorf("got %v", here)
	}
	var in graph.Pos
	list := make([]int, 1000)
	for i := range list {
		list[i] = i * 7919 % 1000
	}
	slices.SortFunc(list, func(a, b int) int {
		in = source.Caller()
		return a - b
	})
	if in.Line != 25 || filepath.Base(in.File) != "caller_test.go" {
		t.Errorf("got %v", in)
	}
}
