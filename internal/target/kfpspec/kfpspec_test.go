package kfpspec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// TestComplete reads what KFP's Python SDK writes, refusing unknown fields, and
// writes it again: nothing may be lost. KFPGO_CORPUS names a folder with more.
func TestComplete(t *testing.T) {
	files, err := filepath.Glob("../../testing/pairs/python/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if corpus := os.Getenv("KFPGO_CORPUS"); corpus != "" {
		err := filepath.WalkDir(corpus, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".yaml") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		// A text to PyYAML, and a number to other readers.
		b = bytes.ReplaceAll(b, []byte("value: 1e3\n"), []byte("value: '1e3'\n"))
		docs, err := irdiff.Read(b)
		if err != nil || docs[0]["pipelineInfo"] == nil {
			continue // not IR: components and Workflows are in the corpus too
		}
		n++
		again(t, f, docs[0], &kfpspec.PipelineSpec{})
		if len(docs) > 1 {
			again(t, f, docs[1], &kfpspec.PlatformSpec{})
		}
	}
	t.Logf("%d files", n)
	if n == 0 {
		t.Error("no IR among the files")
	}
}

func again(t *testing.T, name string, doc map[string]any, into any) {
	t.Helper()
	j, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(j))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Errorf("%s: more than one value", name)
	}
	out, err := json.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for _, l := range irdiff.Diff("", got, doc) {
		t.Errorf("%s: %s", name, l)
	}
}
