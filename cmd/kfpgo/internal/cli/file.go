package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

// WriteFile writes a result to a file, or to the standard output. A file that is
// there stays as it is until all of the new one is written.
func WriteFile(cmd *cobra.Command, file string, b []byte) error {
	if file == "" {
		_, err := Raw(cmd.OutOrStdout()).Write(b)
		return err
	}
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		return fmt.Errorf("-o: %s is a folder; give the name of a file", file)
	}
	if err == nil && !info.Mode().IsRegular() { // a pipe, a terminal or /dev/null
		return os.WriteFile(file, b, 0o644)
	}
	mode := os.FileMode(0o644)
	if err == nil {
		mode = info.Mode().Perm()
		if f, err := os.OpenFile(file, os.O_WRONLY, 0); err != nil { // a rename would ignore that it is write-protected
			return fmt.Errorf("-o: %w", err)
		} else {
			f.Close()
		}
		if real, err := filepath.EvalSymlinks(file); err == nil {
			file = real
		}
	}
	if err := atomicfile.Write(file, mode, b); err != nil {
		return fmt.Errorf("-o %s: %w", file, Cause(err))
	}
	return nil
}

// Cause strips the name of the temporary file.
func Cause(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err
	}
	return err
}
