package oracle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/kfpread"
	"github.com/kfpgo/kfpgo/internal/raise/atelier"
)

// notImported are the files of the corpus that can't be said in Go yet, each with
// the reason.
var notImported = map[string]string{
	"conditional_producer_and_consumers.yaml": "it returns what an If makes that may not run",
}

// TestCorpusImport: each file of the corpus becomes a Go package; all packages are
// built as one program, and each compiles to IR that is equal to the file.
func TestCorpusImport(t *testing.T) {
	dir := os.Getenv("KFPGO_CORPUS")
	if dir == "" {
		skipped["imported"] = true
		t.Skip("KFPGO_CORPUS names no folder with pipelines that KFP compiled")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.yaml in KFPGO_CORPUS=%s: %v", dir, err)
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	a := atelier.New(t.TempDir(), repo)
	wrong := map[string][]string{}
	for _, f := range files {
		name := filepath.Base(f)
		ir, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := kfpread.Read(name, ir)
		if err == nil {
			err = a.Add(name, p, ir)
		}
		if err != nil {
			wrong[name] = []string{err.Error()}
		}
	}
	differ, err := a.Compare()
	if err != nil {
		t.Fatal(err)
	}
	for name, lines := range differ {
		wrong[name] = lines
	}
	for _, f := range files {
		name := filepath.Base(f)
		why, known := notImported[name]
		lines, bad := wrong[name]
		switch {
		case !bad && known:
			t.Errorf("%s can be imported; take it off the list", name)
		case bad && !known:
			for _, l := range lines {
				t.Errorf("%s: %s", name, l)
			}
		}
		exception := ""
		if known {
			exception = name + ": " + why
		}
		tally("imported to Go, built and equal", !bad, exception)
	}
}
