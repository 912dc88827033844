package kfp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/golden"
	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/irdiff"
	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/program"
)

// TestTwins compares the IR of pipelines with what KFP's Python SDK 2.17.3 makes
// of the same ones, in testdata/twin.
func TestTwins(t *testing.T) {
	for _, d := range twins {
		t.Run(d.Name(), func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "twin", d.Name()+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			got := write(t, d)
			golden.Check(t, filepath.Join("testdata", d.Name()+".yaml"), got)
			lines, err := irdiff.Compare(got, want)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				t.Error(l)
			}
		})
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
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	g := dsl.Graph(d)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
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
