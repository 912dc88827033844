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
	mode := os.FileMode(0o644)
	switch info, err := os.Stat(file); {
	case err != nil:
	case info.IsDir():
		return fmt.Errorf("-o: %s is a folder; give the name of a file", file)
	case !info.Mode().IsRegular(): // a pipe, a terminal or /dev/null
		return os.WriteFile(file, b, 0o644)
	default:
		mode = info.Mode().Perm()
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil { // a rename would ignore that it is write-protected
			return fmt.Errorf("-o: %w", err)
		}
		f.Close()
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
