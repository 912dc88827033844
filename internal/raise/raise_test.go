package raise_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/golden"
	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/irdiff"
	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/pairs"
	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/raise"
)

// image is that of Go steps, whose functions no program has.
const image = "prog"

// TestPairs: the programs of all pairs become Go, all packages are built as one
// program, and each compiles to the IR that it came from.
func TestPairs(t *testing.T) {
	a := newAtelier(t)
	for _, p := range pairs.All() {
		if p.Definition == nil {
			continue
		}
		g := dsl.Graph(p.Definition)
		prog, err := lower.Lower(g, g.Component(1))
		if err != nil {
			t.Fatal(err)
		}
		a.add(t, p.Name, prog, write(t, prog))
	}
	t.Logf("imported %d/%d", a.compare(t), len(a.names))
}

// TestGolden: what the source of each construct looks like.
func TestGolden(t *testing.T) {
	for _, name := range []string{
		"after", "branches", "calc", "collected", "deep", "exit", "importer", "loops", "nested", "options", "texts", "values", "volumes",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := pairs.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			g := dsl.Graph(p.Definition)
			prog, err := lower.Lower(g, g.Component(1))
			if err != nil {
				t.Fatal(err)
			}
			files, err := raise.Source(prog, raise.Options{Image: image})
			if err != nil {
				t.Fatal(err)
			}
			var a txtar.Archive
			for _, file := range slices.Sorted(maps.Keys(files)) {
				a.Files = append(a.Files, txtar.File{Name: file, Data: files[file]})
			}
			golden.Check(t, filepath.Join("testdata", name+".txtar"), txtar.Format(&a))
		})
	}
}

func write(t *testing.T, p *program.Program) []byte {
	t.Helper()
	ir, err := kfp.Write(p, kfp.Options{Image: image})
	if err != nil {
		t.Fatal(err)
	}
	return ir
}

// An atelier builds packages that were raised as one program.
type atelier struct {
	dir   string
	names []string // of pipelines, in order
	want  map[string][]byte
}

func newAtelier(t *testing.T) *atelier {
	t.Helper()
	a := &atelier{dir: t.TempDir(), want: map[string][]byte{}}
	if keep := os.Getenv("RAISE_KEEP"); keep != "" {
		a.dir = keep
	}
	return a
}

// add raises a program to a package.
func (a *atelier) add(t *testing.T, name string, p *program.Program, ir []byte) {
	t.Helper()
	files, err := raise.Source(p, raise.Options{Package: pkg(len(a.names)), Image: image})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	dir := filepath.Join(a.dir, pkg(len(a.names)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range files {
		for _, ir := range []string{"pipelinechannel", "{{$"} {
			if strings.HasSuffix(file, ".go") && bytes.Contains(text, []byte(ir)) {
				t.Errorf("%s: %s holds text of IR: %s", name, file, ir)
			}
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a.names = append(a.names, name)
	a.want[name] = ir
}

func pkg(i int) string { return fmt.Sprintf("p%03d", i) }

// compare builds all packages, and compares the IR of each.
func (a *atelier) compare(t *testing.T) (equal int) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var imports, graphs strings.Builder
	for i, name := range a.names {
		fmt.Fprintf(&imports, "\t%q\n", "imported/"+pkg(i))
		fmt.Fprintf(&graphs, "\tout[%q] = dsl.Graph(%s.Pipeline)\n", name, pkg(i))
	}
	main := fmt.Sprintf("package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n\n\t\"github.com/kfpgo/kfpgo/dsl\"\n%s)\n\n"+
		"func main() {\n\tout := map[string]any{}\n%s\tjson.NewEncoder(os.Stdout).Encode(out)\n}\n", &imports, &graphs)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "\n")
	requires += fmt.Sprintf("\nrequire github.com/kfpgo/kfpgo v0.0.0\nreplace github.com/kfpgo/kfpgo => %s\n", root)
	for file, text := range map[string]string{"main.go": main, "go.mod": "module imported\n" + requires, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(a.dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range a.names {
		if lines := a.diff(got[name], a.want[name]); len(lines) > 0 {
			t.Errorf("%s:\n%s", name, strings.Join(lines, "\n"))
			continue
		}
		equal++
	}
	return equal
}

// diff compiles a graph and lists where its IR differs.
func (a *atelier) diff(g json.RawMessage, want []byte) []string {
	gr, err := graph.Read(bytes.NewReader(g))
	if err != nil {
		return []string{err.Error()}
	}
	p, err := lower.Lower(gr, gr.Component(1))
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	ir, err := kfp.Write(p, kfp.Options{Image: image})
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	lines, err := irdiff.Compare(ir, want)
	if err != nil {
		return []string{err.Error()}
	}
	return slices.Clip(lines)
}
