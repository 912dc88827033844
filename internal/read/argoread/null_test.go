package argoread_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/argoread"
	"github.com/kfpgo/kfpgo/internal/read/raise"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: a file with null, or something else, in any place is refused, or is a
// program that all that follows takes.
func TestMutants(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			good, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			mutants.Each(t, good, func(bad []byte) {
				p, _, err := argoread.Read("x.yaml", bad)
				if err != nil {
					return
				}
				if p.Component(p.Main) == nil {
					t.Errorf("a program without a main component: %s", bad)
				}
				vet.Program(p, vet.Options{})
				_, _ = kfp.Write(p, kfp.Options{})
				_, _ = raise.Source(p, raise.Options{})
			})
		})
	}
}
