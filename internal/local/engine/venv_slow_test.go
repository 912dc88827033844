//go:build slow

package engine_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// wheel writes a Python package of one module, which pip installs without a
// network.
func wheel(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+"-1.0-py3-none-any.whl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	info := name + "-1.0.dist-info/"
	for _, part := range [][2]string{
		{name + ".py", text},
		{info + "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n"},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{info + "RECORD", name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"},
	} {
		w, err := z.Create(part[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(part[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPackages installs what a step names for pip and what its image would have,
// once for both of two steps at a time, and says so while it does.
func TestPackages(t *testing.T) {
	step := dsl.Python[textIn, textOut]("uses", dsl.PythonSource{
		Source:   "def uses(text: str) -> str:\n    import kfpgo_one, kfpgo_two\n    return text + kfpgo_one.word + kfpgo_two.word\n",
		Function: "uses", Image: "python:3.12",
		Packages:      []string{wheel(t, "kfpgo_one", "word = ' one'\n")},
		LocalPackages: []string{wheel(t, "kfpgo_two", "word = ' two'\n")},
	})
	p := dsl.Pipeline("packages", func(s *dsl.Scope, in textIn) textOut {
		step.Call(s, textIn{dsl.Const("other")})
		return step.Call(s, in).Out
	})
	var lock sync.Mutex
	var said []string
	o := engine.Options{Home: t.TempDir(), Parallel: 2, Observe: func(t run.Task) {
		lock.Lock()
		defer lock.Unlock()
		if t.State == run.Running && t.Reason != "" && !slices.Contains(said, t.Reason) {
			said = append(said, t.Reason)
		}
	}}
	r := start(t, t.Context(), p, o, `{"text":"with"}`)
	if got := string(r.Outputs["text"]); got != `"with one two"` {
		t.Errorf("%s, %s", got, r.Error)
	}
	if len(said) != 1 {
		t.Errorf("said %q", said)
	}
	if made, err := filepath.Glob(filepath.Join(o.Home, "venvs", "*", "complete")); err != nil || len(made) != 1 {
		t.Errorf("environments %v, %v", made, err)
	}
	for _, task := range r.Tasks {
		if task.Reason != "" {
			t.Errorf("%s is left with %q", task.Path, task.Reason)
		}
	}
}
