package oracle

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/atelier"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

const kfpModule = "github.com/kubeflow/pipelines"

// moduleDir is where the sources of a Go module are.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// corpus is the folder with what KFP's SDK compiled. Without one the test is skipped,
// and the summary says so.
func corpus(t *testing.T, part string) string {
	t.Helper()
	dir := os.Getenv("KFPGO_CORPUS")
	if dir == "" {
		skipped[part] = true
		t.Skip("KFPGO_CORPUS names no folder with pipelines that KFP compiled")
	}
	return dir
}

// corpusFiles are those at the top of the corpus.
func corpusFiles(t *testing.T, part string) []string {
	t.Helper()
	dir := corpus(t, part)
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.yaml in KFPGO_CORPUS=%s: %v", dir, err)
	}
	return files
}

// A source is IR that KFP's SDK wrote, and the name of its file.
type source struct {
	name string
	ir   []byte
}

// sources returns the pipelines in a folder.
func sources(t *testing.T, dir string) []source {
	t.Helper()
	var found []source
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".yaml" && ext != ".yml" && ext != ".json" {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && isIR(b) {
			name, _ := filepath.Rel(dir, path)
			found = append(found, source{filepath.ToSlash(name), b})
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d pipelines in %s, %v", len(found), dir, err)
	}
	return found
}

// isIR reports whether a file looks like a pipeline of the version that KFP 2 has.
func isIR(b []byte) bool {
	if !bytes.Contains(b, []byte("pipelineInfo")) || !bytes.Contains(b, []byte("schemaVersion")) {
		return false
	}
	docs, err := irdiff.Read(b)
	return err == nil && docs[0]["pipelineInfo"] != nil && docs[0]["schemaVersion"] == "2.1.0"
}

// newAtelier returns one that makes packages of this repository.
func newAtelier(t *testing.T) *atelier.Atelier {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return atelier.New(t.TempDir(), repo)
}

// compare adds what differs to what is wrong with files already, by their names.
func compare(t *testing.T, a *atelier.Atelier, wrong map[string][]string) {
	t.Helper()
	differ, err := a.Compare()
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(wrong, differ)
}
