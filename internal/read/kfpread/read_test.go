package kfpread_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// corpus returns the files of KFP's own tests, which aren't in the repository.
func corpus(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("KFPGO_CORPUS")
	if dir == "" {
		t.Skip("KFPGO_CORPUS names no folder with pipelines that KFP compiled")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if len(files) == 0 || err != nil {
		t.Fatalf("no *.yaml in KFPGO_CORPUS=%s: %v", dir, err)
	}
	return files
}

func load(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// again returns a program that went through its JSON.
func again(t *testing.T, p *program.Program) *program.Program {
	t.Helper()
	j, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var q program.Program
	if err := json.Unmarshal(j, &q); err != nil {
		t.Fatal(err)
	}
	return &q
}

// same reports where a program, written again, differs from the file.
func same(t *testing.T, file []byte, p *program.Program) {
	t.Helper()
	b, err := kfp.Write(again(t, p), kfp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := irdiff.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	want, err := irdiff.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d documents, want %d", len(got), len(want))
	}
	for i := range want {
		for _, line := range irdiff.Diff("", got[i], want[i]) {
			t.Error(line)
		}
	}
}

// TestCorpus reads files that KFP's SDK wrote, and writes the same again.
func TestCorpus(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data := load(t, file)
			p, err := kfpread.Read(filepath.Base(file), data)
			if err != nil {
				t.Fatal(err)
			}
			same(t, data, p)
			for _, c := range p.Residue {
				if c.Form() == "" {
					t.Errorf("the program has no word for /%s %s", strings.Join(c.Path, "/"), c.Set)
				}
			}
		})
	}
}

// TestOldComponent reads a component of KFP 1 as KFP's SDK 2.17.3 does.
func TestOldComponent(t *testing.T) {
	p, _, err := read.File("testdata/v1/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := kfp.Write(again(t, p), kfp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := irdiff.Compare(got, load(t, "testdata/v1/full.ir.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		t.Error(l)
	}
}

// jsonOf returns the pipeline's document.
func jsonOf(t *testing.T, p *program.Program) []byte {
	t.Helper()
	docs, err := kfp.Documents(p, kfp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}
