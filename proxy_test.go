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

// fromProxy is the environment in which the checkout comes from the proxy and all
// else from the module cache. The version is taken out of the cache afterwards.
func fromProxy(t *testing.T, dir, version string) []string {
	t.Helper()
	cache := strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE"))
	t.Cleanup(func() {
		extracted := filepath.Join(cache, filepath.FromSlash(module)+"@"+version)
		_ = filepath.WalkDir(extracted, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				_ = os.Chmod(path, 0o777) // the cache is read-only
			}
			return nil
		})
		_ = os.RemoveAll(extracted)
		kept, _ := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(module), "@v", version+".*"))
		for _, path := range kept {
			_ = os.Remove(path)
		}
	})
	return []string{"GOPROXY=file://" + filepath.ToSlash(dir) + ",file://" + filepath.ToSlash(cache) + "/cache/download", "GOSUMDB=off", "GOFLAGS=-mod=mod", "GOWORK=off"}
}
