package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// butFor are the files of the corpus whose IR differs where Python's own is wrong:
// how, and why (pairs.Faults).
var butFor = map[string]difference{
	"conditional_producer_and_consumers.yaml": {12, []string{
		`/root/dag/tasks/condition-4/componentRef/outputDefinitions/parameters/pipelinechannel--add-Output/parameterType: "NUMBER_INTEGER", want "LIST"`,
	}},
}

type difference struct {
	fault int
	lines []string
}

func (d difference) why() string {
	return fmt.Sprintf("but for fault %d of Python's, %s", d.fault, pairs.Faults[d.fault])
}

// TestCorpusImport: each file of the corpus becomes a Go package; all packages are
// built as one program, and each compiles to IR that is equal to the file, but for the
// faults that are declared.
func TestCorpusImport(t *testing.T) {
	files := corpusFiles(t, "imported")
	a := newAtelier(t)
	wrong := map[string][]string{}
	for _, f := range files {
		name := filepath.Base(f)
		ir, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := kfpread.Read(name, ir)
		if err == nil {
			err = a.Add(name, p, ir)
		}
		if err != nil {
			wrong[name] = []string{err.Error()}
		}
	}
	compare(t, a, wrong)
	for _, f := range files {
		name := filepath.Base(f)
		exception := ""
		if e, ok := butFor[name]; ok {
			exception = name + ": " + e.why()
			if slices.Equal(wrong[name], e.lines) {
				delete(wrong, name)
			} else {
				t.Errorf("%s: the differences are\n%s\nwant\n%s", name, strings.Join(wrong[name], "\n"), strings.Join(e.lines, "\n"))
			}
		}
		lines, bad := wrong[name]
		for _, l := range lines {
			t.Errorf("%s: %s", name, l)
		}
		tally("imported to Go, built and equal", !bad, exception)
	}
}
