package pyfunc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/pyfunc"
	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/hostile"
)

// source returns a folder with a Python file.
func source(t testing.TB, text string) stepfunc.Source {
	t.Helper()
	dir := t.TempDir()
	save(t, filepath.Join(dir, "f.py"), text)
	return stepfunc.Source{Dir: dir, From: dir, Files: []string{"f_py.go"}}
}

func save(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// made returns the Go file for a Python file.
func made(t testing.TB, src stepfunc.Source, name string, taken map[string]string) string {
	t.Helper()
	f, err := pyfunc.Read(src, name, taken)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Bytes("p", taken)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestGolden: what is written for functions of all kinds, also where the package has
// the name of package dsl.
func TestGolden(t *testing.T) {
	src := stepfunc.Source{Dir: "testdata", From: "testdata"}
	text := made(t, src, "features.py", nil)
	golden.Check(t, "testdata/features.golden", []byte(text))
	other := made(t, src, "features.py", map[string]string{"dsl": "x.go"})
	if !strings.Contains(other, "dsl2 \""+"github.com/kfpgo/kfpgo/dsl\"") || strings.Contains(other, " dsl.") {
		t.Errorf("the package declares dsl:\n%s", other)
	}
}

// TestRefuse: all mistakes are reported at once, at their lines.
func TestRefuse(t *testing.T) {
	_, err := pyfunc.Read(stepfunc.Source{Dir: "testdata", From: "testdata"}, "refuse.py", map[string]string{"TakenIn": "x.go", "refusePy": "y.go"})
	if err == nil {
		t.Fatal("no error")
	}
	golden.Check(t, "testdata/refuse.golden", []byte(err.Error()+"\n"))
}

// TestWhich: which functions of a file are steps.
func TestWhich(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"annotated", "def a(x: int): pass\ndef b() -> str: pass\ndef c(x): pass\ndef d(): pass\ndef _e(x: int): pass\n@cache\ndef f(x: int): pass", "A B"},
		{"decorated", "def a(x: int): pass\n@dsl.component\ndef b(): pass\n@kfp.dsl.component(base_image='x')\ndef c(): pass", "B C"},
		{"another name", "from kfp.dsl import component as step\n@step\ndef a(): pass\ndef b(x: int): pass", "A"},
		{"marked", "def a(x: int): pass\n# kfpgo:step\ndef b(): pass\n#kfpgo:step c2\n@cache\ndef c(): pass", "B C"},
		{"in a string", "'''\ndef a(x: int): pass\n'''\ndef b(x: int): pass", "B"},
		{"in brackets", "x = (\n'''\n''',\n[lambda: 1\n])\ndef b(x: int): pass", "B"},
		{"in another", "if True:\n  def a(x: int): pass\nclass C:\n  def a(self, x: int): pass\ndef b(x: int):\n  def c(x: int): pass\n", "B"},
		{"a string in a string", "def a(x: int):\n  return f'{x[\"#\"]:>{\"'\"}}' + f\"{x[\"y\"]!r}\" + f'{x:#\"}'\ndef b(x: int): pass", "A B"},
		{"Windows", "\ufeffdef a(x: int):\r\n    '''Doc.'''\r\n\r\n\\\r\ndef b(x: int): pass\r\n", "A B"},
		{"generic", "def a[T: (int, str)](x: int): pass", "A"},
		{"one half", "def a(x: int, y): pass", "f.py:1: function a: parameter y has no type; write y: str, or the type that it has"},
		{"none", "def a(x): pass", "f.py has no function that is a step; give the parameters and the result of a function types, or write @dsl.component or # kfpgo:step above it"},
		{"not Python", "def a(x: int:\n  pass", "f.py:1: not Python: ( isn't closed"},
		{"an open string", "x = 1\ny = '\n", "f.py:2: not Python: a string isn't closed"},
		{"another bracket", "x = (]", "f.py:1: not Python: ] closes no bracket"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := source(t, c.text)
			f, err := pyfunc.Read(src, "f.py", nil)
			if err != nil {
				if err.Error() != c.want {
					t.Errorf("%v; want %s", err, c.want)
				}
				return
			}
			b, err := f.Bytes("p", nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, line := range strings.Split(string(b), "\n") {
				if name, _, ok := strings.Cut(line, " = dsl.Python["); ok {
					names = append(names, strings.TrimPrefix(name, "var "))
				}
			}
			if got := strings.Join(names, " "); got != c.want || f.Steps != len(names) {
				t.Errorf("%s, %d steps; want %s", got, f.Steps, c.want)
			}
		})
	}
}

// TestMany: types and values that double with each name are refused.
func TestMany(t *testing.T) {
	var text strings.Builder
	for i := range 18 {
		fmt.Fprintf(&text, "T%d = Union[T%d, T%d, None]\nV%d = [V%d, V%d]\nL%d = List[L%d]\n", i, i+1, i+1, i, i+1, i+1, i, i+1)
	}
	text.WriteString("T18 = int\nV18 = 1\nL18 = int\ndef f(a: T0, b: list = V0, c: L0 = None): pass\n")
	_, err := pyfunc.Read(source(t, text.String()), "f.py", nil)
	if err == nil || strings.Count(err.Error(), "too deep or too long") != 3 {
		t.Errorf("%v", err)
	}
}

