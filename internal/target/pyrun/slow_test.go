//go:build slow

package pyrun_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// index makes a folder that pip takes for an index, with a package tiny in two versions.
func index(t *testing.T) (url, hash string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "simple", "tiny")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	page := ""
	for _, version := range []string{"1.0", "2.0"} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, text := range map[string]string{
			"tiny.py":                        "version = '" + version + "'\n",
			"tiny-V.dist-info/METADATA":      "Metadata-Version: 2.1\nName: tiny\nVersion: " + version + "\n",
			"tiny-V.dist-info/WHEEL":         "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
			"tiny-V.dist-info/RECORD":        "tiny.py,,\n",
			"tiny-V.dist-info/top_level.txt": "tiny\n",
		} {
			f, err := z.Create(strings.Replace(name, "tiny-V", "tiny-"+version, 1))
			if err != nil {
				t.Fatal(err)
			}
			f.Write([]byte(text))
		}
		z.Close()
		file := "tiny-" + version + "-py3-none-any.whl"
		if err := os.WriteFile(filepath.Join(dir, file), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		page += "<a href=" + file + ">" + file + "</a>\n"
		if version == "1.0" {
			hash = fmt.Sprintf("sha256:%x", sha256.Sum256(b.Bytes()))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.Dir(dir), hash
}

// TestPackages has a step install packages into a virtual environment, beside
// what the image has, from an index of its own.
func TestPackages(t *testing.T) {
	url, hash := index(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	c := component("f", "out")
	py := c.Exec.Python
	py.Source = "import os, shutil, sys, tiny\n\ndef f() -> str:\n" +
		"    return '%s %s %s' % (tiny.version, shutil.which('python3') == sys.executable, sys.executable.startswith(os.environ['VIRTUAL_ENV']))\n"
	py.Function, py.Venv, py.IndexURLs = "f", true, []string{url}
	for _, tt := range []struct{ requirement, output, error string }{
		{"tiny", `{"parameterValues":{"out":"2.0 True True"},"artifacts":{}}`, ""},
		{"tiny<2", `{"parameterValues":{"out":"1.0 True True"},"artifacts":{}}`, ""},
		{"tiny==1.0 --hash=" + hash, `{"parameterValues":{"out":"1.0 True True"},"artifacts":{}}`, ""},
		{"tiny==2.0 --hash=" + hash, "", "f: pip install tiny==2.0 --hash=" + hash + ": ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"},
		{"tinier", "", "f: pip install tinier: "},
	} {
		py.Packages = []string{tt.requirement}
		output, stderr := run(t, c, `{"outputs":{"outputFile":"DIR/out/output.json"}}`)
		if output != tt.output || !strings.HasPrefix(stderr, tt.error) {
			t.Errorf("%s: got %s, %s; want %s, %s", tt.requirement, output, stderr, tt.output, tt.error)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "kfpgo-*")); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}

// TestJupyter runs a notebook with nbclient and ipykernel, from PyPI.
func TestJupyter(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := notebook(runsNotebook, "parameters:n = 1", "%time x = !echo shell\nwith open(out, 'w') as f:\n    f.write('%s %s' % (n, x[0]))")
	c.Exec.Python.Venv, c.Exec.Python.Packages = true, []string{"nbclient>=0.10,<1", "ipykernel>=6,<7", "jupyter_client>=7,<9"}
	output, stderr := run(t, c, `{"inputs":{"parameterValues":{"n":3}},"outputs":{"outputFile":"DIR/out/output.json"}}`)
	if want := `{"parameterValues":{"out":"3 shell"},"artifacts":{}}`; output != want {
		t.Errorf("got %s, %s; want %s", output, stderr, want)
	}
	c = notebook(runsNotebook, "x = 1", "1 / 0")
	c.Exec.Python.Venv, c.Exec.Python.Packages = true, []string{"nbclient>=0.10,<1", "ipykernel>=6,<7", "jupyter_client>=7,<9"}
	if _, stderr = run(t, c, `{"inputs":{"parameterValues":{"n":3}},"outputs":{}}`); !strings.HasSuffix(stderr, "nb: the notebook failed: ZeroDivisionError: division by zero\n") {
		t.Errorf("got %s", stderr)
	}
}
