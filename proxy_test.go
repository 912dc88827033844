package kfpgo_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	modfile "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// A source is a file of the repository, as package zip wants it.
type source string

func (s source) Path() string                 { return filepath.ToSlash(string(s)) }
func (s source) Lstat() (os.FileInfo, error)  { return os.Lstat(string(s)) }
func (s source) Open() (io.ReadCloser, error) { return os.Open(string(s)) }

// serve writes the checkout into a folder that a GOPROXY of file:// can name, as
// a module proxy has it. The version that it returns is one for these bytes only.
func serve(t *testing.T, dir string) (version string) {
	t.Helper()
	var sources []zip.File
	sum := sha256.New()
	for _, path := range files(t) {
		if inNestedModule(path) {
			continue
		}
		sources = append(sources, source(path))
		fmt.Fprintln(sum, path, len(read(t, path)))
		sum.Write(read(t, path))
	}
	version = fmt.Sprintf("v0.0.1-test.h%x", sum.Sum(nil)[:8])

	at := filepath.Join(dir, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at, "list"), version+"\n")
	write(t, filepath.Join(at, version+".info"), fmt.Sprintf("{%q: %q}", "Version", version))
	write(t, filepath.Join(at, version+".mod"), string(read(t, "go.mod")))
	f, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.Create(f, modfile.Version{Path: module, Version: version}, sources); err != nil {
		t.Fatal(err)
	}
	return version
}

// inNestedModule reports whether a file is of another module below this one.
func inNestedModule(path string) bool {
	for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A release is the checkout as a version at a module proxy, with the folder that go install
// puts the command into.
type release struct {
	version, bin string
	env          []string // in which the checkout comes from the proxy and all else from the module cache

	dir, cache string
}

// published is the release of all tests, so that the command is linked once for them.
var published release

// publish returns the release, which the first test that asks for it makes.
func publish(t *testing.T) *release {
	t.Helper()
	r := &published
	if r.env != nil {
		return r
	}
	var err error
	if r.dir, err = os.MkdirTemp("", "kfpgo-release-"); err != nil {
		t.Fatal(err)
	}
	r.cache = strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE"))
	proxy := filepath.Join(r.dir, "proxy")
	r.version, r.bin = serve(t, proxy), filepath.Join(r.dir, "bin")
	r.env = []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(r.cache) + "/cache/download", "GOSUMDB=off", "GOFLAGS=-mod=mod", "GOWORK=off",
		"GOBIN=" + r.bin, "PATH=" + r.bin + string(filepath.ListSeparator) + os.Getenv("PATH"),
	}
	return r
}

// install installs the command, unless that has been done.
func (r *release) install(t *testing.T) {
	t.Helper()
	run(t, r.dir, r.env, "go", "install", module+"/cmd/kfpgo@"+r.version)
}

// remove takes the release out of the module cache.
func (r *release) remove() {
	if r.version == "" {
		return
	}
	extracted := filepath.Join(r.cache, filepath.FromSlash(module)+"@"+r.version)
	_ = filepath.WalkDir(extracted, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o777) // the cache is read-only
		}
		return nil
	})
	_ = os.RemoveAll(extracted)
	kept, _ := filepath.Glob(filepath.Join(r.cache, "cache", "download", filepath.FromSlash(module), "@v", r.version+".*"))
	for _, path := range kept {
		_ = os.Remove(path)
	}
	_ = os.RemoveAll(r.dir)
}

func TestMain(m *testing.M) {
	code := m.Run()
	published.remove()
	os.Exit(code)
}
