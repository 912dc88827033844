package run

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/kfpgo/kfpgo/internal/host/filelock"
)

// lockFile is locked as long as the process of a run lives.
const lockFile = "lock"

// Hold marks the run in a folder as running, until the returned lock is closed
// or this process ends, whatever ends it. Where files can't be locked, nothing is
// marked: a run doesn't fail for that.
func Hold(dir string) *os.File {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	if filelock.TryLock(f) != nil {
		f.Close()
		return nil
	}
	return f
}

// Gone reports whether the process of the run in a folder is known to have ended. Of
// a run that isn't marked nothing is known.
func Gone(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return !errors.Is(filelock.TryShared(f), filelock.ErrHeld)
}
