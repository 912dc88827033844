package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPairs compiles the Python sides of the pairs with KFP's Python SDK, where
// KFP_PYTHON names a Python that has it, and compares the result with our IR and
// with the files that package pairs keeps.
func TestPairs(t *testing.T) {
	python := python(t)
	const kept = "../../internal/testing/pairs/python"
	out := t.TempDir()
	cmd := exec.Command(python, filepath.Join(kept, "compile.py"), "--out", out)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	if old, fresh := names(t, kept), names(t, out); !slices.Equal(old, fresh) {
		t.Errorf("kept are %q, compiled are %q", old, fresh)
	}
	for _, p := range pairs.All() {
		t.Run(p.Name, func(t *testing.T) {
			defer func() { tally("pairs equal", !t.Failed(), declared(p)) }()
			theirs, err := os.ReadFile(filepath.Join(out, p.Name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var ours []byte
			if p.Definition == nil {
				ours = compileWith(t, "./examples/"+p.Name, "kfp", "prog")
			} else if ours, err = p.Compile(); err != nil {
				t.Fatal(err)
			}
			lines, err := p.CompareWith(ours, theirs)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				t.Error(l)
			}
			kept, err := p.Python()
			if err != nil {
				t.Fatal(err)
			}
			if lines, err = (pairs.Pair{Name: p.Name}).CompareWith(kept, theirs); err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				t.Errorf("the kept file differs from what Python makes now: %s", l)
			}
		})
	}
}

// declared returns the faults of Python's that make a pair differ.
func declared(p pairs.Pair) string {
	var faults []string
	for _, e := range p.Exceptions {
		if f := fmt.Sprintf("but for fault %d of Python's", e.Fault); !slices.Contains(faults, f) {
			faults = append(faults, f)
		}
	}
	if faults == nil {
		return ""
	}
	return p.Name + ": " + strings.Join(faults, ", ")
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
	files, err := filepath.Glob("../../internal/target/kfp/testdata/*.yaml")
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
		equal := true
		for j := range ours {
			for _, l := range irdiff.Diff("", theirs[j], ours[j]) {
				t.Errorf("%s: Python reads %s", f, l)
				equal = false
			}
		}
		tally("Python loaded our IR", equal, "")
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
		skipped["pairs"], skipped["Python"], skipped["functions"] = true, true, true
		t.Skip("no Python with kfp and kfp-kubernetes 2.17.3; name one with KFP_PYTHON")
	}
	return python
}
