// Package records reads the folders of runs on this machine, also while they are running:
// which there are, their records and their logs.
//
// What a step leaves in the folder of its run isn't trusted: files are opened below the
// folder only, and only regular ones.
package records

import (
	"errors"
	"os"
	"syscall"
)

// ErrNoFile is the error of OpenRegular where a name is that of something else.
var ErrNoFile = errors.New("it is not a regular file")

// OpenRegular opens a file in a folder that must be one: a step may have left a named
// pipe, at which opening would wait, or a link out of the folder, which a Root refuses.
func OpenRegular(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: name, Err: ErrNoFile}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
