package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

const src = "testdata/src"

func TestWrite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	if err := write(src, "testdata/pending", out); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "kept/kept.go.md"))
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/kept.go.md", page)
	files, err := filepath.Glob(filepath.Join(out, "*/*"))
	if err != nil || len(files) != 1 {
		t.Errorf("wrote %v, %v; want kept.go.md only", files, err)
	}
	if err := write(src, "testdata/pending", out); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a second call into the same folder: %v", err)
	}
}

// TestLines checks that a text has the line in Markdown that it has in the source.
func TestLines(t *testing.T) {
	code, err := os.ReadFile(filepath.Join(src, "kept/kept.go"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := words("kept.go", code)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(page), "\n")
	for i, want := range strings.Split(string(code), "\n") {
		for _, text := range []string{"is told", "kfpgo run", "how often", "two lines of", "A comment", "beside it", "of two lines that", "not ok"} {
			if strings.Contains(want, text) && !strings.Contains(lines[i], text) {
				t.Errorf("line %d is %q, without %q", i+1, lines[i], text)
			}
		}
	}
}

func TestPending(t *testing.T) {
	if _, err := excluded("../../..", "pending"); err != nil {
		t.Error(err)
	}
	gone := filepath.Join(t.TempDir(), "pending")
	if err := os.WriteFile(gone, []byte("pending\nkept/gone.go\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := excluded(src, gone); err == nil || !strings.Contains(err.Error(), "pending:2: kept/gone.go is not in the repository") {
		t.Errorf("a list with a file that doesn't exist: %v", err)
	}
}

func TestMistakes(t *testing.T) {
	if _, err := words("bad.go", []byte("package")); err == nil {
		t.Error("a file that doesn't parse: no error")
	}
}
