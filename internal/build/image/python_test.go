package image

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// installed is a folder as pip leaves it, on a machine with its Python somewhere.
func installed(t *testing.T, python string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"six.py":                       "x = 1\n",
		"__pycache__/six.cpython.pyc":  python,
		"bin/tool":                     "#!" + python + "\nimport six\n",
		"six-1.dist-info/RECORD":       "six.py,sha256=a,6\n../../bin/tool,sha256=" + python + ",9\n",
		"six-1.dist-info/METADATA":     "Name: six\n",
		"pkg/lib/__pycache__/more.pyc": python,
		"pkg/lib/native.so":            "ELF",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "bin/tool"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestPackages: a layer of packages is the same wherever pip ran.
func TestPackages(t *testing.T) {
	var digests []string
	for _, python := range []string{"/usr/bin/python3", "/opt/python/versions/3.11/bin/python3.11"} {
		files, err := packageFiles(installed(t, python))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(f.name, "pycache") || strings.Contains(string(f.text), python) {
				t.Errorf("%s: %s", f.name, f.text)
			}
			if strings.HasSuffix(f.name, "/bin/tool") && f.mode != 0o755 || strings.HasSuffix(f.name, ".py") && f.mode != 0o644 {
				t.Errorf("%s: mode %o", f.name, f.mode)
			}
		}
		if !slices.IsSortedFunc(files[3:], func(a, b file) int {
			return strings.Compare(strings.ReplaceAll(a.name, "/", "\x00"), strings.ReplaceAll(b.name, "/", "\x00"))
		}) {
			t.Errorf("not sorted: %v", files)
		}
		l, err := filesLayer(files, types.OCILayer)
		if err != nil {
			t.Fatal(err)
		}
		d, err := l.Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, d.String())
	}
	if digests[0] != digests[1] {
		t.Error(digests)
	}
}

// TestPythonVersion finds out which Python a base has.
func TestPythonVersion(t *testing.T) {
	for _, c := range []struct{ ref, env, want string }{
		{"anything", "PYTHON_VERSION=3.12.4", "3.12"},
		{"docker.io/library/python:3.11-slim", "PATH=/", "3.11"},
		{"gcr.io/distroless/python3.9:nonroot", "PATH=/", "3.9"},
		{"debian:12", "PATH=/", "doesn't say which Python it has"},
	} {
		got, err := pythonVersion(c.ref, &v1.ConfigFile{Config: v1.Config{Env: []string{c.env}}})
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: %s, want %s", c.ref, c.env, got, c.want)
		}
	}
}

// TestVariables: the packages come first, and what the base has stays.
func TestVariables(t *testing.T) {
	got := prepend([]string{"A=b", "PATH=/usr/bin"}, "PATH", "/x", "/bin")
	got = prepend(got, "PYTHONPATH", "/y", "")
	if want := []string{"A=b", "PATH=/x:/usr/bin", "PYTHONPATH=/y"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
