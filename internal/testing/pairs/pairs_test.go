package pairs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPairs compares the IR of each pair with what KFP's Python SDK 2.17.3 makes
// of its Python side. Names of components and what is shared don't matter.
func TestPairs(t *testing.T) {
	for _, p := range pairs.All() {
		t.Run(p.Name, func(t *testing.T) {
			if p.Definition == nil {
				if _, err := p.Python(); err != nil {
					t.Error(err)
				}
				return // its example compares
			}
			ir, err := p.Compile()
			if err != nil {
				t.Fatal(err)
			}
			lines, err := p.Compare(ir)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				t.Error(l)
			}
		})
	}
}

// TestFiles: each pair has a Python side and its compiled form, and no file is
// without a pair.
func TestFiles(t *testing.T) {
	var want []string
	for _, p := range pairs.All() {
		want = append(want, p.Name+".py", p.Name+".yaml")
	}
	for i, name := range want {
		if slices.Contains(want[:i], name) {
			t.Errorf("two pairs have %s", name)
		}
	}
	entries, err := fs.ReadDir(os.DirFS("python"), ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); (ext == ".py" || ext == ".yaml") && e.Name() != "compile.py" && !strings.HasPrefix(e.Name(), "steps") {
			got = append(got, e.Name())
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("python/%s belongs to no pair", name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("there is no python/%s", name)
		}
	}
}
