// Package filelock locks files against other processes. A lock lasts until its file is
// closed or its process ends, however it does.
package filelock

import (
	"errors"
	"os"
)

// ErrHeld is the error for a lock that another process, or another open file, has.
var ErrHeld = errors.New("another process holds the lock")

// Lock locks a file, and waits for whoever has the lock.
func Lock(f *os.File) error { return lock(f, false, true) }

// TryLock locks a file, or returns [ErrHeld].
func TryLock(f *os.File) error { return lock(f, false, false) }

// TryShared takes a lock that others can share, or returns [ErrHeld].
func TryShared(f *os.File) error { return lock(f, true, false) }
