package child_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// starts are the files that start programs in another way than this package, and why.
var starts = map[string]string{
	"client/internal/gateway/auth.go":       "a token's command may ask for a password, and only the group in front may read the terminal; ctrl-C ends that whole",
	"cmd/kfpgo/internal/schedule/local.go":  "the run of a schedule goes on when serve ends",
	"internal/local/ui/start.go":            "a run that was started from a page goes on when the server ends",
	"components/gitclone/gitclone.go":       "a step's programs stay in its group, which ends with the step",
	"components/gpucheck/gpucheck.go":       "a step's programs stay in its group, which ends with the step",
	"internal/tool/compare/main.go":         "it is for make bench",
	"internal/tool/compare/steps.go":        "it is for make bench",
	"internal/tool/gendocs/main.go":         "it is for make docs",
	"internal/testing/depcheck/depcheck.go": "it is for tests",
	"internal/testing/atelier/atelier.go":   "it is for tests",
	"internal/host/child/child.go":          "it is how",
	"internal/host/child/guard_unix.go":     "it is how",
}

// TestPlaces: what starts programs leaves none behind, or says why it may.
func TestPlaces(t *testing.T) {
	used := map[string]bool{}
	for _, dir := range []string{"client", "cmd", "compiler", "components", "dsl", "internal", "local"} {
		err := filepath.WalkDir(filepath.Join("../../..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			src, err := os.ReadFile(path)
			name := strings.TrimPrefix(filepath.ToSlash(path), "../../../")
			for _, call := range []string{"exec.Command(", "exec.CommandContext(", "os.StartProcess("} {
				if strings.Contains(string(src), call) {
					used[name] = true
				}
			}
			if used[name] && starts[name] == "" {
				t.Errorf("%s starts a program; use child.Command and child.Run, so that what that starts ends with it", name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range starts {
		if !used[name] {
			t.Errorf("%s doesn't any more", name)
		}
	}
}
