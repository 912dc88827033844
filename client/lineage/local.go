package lineage

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// Local returns the files at a path of this machine. Links are reported as links.
func Local(root string) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		if at, err := filepath.EvalSymlinks(root); err == nil {
			root = at // the artifact may be a link as a whole: whoever made it meant that
		}
		if _, err := os.Lstat(root); os.IsNotExist(err) {
			return // it is all metadata, or was deleted
		}
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			if rel == "." {
				rel = ""
			}
			st, err := d.Info()
			if err != nil {
				return err
			}
			f := &File{Path: filepath.ToSlash(rel), Size: st.Size(), Exec: st.Mode()&0o100 != 0, Dir: d.IsDir()}
			switch {
			case st.Mode()&fs.ModeSymlink != 0:
				if f.Link, err = os.Readlink(file); err != nil {
					return err
				}
				f.Link = filepath.ToSlash(f.Link)
			case !st.Mode().IsRegular() && !d.IsDir():
				return nil // a socket or device has no content
			}
			f.Open = func(context.Context) (io.ReadCloser, error) { return os.Open(file) }
			if !yield(f, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}
