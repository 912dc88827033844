package atomicfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

// TestWriting: a failure leaves the old file, and nothing beside it.
func TestWriting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	if err := atomicfile.Write(file, 0o600, []byte("old")); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no")
	err := atomicfile.Writing(file, 0o644, func(w io.Writer) error {
		io.WriteString(w, "half")
		return failure
	})
	b, _ := os.ReadFile(file)
	info, _ := os.Stat(file)
	all, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
	hidden, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	if !errors.Is(err, failure) || string(b) != "old" || info.Mode().Perm() != 0o600 || len(all)+len(hidden) != 1 {
		t.Errorf("%v: %q %v %q %q", err, b, info.Mode(), all, hidden)
	}
	if err := atomicfile.Write(file, 0o644, []byte("new")); err != nil {
		t.Fatal(err)
	}
	b, _ = os.ReadFile(file)
	if info, _ := os.Stat(file); string(b) != "new" || info.Mode().Perm() != 0o644 {
		t.Errorf("%q %v", b, info.Mode())
	}
}
