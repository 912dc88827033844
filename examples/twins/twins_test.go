// Package twins_test compares pipelines in Go with their twins in Python.
package twins_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// twins are the folders here, and the files that people wrote. kfpgo_steps.go isn't
// counted: the command wrote it.
var twins = []struct {
	dir        string
	what       string
	ours, hera []string
}{
	{dir: "batch", what: "batch inference: a parallel loop, collected metrics, a condition and an exit handler", ours: []string{"pipeline.go"}},
	{dir: "gputrain", what: "training on a GPU: a claim, a secret, a toleration, retries, a timeout and an optional checkpoint", ours: []string{"pipeline.go"}, hera: []string{"hera_twin.py"}},
	{dir: "features", what: "Python, Go and a container, in a sub-pipeline that is used twice", ours: []string{"pipeline.go", "features.py"}},
	{dir: "sweep", what: "a sweep over two parameters, and a condition for the deployment", ours: []string{"pipeline.go"}},
	{dir: "quality", what: "data quality every night: the date of the run, catch-up and backfill", ours: []string{"pipeline.go"}},
}

// How much longer than Python the Go of a twin may be, and all of it.
const (
	mostOfOne = 2.0
	mostOfAll = 1.7
)

// TestCounts counts lines and tokens, and keeps the table of README.md.
func TestCounts(t *testing.T) {
	total := func(dir string, files []string) (all size) {
		for _, f := range files {
			all = all.plus(sizeOf(t, dir+"/"+f))
		}
		return all
	}
	var table strings.Builder
	table.WriteString("| pipeline | lines: Go | Python | ratio | tokens: Go | Python | ratio |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	row := func(name string, g, p size, limit float64) {
		lines, tokens := float64(g.lines)/float64(p.lines), float64(g.tokens)/float64(p.tokens)
		fmt.Fprintf(&table, "| %s | %d | %d | %.2f | %d | %d | %.2f |\n", name, g.lines, p.lines, lines, g.tokens, p.tokens, tokens)
		if max(lines, tokens) > limit {
			t.Errorf("%s: Go has %.2f times the lines of Python and %.2f times the tokens; at most %.1f are allowed", name, lines, tokens, limit)
		}
	}
	var ours, theirs size
	var hera []string
	for _, w := range twins {
		g, p := total(w.dir, w.ours), total(w.dir, []string{"twin.py"})
		ours, theirs = ours.plus(g), theirs.plus(p)
		row(fmt.Sprintf("[%s](%[1]s/pipeline.go), %s", w.dir, w.what), g, p, mostOfOne)
		if w.hera != nil {
			h := total(w.dir, w.hera)
			hera = append(hera, fmt.Sprintf("Hera's twin of %s has %d lines and %d tokens.", w.dir, h.lines, h.tokens))
		}
	}
	row("all", ours, theirs, mostOfAll)
	page(t, table.String()+"\n"+strings.Join(hera, "\n")+"\n")
}

// page compares the part of README.md that the counts are in, or writes it with -update.
func page(t *testing.T, counts string) {
	t.Helper()
	const begin, end = "<!-- counts -->\n", "<!-- end of counts -->\n"
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md doesn't have the lines %q and %q", begin, end)
	}
	golden.Check(t, "README.md", []byte(before+begin+counts+end+after))
}
