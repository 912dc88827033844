package oracle

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTwins compiles the twins in Python of examples/twins with KFP's SDK. The files that
// are kept for kfpgo diff, twin.yaml, must be what it writes.
func TestTwins(t *testing.T) {
	python := python(t)
	files, err := filepath.Glob("../../examples/twins/*/twin.py")
	if err != nil || len(files) != 5 {
		t.Fatalf("found %d twins, want 5: %v", len(files), err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "twin.yaml")
			cmd := exec.Command(python, "-W", "ignore", "-c", "from kfp.cli.__main__ import main; main()",
				"dsl", "compile", "--py", "twin.py", "--function", "pipeline", "--output", out)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0") // the SDK writes defaults in the order of their hashes
			if msg, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, msg)
			}
			ir, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "twin.yaml")
			if *update {
				if err := os.WriteFile(file, ir, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			kept, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(kept), string(ir)); diff != "" {
				t.Errorf("%s isn't what twin.py compiles to (-kept +compiled); go test -run TestTwins -update writes it:\n%s", file, diff)
			}
		})
	}
}
