package image_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/kfpgo/kfpgo/internal/build/image"
)

// pythonBase pushes an image that says which Python it has.
func pythonBase(t *testing.T) (ref string) {
	t.Helper()
	c, err := empty.Image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Config.Env = "linux", "amd64", []string{"PYTHON_VERSION=3.12.4"}
	base, err := mutate.ConfigFile(empty.Image, c)
	if err != nil {
		t.Fatal(err)
	}
	ref = server(t) + "/python:3"
	parsed, err := name.ParseReference(ref)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(parsed, base); err != nil {
		t.Fatal(err)
	}
	return ref
}

// fakePip is a python3 whose pip reports some wheels, and installs what it is told to
// with their hashes. It keeps the requirements that it was given.
func fakePip(t *testing.T, report string) (python, kept string) {
	t.Helper()
	dir := t.TempDir()
	kept, python = filepath.Join(dir, "kept"), filepath.Join(dir, "python3")
	for file, text := range map[string]string{
		filepath.Join(dir, "report"): report,
		python: `#!/bin/sh
dir=` + dir + `
for a; do
  case $last in --report) cp $dir/report "$a";; --target) target=$a;; -r) list=$a;; esac
  last=$a
done
case "$*" in *--dry-run*) exit 0;; esac
case "$*" in *"--no-deps --require-hashes -r"*) ;; *) echo "without hashes: $*"; exit 1;; esac
cp "$list" $dir/kept
mkdir -p $target && echo x >$target/six.py
`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return python, kept
}

const reported = `{"version": "1", "install": [
  {"download_info": {"url": "https://files.example.com/six-1.16.0-py2.py3-none-any.whl", "archive_info": {"hash": "sha256=AAA", "hashes": {"sha256": "AAA"}}}, "is_direct": false, "metadata": {"name": "six", "version": "1.16.0"}},
  {"download_info": {"url": "http://plain.example.com/idna-3-py3-none-any.whl", "archive_info": {"hash": "sha256=BBB"}}, "is_direct": false, "metadata": {"name": "idna", "version": "3"}},
  {"download_info": {"url": "https://host:8443/own-1-py3-none-any.whl", "archive_info": {"hashes": {"sha256": "CCC"}}}, "is_direct": true, "metadata": {"name": "own", "version": "1"}}]}`

// TestHashes: what is installed has the hashes of what was chosen, they stand in the
// image, and what nobody vouches for is reported.
func TestHashes(t *testing.T) {
	a, b, c := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 64)
	python, kept := fakePip(t, strings.NewReplacer("AAA", a, "BBB", b, "CCC", c).Replace(reported))
	for _, tt := range []struct {
		packages, options []string
		unverified        string
	}{
		{[]string{"six", "idna", "own @ https://host:8443/own-1-py3-none-any.whl"}, nil, "idna==3 from plain.example.com, own==1 from host:8443"},
		{[]string{"six", "idna", "own @ https://host:8443/own-1-py3-none-any.whl#sha256=" + c}, nil, "idna==3 from plain.example.com"},
		{[]string{"six"}, []string{"--index-url", "https://files.example.com/", "--trusted-host", "files.example.com"}, "idna==3 from plain.example.com, own==1 from host:8443, six==1.16.0 from files.example.com"},
		{[]string{"six==1.16.0 --hash=sha256:" + a}, nil, ""},
	} {
		img, err := image.BuildPython(t.Context(), image.Requirements{Base: pythonBase(t), Packages: tt.packages, PipOptions: tt.options, Python: python}, amd64, image.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(img.Unverified, ", "); got != tt.unverified {
			t.Errorf("%v: nobody vouches for %s, want %s", tt.packages, got, tt.unverified)
		}
		lock, err := os.ReadFile(kept)
		want := fmt.Sprintf("idna==3 --hash=sha256:%s\nown @ https://host:8443/own-1-py3-none-any.whl --hash=sha256:%s\nsix==1.16.0 --hash=sha256:%s\n", b, c, a)
		if err != nil || string(lock) != want {
			t.Errorf("pip was given %s, want %s; %v", lock, want, err)
		}
		ref, err := img.Push(t.Context(), server(t)+"/calc:python", image.Remote{})
		if err != nil {
			t.Fatal(err)
		}
		conf, err := pull(t, ref).ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := conf.Config.Labels["kfpgo.packages"], fmt.Sprintf("idna==3 --hash=sha256:%s\nown==1 --hash=sha256:%s\nsix==1.16.0 --hash=sha256:%s\n", b, c, a); got != want {
			t.Errorf("the label is %s, want %s", got, want)
		}
		if got := conf.History[len(conf.History)-1].Comment; !strings.HasPrefix(got, "pip install idna==3 --hash=sha256:b") || strings.Contains(got, "\n") {
			t.Errorf("the history has %q", got)
		}
	}
}

// TestNoHashes: a package without a hash isn't installed.
func TestNoHashes(t *testing.T) {
	for report, want := range map[string]string{
		`{"install": [{"download_info": {"url": "file:///src", "dir_info": {}}, "metadata": {"name": "own", "version": "1"}}]}`: `pip reports no SHA-256 of package "own", version "1"`,
		strings.ReplaceAll(reported, "AAA", "beef"): `no SHA-256 of package "six"`,
		`[]`: "the report of pip", "": "the report of pip",
		`{"install": [{"download_info": {"url": "https://h/x --hash=y", "archive_info": {"hash": "sha256=` + strings.Repeat("a", 64) + `"}}, "metadata": {"name": "own", "version": "1"}}]}`: "no SHA-256",
	} {
		python, kept := fakePip(t, report)
		_, err := image.BuildPython(t.Context(), image.Requirements{Base: pythonBase(t), Packages: []string{"own"}, Python: python}, amd64, image.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", report, err, want)
		}
		if _, err := os.Stat(kept); err == nil {
			t.Errorf("%s: it was installed", report)
		}
	}
}

// TestCredentials: an image with a password in the address of a package isn't built, and
// no message holds it.
func TestCredentials(t *testing.T) {
	python, _ := fakePip(t, reported)
	for name, r := range map[string]image.Requirements{
		"package": {Packages: []string{"x @ https://me:s3cret@host/x.whl"}},
		"token":   {Packages: []string{"x @ git+https://s3cret@host/x"}},
		"index":   {Packages: []string{"x"}, PipOptions: []string{"--index-url", "https://me:s3cret@host/simple"}},
	} {
		r.Base, r.Python = "localhost:1/python:3.12", python
		_, err := image.BuildPython(t.Context(), r, amd64, image.Options{})
		if err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "it holds credentials") || !strings.Contains(err.Error(), "netrc") {
			t.Errorf("%s: %v", name, err)
		}
	}
	failing := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(failing, []byte("#!/bin/sh\necho Looking in indexes: https://me:s3cret@host/simple\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := image.BuildPython(t.Context(), image.Requirements{Base: pythonBase(t), Packages: []string{"x"}, Python: failing}, amd64, image.Options{})
	if err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "https://[secret]@host") {
		t.Error(err)
	}
}
