package oracle

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/irdiff"
	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/kfpread"
	"github.com/kfpgo/kfpgo/internal/program"
)

// TestReadModule reads the pipelines in the test data of KFP's Go module, and
// writes the same again from the program's JSON alone.
func TestReadModule(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/kubeflow/pipelines").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSpace(string(out))
	found := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" && ext != ".json" {
			return nil
		}
		b, err := os.ReadFile(path)
		if err == nil && isIR(b) {
			found++
			name, _ := filepath.Rel(dir, path)
			t.Run(filepath.ToSlash(name), func(t *testing.T) { readAgain(t, "KFP's module", name, b) })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 84 {
		t.Errorf("%d pipelines in %s", found, dir)
	}
}

// TestReadCorpus does so with what KFP's SDK compiled, which isn't in the repository.
func TestReadCorpus(t *testing.T) {
	dir := os.Getenv("KFPGO_CORPUS")
	if dir == "" {
		skipped["corpus"] = true
		t.Skip("KFPGO_CORPUS names no folder with pipelines that KFP compiled")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.yaml in %s: %v", dir, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) { readAgain(t, "corpus", filepath.Base(file), b) })
	}
}

// isIR reports whether a file looks like a pipeline of the version that KFP 2 has.
func isIR(b []byte) bool {
	if !bytes.Contains(b, []byte("pipelineInfo")) || !bytes.Contains(b, []byte("schemaVersion")) {
		return false
	}
	docs, err := irdiff.Read(b)
	return err == nil && docs[0]["pipelineInfo"] != nil && docs[0]["schemaVersion"] == "2.1.0"
}

// readAgain reads a file and compares what is written of it. Of the file's bytes
// nothing is left then.
func readAgain(t *testing.T, of, name string, file []byte) {
	p, err := kfpread.Read(name, file)
	tally(of+" read", err == nil, "")
	if err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var q program.Program
	if err := json.Unmarshal(j, &q); err != nil {
		t.Fatal(err)
	}
	lines, err := differences(&q, file)
	if err != nil {
		lines = append(lines, err.Error())
	}
	tally(of+" written", len(lines) == 0, "")
	for _, l := range lines {
		t.Error(l)
	}
	for _, c := range p.Residue {
		if whole := len(c.Path) <= 3 && bytes.HasPrefix(c.Set, []byte("{")); whole || c.Form() == "" {
			t.Errorf("the program has no word for /%s: %s", strings.Join(c.Path, "/"), c.Set)
		}
	}
}

func differences(p *program.Program, file []byte) ([]string, error) {
	b, err := kfp.Write(p, kfp.Options{})
	if err != nil {
		return nil, err
	}
	got, err := irdiff.Read(b)
	if err != nil {
		return nil, err
	}
	want, err := irdiff.Read(file)
	if err != nil {
		return nil, err
	}
	if len(got) != len(want) {
		return []string{"another number of documents"}, nil
	}
	var lines []string
	for i := range want {
		lines = append(lines, irdiff.Diff("", got[i], want[i])...)
	}
	return lines, nil
}
