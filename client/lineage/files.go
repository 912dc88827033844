package lineage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A File is one of the files of an artifact.
type File struct {
	Path string // below the artifact, by slashes; empty: the artifact is this file
	Size int64  // -1: not known
	Exec bool   // it is a program
	Link string // it is a symbolic link to this
	Dir  bool   // it is a folder
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// Save writes the files of an artifact to a path: a file, or a folder. What is
// there before stays until all has been read; a folder must not be there. Nothing is
// ever written elsewhere, whatever the files are called and wherever links lead.
func Save(ctx context.Context, files iter.Seq2[*File, error], to string) (err error) {
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	st, err := os.Lstat(to)
	there := err == nil
	if there && st.IsDir() {
		return fmt.Errorf("%s is a folder; name a file or folder that isn't there", to)
	}
	tmp, err := os.MkdirTemp(dir, ".kfpgo-*.part") // beside it, so that it can be renamed
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return err
	}
	defer root.Close()
	single, folder, links := false, false, map[string]bool{}
	for f, err := range files {
		switch {
		case err != nil:
			return err
		case single || f.Path == "" && folder && !f.Dir:
			return errors.New("the artifact is a file and a folder at once")
		case f.Path == "" && f.Dir:
			folder = true
			continue
		case f.Path == "":
			single = true
		default:
			folder = true
		}
		if folder && there {
			return fmt.Errorf("the artifact is a folder, and %s is there already; name one that isn't", to)
		}
		for up := path.Dir(path.Clean(f.Path)); up != "." && up != "/"; up = path.Dir(up) {
			if links[up] { // a link below it would start from elsewhere than its name says
				return fmt.Errorf("the artifact holds a file %q below a link %q", f.Path, up)
			}
		}
		links[path.Clean(f.Path)] = f.Link != ""
		if err := place(ctx, root, f); err != nil {
			return err
		}
	}
	switch {
	case single:
		return os.Rename(filepath.Join(tmp, content), to)
	case !folder:
		return ErrNothing
	case there:
		return fmt.Errorf("the artifact is a folder, and %s is there already; name one that isn't", to)
	}
	if err := root.MkdirAll(content, 0o755); err != nil {
		return err
	}
	return os.Rename(filepath.Join(tmp, content), to)
}

// ErrNothing says that an artifact has no content.
var ErrNothing = errors.New("there is nothing at the artifact's URI: it is all metadata, or was deleted")

// content is what the artifact is called while it is read.
const content = "content"

// place writes one file below the folder of all of them.
func place(ctx context.Context, root *os.Root, f *File) error {
	name := content
	if f.Path != "" {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) || strings.ContainsRune(f.Path, 0) {
			return fmt.Errorf("the artifact holds a file %q, which would be outside of it", f.Path)
		}
		name = path.Join(content, f.Path)
	}
	at := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return fmt.Errorf("file %q of the artifact: %w", f.Path, err)
	}
	switch {
	case f.Dir:
		return root.MkdirAll(at, 0o755)
	case f.Link != "":
		if path.IsAbs(f.Link) || f.Path == "" || !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(f.Path), f.Link))) {
			return fmt.Errorf("the artifact holds a link %q to %q, which leads out of it", f.Path, f.Link)
		}
		return root.Symlink(filepath.FromSlash(f.Link), at)
	}
	mode := fs.FileMode(0o644)
	if f.Exec {
		mode = 0o755
	}
	out, err := root.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fmt.Errorf("file %q of the artifact: %w", f.Path, err)
	}
	err = copyFile(ctx, out, f)
	return errors.Join(err, out.Close())
}

// copyFile copies a file's content, and checks that it is whole.
func copyFile(ctx context.Context, w io.Writer, f *File) error {
	r, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	n, err := io.Copy(w, contextReader{ctx, r})
	if err == nil && f.Size >= 0 && n != f.Size {
		err = fmt.Errorf("file %q of the artifact has %d bytes, and %d were read", f.Path, f.Size, n)
	}
	return err
}

// Print writes the content of an artifact that is one file.
func Print(ctx context.Context, files iter.Seq2[*File, error], w io.Writer) error {
	any := false
	for f, err := range files {
		switch {
		case err != nil:
			return err
		case f.Path != "" || f.Dir || f.Link != "":
			return errors.New("the artifact is a folder; say where to write it with -o FOLDER")
		}
		any = true
		if err := copyFile(ctx, w, f); err != nil {
			return err
		}
	}
	if !any {
		return ErrNothing
	}
	return nil
}

// contextReader ends with a context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
