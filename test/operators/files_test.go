package operators

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// folder makes a new folder of this machine for pods, below that of the cluster.
func folder(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("DATA"), name)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t testing.TB, dir, file, text string) {
	t.Helper()
	file = filepath.Join(dir, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// eachFile calls f for the files of a folder, with their paths in it.
func eachFile(t testing.TB, dir string, f func(name string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil {
			f(name, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
