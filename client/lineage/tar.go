package lineage

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Tar returns the files of an archive that holds one file or folder, as Argo keeps
// artifacts; it may be compressed by gzip. The archive is read as the files are, so
// each must be read before the next one is asked for.
func Tar(ctx context.Context, open func(context.Context) (io.ReadCloser, error)) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		raw, err := open(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer raw.Close()
		in, err := unzipped(raw)
		if err != nil {
			yield(nil, err)
			return
		}
		top, r := "", tar.NewReader(in)
		for n := 0; ; n++ {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var f *File
			if err == nil {
				f, err = entry(h, r, &top, n)
			} else {
				err = fmt.Errorf("the archive of the artifact: %w", err)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if f != nil && !yield(f, nil) {
				return
			}
		}
	}
}

// unzipped looks if a stream is compressed.
func unzipped(raw io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(raw, 64<<10)
	if head, _ := b.Peek(2); string(head) != "\x1f\x8b" {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("the archive of the artifact: %w", err)
	}
	return z, nil
}

// entry returns what an entry of an archive is, without the name of the folder that
// holds all; nil for one that is about the archive.
func entry(h *tar.Header, r io.Reader, top *string, n int) (*File, error) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
	switch {
	case first == "" || first == ".." || strings.HasPrefix(h.Name, "/"):
		return nil, fmt.Errorf("the artifact's archive holds %q, which would be outside of it", h.Name)
	case n > 0 && first != *top:
		return nil, fmt.Errorf("the artifact's archive holds more than one file or folder: %q and %q", *top, first)
	}
	*top = first
	f := &File{Path: strings.TrimRight(rest, "/"), Size: h.Size, Exec: h.Mode&0o100 != 0}
	switch h.Typeflag {
	case tar.TypeReg:
		f.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(r), nil }
	case tar.TypeDir:
		f.Dir = true
	case tar.TypeSymlink:
		f.Link = h.Linkname
	case tar.TypeLink:
		return nil, fmt.Errorf("the artifact's archive holds a hard link %q to %q, which kfpgo doesn't make", h.Name, h.Linkname)
	default:
		return nil, nil // a device, or what is about the archive
	}
	return f, nil
}
