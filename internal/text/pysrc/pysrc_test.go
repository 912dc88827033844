package pysrc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/pysrc"
)

// script prints what Python's own parser finds in files, in the form of rendered.
const script = `
import ast, json, sys

def default(d):
    try:
        v = ast.literal_eval(d)
    except Exception:
        return '?'
    return json.dumps(v, ensure_ascii=False) if isinstance(v, str) else 'number' if type(v) in (int, float) else '?'

def rendered(f):
    a = f.args
    names = ['%s/' % p.arg for p in a.posonlyargs] + [p.arg for p in a.args]
    values = [None] * (len(names) - len(a.defaults)) + a.defaults
    if a.vararg:
        names, values = names + ['*' + a.vararg.arg], values + [None]
    names, values = names + [p.arg for p in a.kwonlyargs], values + a.kw_defaults
    if a.kwarg:
        names, values = names + ['**' + a.kwarg.arg], values + [None]
    params = ', '.join(n if v is None else '%s=%s' % (n, default(v)) for n, v in zip(names, values))
    doc = '\n'.join(l.rstrip() for l in (ast.get_docstring(f) or '').split('\n')).strip()
    return '%d %s(%s) %s %s' % (f.lineno, f.name, params, len(f.decorator_list), json.dumps(doc, ensure_ascii=False))

for path in sys.argv[1:]:
    with open(path, encoding='utf-8', newline='') as file:
        tree = ast.parse(file.read())
    found = [rendered(s) for s in tree.body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found += ['class ' + s.name for s in tree.body if isinstance(s, ast.ClassDef)]
    print(json.dumps(dict(path=path, found=found)))
`

func rendered(m *pysrc.Module) (found []string) {
	for _, f := range m.Functions {
		var params []string
		for _, p := range f.Params {
			text := p.Star + p.Name
			if p.Positional {
				text += "/"
			}
			switch d := p.Default; {
			case d == nil:
			case d.Kind == pysrc.Number:
				text += "=number"
			case d.Kind == pysrc.Str:
				text += "=" + quoted(d.Text)
			default:
				text += "=?"
			}
			params = append(params, text)
		}
		found = append(found, fmt.Sprintf("%d %s(%s) %d %s", f.Line, f.Name, strings.Join(params, ", "), len(f.Decorators), quoted(f.Doc)))
	}
	return found
}

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text)
	return strings.TrimSpace(b.String())
}

// TestPython: the functions and classes of Python files are those that Python itself
// finds, with their lines, parameters, defaults and docstrings. PYTHON_FILES names a
// folder with more files.
func TestPython(t *testing.T) {
	var paths []string
	for _, root := range []string{"../../..", os.Getenv("PYTHON_FILES")} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".py" {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("python3", append([]string{"-c", script}, paths...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var want struct {
			Path  string
			Found []string
		}
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(want.Path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := pysrc.Parse(string(text))
		if err != nil {
			t.Errorf("%s: %v", want.Path, err)
			continue
		}
		got := rendered(m)
		functions += len(got)
		for i, w := range want.Found {
			if name, ok := strings.CutPrefix(w, "class "); ok {
				if m.Classes[name] == nil {
					t.Errorf("%s: no class %s", want.Path, name)
				}
			} else if i >= len(got) || got[i] != w {
				t.Errorf("%s: got\n%s\nwant\n%s", want.Path, strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""), w)
				break
			}
		}
	}
	if functions < 100 {
		t.Errorf("%d files have %d functions", len(paths), functions)
	}
	t.Logf("%d functions of %d files", functions, len(paths))
}
