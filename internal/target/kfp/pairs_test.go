package kfp_test

import (
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPairs keeps our IR of the pairs, which package pairs compares with what
// KFP's Python SDK makes of them.
func TestPairs(t *testing.T) {
	for _, p := range pairs.All() {
		if p.Definition != nil {
			t.Run(p.Name, func(t *testing.T) { golden.Check(t, filepath.Join("testdata", p.Name+".yaml"), write(t, p.Definition)) })
		}
	}
}

func write(t *testing.T, d dsl.Definition) []byte {
	t.Helper()
	b, err := try(t, d, kfp.Options{Image: "prog", Version: "0.1.0"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func try(t *testing.T, d dsl.Definition, o kfp.Options) ([]byte, error) {
	t.Helper()
	p := lowered.Program(t, d)
	place(p)
	return kfp.Write(p, o)
}

// read returns the documents of a YAML file.
func read(t *testing.T, b []byte) []map[string]any {
	t.Helper()
	docs, err := irdiff.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// place gives what has no line one: this package's are taken for the SDK's own.
func place(p *program.Program) {
	for i, c := range p.Components {
		c.Pos = graph.Pos{File: "p.go", Line: 10 * (i + 1)}
		if c.DAG != nil {
			for j, t := range c.DAG.Tasks {
				t.Pos = graph.Pos{File: "p.go", Line: c.Pos.Line + j + 1}
			}
		}
	}
}
