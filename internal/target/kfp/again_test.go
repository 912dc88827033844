package kfp_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/random"
)

// TestFileAgain: IR that was compiled for what a run is given is sent as it is.
func TestFileAgain(t *testing.T) {
	for seed := uint64(1); seed < 60; seed++ {
		d, args := random.Program(seed, random.Kind{Steps: 4, KFP: true, Risky: seed%10 == 0})
		given := map[string]bool{}
		for name := range args {
			given[name] = true
		}
		ir, err := compiler.Compile(d, compiler.KFP, compiler.Image("app:1"), compiler.KFPVersion("2.17"), func(o *emit.Options) { o.Given = given })
		if err != nil {
			continue
		}
		read, err := kfpread.Read("p.yaml", ir)
		if err != nil {
			t.Fatal(seed, err)
		}
		if _, err := kfp.Write(read, kfp.Options{Exact: true, Given: given}); err != nil {
			t.Error(seed, err)
		}
	}
}
