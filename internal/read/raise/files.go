package raise

import (
	"os"
	"path/filepath"
)

// WriteFiles writes the files of a package to a folder, which is made if it isn't
// there. Names may have slashes in them.
func WriteFiles(dir string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
