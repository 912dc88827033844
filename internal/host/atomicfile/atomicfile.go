// Package atomicfile replaces files at once: who reads one sees the old content or the
// new, and a failure leaves the old.
package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write replaces a file, in a folder that is there.
func Write(file string, mode os.FileMode, data []byte) error {
	return Writing(file, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteIn is Write in folders that it makes.
func WriteIn(file string, mode os.FileMode, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return Write(file, mode, data)
}

// Writing replaces a file by what a function writes.
func Writing(file string, mode os.FileMode, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	err = write(tmp)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
