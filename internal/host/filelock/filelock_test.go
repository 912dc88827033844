package filelock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/host/filelock"
)

// TestLocks: which second lock of a file is refused, and that closing gives a lock back.
func TestLocks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	for name, c := range map[string]struct {
		first, second func(*os.File) error
		want          error
	}{
		"waits, one":     {filelock.Lock, filelock.TryLock, filelock.ErrHeld},
		"one, one":       {filelock.TryLock, filelock.TryLock, filelock.ErrHeld},
		"one, shared":    {filelock.TryLock, filelock.TryShared, filelock.ErrHeld},
		"shared, shared": {filelock.TryShared, filelock.TryShared, nil},
		"shared, one":    {filelock.TryShared, filelock.TryLock, filelock.ErrHeld},
	} {
		t.Run(name, func(t *testing.T) {
			f, g := open(), open()
			if err := c.first(f); err != nil {
				t.Fatal(err)
			}
			if err := c.second(g); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			f.Close()
			if err := c.second(g); err != nil {
				t.Errorf("after the first is closed: %v", err)
			}
			g.Close()
		})
	}
}
