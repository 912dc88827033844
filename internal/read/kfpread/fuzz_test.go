package kfpread_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// seeds adds the pipelines that Python compiled to a fuzz target.
func seeds(f *testing.F, globs ...string) {
	f.Helper()
	f.Add([]byte(good))
	n := 0
	for _, g := range globs {
		files, err := filepath.Glob(g)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			if n++; len(b) < 30_000 {
				f.Add(b)
			}
		}
	}
	if n == 0 {
		f.Fatalf("no seeds in %s", globs)
	}
}

// texts matches a difference between YAML 1.1, in which 1e3 is a text, and 1.2.
var texts = regexp.MustCompile(`: "[-+0-9.eE]+", want [-+0-9.eE]+$`)

// FuzzRead reads whatever bytes: it neither panics nor hangs, and what it
// takes for a pipeline can be written, as what it was.
func FuzzRead(f *testing.F) {
	seeds(f, "../../testing/pairs/python/*.yaml", "testdata/v1/full.ir.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := kfpread.Read("fuzz.yaml", data)
		if err != nil {
			return
		}
		b, err := kfp.Write(again(t, p), kfp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.IR == nil || p.IR.SDKVersion == "" {
			return // a component of KFP 1 becomes something else
		}
		want, err := irdiff.Read(data)
		if err != nil {
			return // the other reader is stricter
		}
		got, err := irdiff.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if want[i] == nil {
				return // an empty document
			}
			for _, line := range irdiff.Diff("", got[i], want[i]) {
				if !texts.MatchString(line) {
					t.Error(line)
				}
			}
		}
	})
}

// FuzzOldComponent does so for components of KFP 1.
func FuzzOldComponent(f *testing.F) {
	seeds(f, "testdata/v1/full.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := kfpread.Read("fuzz.yaml", data)
		if err != nil {
			return
		}
		if _, err := kfp.Write(again(t, p), kfp.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
