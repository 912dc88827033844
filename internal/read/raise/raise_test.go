package raise_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/read/raise"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/atelier"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPairs: the programs of all pairs become Go, all packages are built as one
// program, and each compiles to the IR that it came from.
func TestPairs(t *testing.T) {
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	a := atelier.New(t.TempDir(), repo)
	n := 0
	for _, p := range pairs.All() {
		if p.Definition == nil {
			continue
		}
		n++
		prog := lowered(t, p)
		ir, err := kfp.Write(prog, kfp.Options{Image: atelier.Image})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Add(p.Name, prog, ir); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	wrong, err := a.Compare()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		t.Errorf("%s:\n%s", name, strings.Join(wrong[name], "\n"))
	}
	t.Logf("imported %d/%d", n-len(wrong), n)
}

func lowered(t *testing.T, p pairs.Pair) *program.Program {
	t.Helper()
	g := recorded.Graph(p.Definition)
	prog, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestGolden: what the source of each construct looks like.
func TestGolden(t *testing.T) {
	for _, name := range []string{
		"after", "branches", "calc", "collected", "composed", "deep", "exit", "importer", "loops", "nested", "options", "texts", "values", "volumes",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := pairs.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			files, err := raise.Source(lowered(t, p), raise.Options{Image: atelier.Image})
			if err != nil {
				t.Fatal(err)
			}
			var a txtar.Archive
			for _, file := range slices.Sorted(maps.Keys(files)) {
				a.Files = append(a.Files, txtar.File{Name: file, Data: files[file]})
			}
			golden.Check(t, filepath.Join("testdata", name+".txtar"), txtar.Format(&a))
		})
	}
}
