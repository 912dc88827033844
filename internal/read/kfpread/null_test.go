package kfpread_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a file with null, or something else, in any place is refused, or is a
// program that can be written.
func TestMutants(t *testing.T) {
	for _, file := range []string{"../../testing/pairs/python/calc.yaml", "testdata/v1/full.yaml"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			good, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			mutants.Each(t, good, func(bad []byte) {
				for _, o := range []kfpread.Options{{}, {ByUse: true, Image: "i:1"}} {
					if p, err := kfpread.ReadWith("x.yaml", bad, o); err == nil {
						_, _ = kfp.Write(p, kfp.Options{})
					}
				}
			})
		})
	}
}
