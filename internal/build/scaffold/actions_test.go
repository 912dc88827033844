package scaffold_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/scaffold"
)

var (
	uses   = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*(.*)$`)
	pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// TestActions: an action in a file that kfpgo writes, or shows in its docs, is named by
// its commit, with the release as a comment. A tag can be moved.
func TestActions(t *testing.T) {
	n := 0
	look := func(dir string) {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range uses.FindAllStringSubmatch(string(b), -1) {
				if n++; !pinned.MatchString(strings.TrimSpace(m[1])) {
					t.Errorf("%s: uses: %s: it is not OWNER/NAME@COMMIT # vX.Y.Z", path, m[1])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tmpl := range scaffold.Templates {
		dir := filepath.Join(t.TempDir(), "digits")
		if err := scaffold.Write(dir, &scaffold.Project{Template: tmpl.Name, Name: "digits", Module: "example.com/digits", Go: "1.26", Version: "v0.1.0"}); err != nil {
			t.Fatal(err)
		}
		before := n
		if look(dir); n == before {
			t.Errorf("%s: no action was found", tmpl.Name)
		}
	}
	look("../../../docs")
}
