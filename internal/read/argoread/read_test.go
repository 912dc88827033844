package argoread_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/argoread"
	"github.com/kfpgo/kfpgo/internal/read/raise"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestRead: what files of Argo become, as Go.
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, notes, err := argoread.Read(filepath.Base(file), data)
			if err != nil {
				t.Fatal(err)
			}
			src, err := raise.Source(p, raise.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			for _, n := range notes {
				fmt.Fprintln(&b, n)
			}
			for _, name := range slices.Sorted(maps.Keys(src)) {
				fmt.Fprintf(&b, "-- %s --\n%s", name, src[name])
			}
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".golden", b.Bytes())
			if _, err := kfp.Write(p, kfp.Options{Image: "ghcr.io/acme/steps:1"}); err != nil {
				t.Errorf("it can't be written for KFP: %v", err)
			}
		})
	}
}
