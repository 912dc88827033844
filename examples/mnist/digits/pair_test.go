package digits

import (
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPair compares the IR with what KFP's Python SDK makes of the same pipeline,
// which package pairs keeps. Only the command of the Python step differs: it is
// kfpgo's own.
func TestPair(t *testing.T) {
	got, err := compiler.Compile(Pipeline, compiler.KFP, compiler.Image("prog"))
	if err != nil {
		t.Fatal(err)
	}
	pair, err := pairs.Named("mnist")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pair.Compare(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		t.Error(l)
	}
}
