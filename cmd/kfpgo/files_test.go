package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/review/progdiff"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// compiledFiles returns pipelines that KFP's SDK compiled: those of the pairs, and
// those in KFPGO_CORPUS.
func compiledFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../internal/testing/pairs/python/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if dir := os.Getenv("KFPGO_CORPUS"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil || len(more) == 0 {
			t.Fatalf("no files in KFPGO_CORPUS=%s, %v", dir, err)
		}
		files = append(files, more...)
	}
	return files
}

// unreadable are files that hold what Python compiles wrongly, with the reason.
var unreadable = map[string]string{
	"deeper.yaml":    "an expression reads an input that isn't there",
	"pod-loops.yaml": "a setting in a loop reads an input that isn't there",
}

// TestFiles: what holds for each file that can be read. It is equal to itself,
// and to what is written of it; it is drawn twice in the same way; and checking it
// finds nothing that fails on a cluster, since KFP's own tests run them.
func TestFiles(t *testing.T) {
	t.Parallel()
	count := 0
	for _, file := range compiledFiles(t) {
		name := filepath.Base(file)
		p, _, err := read.File(file)
		if err != nil {
			if unreadable[name] == "" {
				t.Errorf("%v", err)
			}
			continue
		}
		if why := unreadable[name]; why != "" {
			t.Errorf("%s was read, though %s", name, why)
		}
		count++
		if changes := progdiff.Diff(p, p); len(changes) > 0 {
			t.Errorf("%s differs from itself: %v", name, changes)
		}
		written, err := kfp.Write(p, kfp.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := kfpread.Read(name, written)
		if err != nil {
			t.Errorf("%s, written again: %v", name, err)
			continue
		}
		if changes := progdiff.Diff(p, again); len(changes) > 0 {
			t.Errorf("%s differs from what was written: %v", name, changes)
		}
		for form, draw := range map[string]func(*program.Program, picture.Direction) ([]byte, error){"dot": picture.DOT, "mmd": picture.Mermaid, "svg": func(p *program.Program, to picture.Direction) ([]byte, error) { return picture.SVG(p, nil, to) }} {
			one, err := draw(p, picture.Right)
			if err != nil {
				t.Errorf("%s as %s: %v", name, form, err)
			}
			if two, _ := draw(again, picture.Right); !bytes.Equal(one, two) {
				t.Errorf("%s as %s: two pictures", name, form)
			}
		}
		for _, f := range vet.Program(p, vet.Options{}) {
			// The pairs have what no cluster would run, and one of KFP's tests a count of devices without their kind.
			if f.Level == vet.Error && f.Rule != "gpu" && name != "devices.yaml" {
				t.Errorf("%s: %s", name, f)
			}
		}
	}
	t.Logf("%d files read, compared, drawn and checked", count)
}

// TestOthers: no two files are equal, whichever way round, and no comparison
// takes long.
func TestOthers(t *testing.T) {
	t.Parallel()
	var programs []*program.Program
	for _, file := range compiledFiles(t) {
		if p, _, err := read.File(file); err == nil {
			programs = append(programs, p)
		}
	}
	for i, a := range programs {
		for _, b := range programs[:i] {
			there, back := progdiff.Diff(a, b), progdiff.Diff(b, a)
			if len(there) == 0 || len(back) == 0 {
				t.Errorf("%s and %s are equal", a.Name, b.Name)
			}
			for _, c := range there {
				if c.String() == "" {
					t.Errorf("%+v has no words", c)
				}
			}
		}
	}
}

func FuzzFiles(f *testing.F) {
	for _, file := range compiledFiles(f) {
		if b, err := os.ReadFile(file); err == nil && len(b) < 20_000 {
			f.Add(b)
		}
	}
	other, _, err := read.File("../../internal/testing/pairs/python/branches.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := kfpread.Read("fuzz.yaml", data)
		if err != nil {
			return
		}
		if changes := progdiff.Diff(p, p); len(changes) > 0 {
			t.Errorf("differs from itself: %v", changes)
		}
		progdiff.Diff(p, other)
		progdiff.Diff(other, p)
		vet.Program(p, vet.Options{})
		picture.DOT(p, picture.Right)
		picture.Mermaid(p, picture.Down)
	})
}
