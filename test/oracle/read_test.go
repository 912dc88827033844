package oracle

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// TestReadModule reads the pipelines in the test data of KFP's Go module, and
// writes the same again from the program's JSON alone.
func TestReadModule(t *testing.T) {
	dir := moduleDir(t, kfpModule)
	all := sources(t, dir)
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) { readAgain(t, "KFP's module", s.name, s.ir) })
	}
	if len(all) < 84 {
		t.Errorf("%d pipelines in %s", len(all), dir)
	}
}

// TestReadCorpus does so with what KFP's SDK compiled, which isn't in the repository.
func TestReadCorpus(t *testing.T) {
	for _, file := range corpusFiles(t, "corpus") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) { readAgain(t, "corpus", filepath.Base(file), b) })
	}
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
