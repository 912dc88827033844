package oracle

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/irdiff"
)

// TestPairs compiles the Python sides of the pairs with KFP's Python SDK, where
// KFP_PYTHON names a Python that has it, and compares the result with the files
// that package pairs compares with.
func TestPairs(t *testing.T) {
	python := python(t)
	const kept = "../../internal/pairs/python"
	out := t.TempDir()
	cmd := exec.Command(python, filepath.Join(kept, "compile.py"), "--out", out)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	old, fresh := names(t, kept), names(t, out)
	if !slices.Equal(old, fresh) {
		t.Errorf("kept are %q, compiled are %q", old, fresh)
	}
	for _, name := range fresh {
		t.Run(name, func(t *testing.T) {
			got, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(kept, name))
			if err != nil {
				t.Fatal(err)
			}
			lines, err := irdiff.Compare(got, want)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				t.Error(l)
			}
		})
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	return files
}

// TestLoad has the Python SDK load our goldens, with a reader of YAML 1.1 that
// must find in them what ours does.
func TestLoad(t *testing.T) {
	python := python(t)
	files, err := filepath.Glob("../../internal/kfp/testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	cmd := exec.Command(python, append([]string{"testdata/load.py"}, files...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(files) {
		t.Fatalf("%d files, %d lines", len(files), len(lines))
	}
	for i, f := range files {
		var theirs []map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &theirs); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := irdiff.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(ours) != len(theirs) {
			t.Errorf("%s: %d documents, Python reads %d", f, len(ours), len(theirs))
			continue
		}
		for j := range ours {
			for _, l := range irdiff.Diff("", theirs[j], ours[j]) {
				t.Errorf("%s: Python reads %s", f, l)
			}
		}
	}
}

// python returns a Python with KFP's SDK, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	python := cmp.Or(os.Getenv("KFP_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import kfp, kfp.kubernetes").Run(); err != nil {
		if os.Getenv("KFP_PYTHON") != "" {
			t.Fatalf("KFP_PYTHON=%s has no kfp: %v", python, err)
		}
		t.Skip("no Python with kfp and kfp-kubernetes 2.17.3; name one with KFP_PYTHON")
	}
	return python
}