// TestNames: the names of files.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"_f.py", ".py", "a b.py", "ä.py", "f.txt", "x\n.py"} {
		if _, err := pyfunc.Read(stepfunc.Source{Dir: dir, From: dir}, name, nil); err == nil || !strings.Contains(err.Error(), "rename it") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := pyfunc.Read(stepfunc.Source{Dir: dir, From: dir}, "no.py", nil); err == nil || err.Error() != "there is no file no.py" {
		t.Errorf("%v", err)
	}
	if got := pyfunc.From([]byte(pyfunc.Header("a-b_2.py") + "x")); got != "a-b_2.py" {
		t.Errorf("the header has the file %q", got)
	}
	if got := pyfunc.From([]byte(stepfunc.Header)); got != "" {
		t.Errorf("the header of Go steps has the file %q", got)
	}
}

const fn = `RATE = 0.5

@dsl.component(base_image='python:3.12')
def f(a: int, rate: float = RATE) -> str:
    """F is a step."""
    return ''

@dsl.component
def g(): pass

def helper(x): pass
`

// TestStale: each change that makes another step is found, and no other.
func TestStale(t *testing.T) {
	src := source(t, fn)
	if err := pyfunc.Stale(src); err != nil {
		t.Errorf("without the file: %v", err)
	}
	text := made(t, src, "f.py", nil)
	save(t, filepath.Join(src.Dir, "f_py.go"), text)
	src.From = filepath.Dir(src.Dir)
	base := filepath.Base(src.Dir)
	run := "; run: kfpgo gen steps " + base + "/f.py"
	changed := base + "/f.py:4: function f has another signature, docstring or decorator than when its step was written to f_py.go" + run
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"body", "return ''", "return 'x'", ""},
		{"spaces", "(a: int, rate", "(\n  a:int,  # a\n  rate", ""},
		{"quotes", "'python:3.12'", `"python:" "3.12"`, ""},
		{"helper", "helper(x)", "helper(x: int, *y)", ""},
		{"type", "a: int", "a: str", changed},
		{"name", "a: int", "b: int", changed},
		{"default", "RATE = 0.5", "RATE = 0.6", changed},
		{"result", "-> str", "-> int", changed},
		{"docstring", "F is", "F was", changed},
		{"decorator", "3.12", "3.13", changed},
		{"one more", "def helper", "# kfpgo:step\ndef helper", base + "/f.py:12: function helper: parameter x has no type; write x: str, or the type that it has"},
		{"two more", "def helper(x)", "# kfpgo:step\ndef helper()", base + "/f.py:12: f_py.go has no step for function helper" + run},
		{"one less", "@dsl.component\ndef g", "def g", base + "/f_py.go:36: function g of f.py is not a step any more" + run},
		{"a mistake", "a: int", "*a", base + "/f.py:4: function f: *a can't be an input, since it has no name of its own; write a parameter with a list or dict"},
		{"not Python", "(a: int", "((a: int", base + "/f.py:4: not Python: ( isn't closed"},
	} {
		text := strings.Replace(fn, c.old, c.new, 1)
		if text == fn && c.old != "" {
			t.Fatalf("%s: %q isn't there", c.name, c.old)
		}
		save(t, filepath.Join(src.Dir, "f.py"), text)
		got := ""
		if err := pyfunc.Stale(src); err != nil {
			got = filepath.ToSlash(err.Error())
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if err := os.Remove(filepath.Join(src.Dir, "f.py")); err != nil {
		t.Fatal(err)
	}
	want := base + "/f_py.go:1: the file was generated from f.py, which isn't there any more; remove the file, or generate that of the new name with kfpgo gen steps"
	if err := pyfunc.Stale(src); err == nil || filepath.ToSlash(err.Error()) != want {
		t.Errorf("without the Python file: %v", err)
	}
}

// FuzzRead: whatever a file holds, it makes mistakes or a Go file that isn't stale.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"features.py", "refuse.py"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	for _, text := range hostile.Texts {
		f.Add("# kfpgo:step " + text + "\ndef f(a: str = '" + text + "'):\n  '''" + text + "'''\n")
	}
	f.Add("def f(a: " + strings.Repeat("List[", 200) + "int" + strings.Repeat("]", 200) + ", b=" + strings.Repeat("(", 200) + strings.Repeat(")", 200) + "): pass")
	f.Add("A = B\nB = A\ndef f(a: A, b: int = B) -> B: pass")
	f.Fuzz(func(t *testing.T, text string) {
		src := source(t, text)
		read, err := pyfunc.Read(src, "f.py", nil)
		if err != nil {
			return
		}
		b, err := read.Bytes("p", nil)
		if err != nil {
			t.Fatal(err)
		}
		save(t, filepath.Join(src.Dir, "f_py.go"), string(b))
		if err := pyfunc.Stale(src); err != nil {
			t.Errorf("what was just written is stale: %v\n%s", err, b)
		}
	})
}
