package pyrun_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// notebook returns a component that runs cells as a notebook.
func notebook(source string, cells ...string) *program.Component {
	var b strings.Builder
	b.WriteString(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {}, "source": "# %magic"}`)
	for _, c := range cells {
		tags := ""
		if c, ok := strings.CutPrefix(c, "parameters:"); ok {
			tags = `"tags": ["parameters"]`
			b.WriteString(`, {"cell_type": "code", "metadata": {` + tags + `}, "outputs": [], "source": ` + quoted(c) + `}`)
			continue
		}
		b.WriteString(`, {"cell_type": "code", "metadata": {}, "outputs": [], "source": [` + quoted(c) + `]}`)
	}
	b.WriteString("]}")
	return &program.Component{Name: "nb", Outputs: []program.Port{{Name: "out", Type: graph.Type{Name: "STRING"}}},
		Exec: &program.Executor{Python: &program.Python{Source: source, Function: "nb", Notebook: "nb.ipynb", Files: []graph.File{
			{Name: "nb.ipynb", Data: []byte(b.String())},
			{Name: "lib/__init__.py", Data: []byte("three = 3\n")},
			{Name: "data.txt", Data: []byte("beside")},
		}}}}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

const runsNotebook = `
def nb(n: int, out: OutputPath(str)):
    dsl.run_notebook(n=n, out=out, text="it's \\ \n é {}", list=[1, None, True, {'a': 0.5}])
`

// TestNotebook runs notebooks as plain Python.
func TestNotebook(t *testing.T) {
	for _, tt := range []struct {
		name          string
		cells         []string
		output, error string
	}{
		{"parameters", []string{"first = 1", "parameters:n, out = 5, '/nowhere'", "import lib\nwith open(out, 'w') as f:\n    f.write('%s %s %s %s %s' % (n, text, list, lib.three, first))"},
			"3 it's \\ \n é {} [1, None, True, {'a': 0.5}] 3 1", ""},
		{"no tag", []string{"with open(out, 'w') as f:\n    f.write(open('data.txt').read())"}, "beside", ""},
		{"looks", []string{"%matplotlib inline\n%load_ext autoreload\nif True:\n    %autoreload 2\nx = '''\n%not magic\n'''", "%%time\nopen(out, 'w').write(x)", "x;", "None", "n"}, "\n%not magic\n", ""},
		{"await", []string{"import asyncio\nawait asyncio.sleep(0)", "async def f():\n    return 'x'\nopen(out, 'w').write(await f())"}, "x", ""},
		{"main", []string{"if __name__ == '__main__':\n    open(out, 'w').write('main')"}, "main", ""},
		{"error", []string{"x = 1", "def f(a):\n    return a / 0\n\nf(x)"}, "", "nb: the notebook failed: ZeroDivisionError: division by zero in cell 2, line 2 (return a / 0)\n"},
		{"syntax", []string{"x = = 1"}, "", "nb: the notebook failed: SyntaxError: invalid syntax (<cell 1>, line 1) in cell 1, line 1\n"},
		{"shell", []string{"x = 1\n!ls"}, "", `nb: cell 1 of the notebook has '!ls', which needs IPython; add nbclient>=0.10,<1 and ipykernel>=6,<7 to PythonSource.Packages` + "\n"},
		{"pip", []string{"%pip install numpy"}, "", `nb: cell 1 of the notebook has '%pip install numpy', which needs IPython; name the packages in PythonSource.Packages` + "\n"},
		{"exit", []string{"import sys\nsys.exit(3)"}, "", "nb: sys.exit(3) before the outputs were written\n"},
	} {
		output, stderr := run(t, notebook(runsNotebook, tt.cells...), `{"inputs":{"parameterValues":{"n":3}},"outputs":{"outputFile":"DIR/out/output.json"}}`)
		want := ""
		if tt.error == "" {
			want = `{"parameterValues":{"out":` + quoted(tt.output) + `},"artifacts":{}}`
		}
		if output != want || stderr != tt.error {
			t.Errorf("%s: got %s, %s; want %s, %s", tt.name, output, stderr, want, tt.error)
		}
	}
}

// TestEmbedded: files are beside the step, and only where they belong.
func TestEmbedded(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	c := notebook("import lib\n\n\ndef nb(folder: dsl.EmbeddedInput[Dataset]) -> str:\n    import os\n" +
		"    return '%s %s %s' % (lib.three, sorted(os.listdir(folder.path)), type(folder).__name__)\n")
	c.Exec.Python.Notebook = ""
	output, stderr := run(t, c, `{"outputs":{"outputFile":"DIR/out/output.json"}}`)
	if want := `{"parameterValues":{"out":"3 ['data.txt', 'lib', 'nb.ipynb'] Dataset"},"artifacts":{}}`; output != want {
		t.Errorf("got %s, %s; want %s", output, stderr, want)
	}
	c.Exec.Python.Source = "def nb() -> str:\n    dsl.run_notebook(a=1)\n"
	if _, stderr = run(t, c, `{"outputs":{}}`); !strings.Contains(stderr, "dsl.run_notebook works in the function of a notebook component only") {
		t.Errorf("got %s", stderr)
	}
	c.Exec.Python.Source, c.Exec.Python.Files = "def nb(folder: dsl.EmbeddedInput[Dataset]): pass", nil
	if _, stderr = run(t, c, `{"outputs":{}}`); stderr != "nb: EmbeddedInput was specified but no file goes along with the step\n" {
		t.Errorf("got %s", stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "kfpgo-*")); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}
