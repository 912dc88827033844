package raise_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/testing/atelier"
)

// TestFiles: what KFP's SDK wrote, now or long ago, becomes Go that is built and
// compiles to the same. Each file has a kind of thing that no pair shows.
func TestFiles(t *testing.T) {
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/ir/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	a := atelier.New(t.TempDir(), repo)
	for _, file := range files {
		ir, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := kfpread.Read(filepath.Base(file), ir)
		if err == nil {
			err = a.Add(filepath.Base(file), p, ir)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	wrong, err := a.Compare()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		t.Errorf("%s:\n%s", name, strings.Join(wrong[name], "\n"))
	}
}
