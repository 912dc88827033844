package digits

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tries is how often a file is fetched before its error counts, and pause the
// time before the second try. It doubles after that.
const tries = 3

var pause = time.Second

// fetchIDX puts one file into the folder: NAME.gz or NAME of the source.
func fetchIDX(ctx context.Context, source string, f File, dir string) error {
	return retry(ctx, func() error {
		r, err := open(ctx, source, f.Name+".gz")
		if err == nil {
			defer r.Close()
			return f.unzip(r, dir)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		r, plain := open(ctx, source, f.Name)
		if plain != nil {
			return err
		}
		defer r.Close()
		return f.save(r, dir)
	})
}

// retry tries again, unless what is wanted is not there.
func retry(ctx context.Context, try func() error) (err error) {
	wait := pause
	for n := 1; ; n++ {
		if err = try(); err == nil || n == tries || ctx.Err() != nil || errors.Is(err, fs.ErrNotExist) {
			return err
		}
		fmt.Printf("%v; trying again in %v\n", err, wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// open opens a file of a source: of a folder on the web or on this machine.
func open(ctx context.Context, source, name string) (io.ReadCloser, error) {
	if !strings.HasPrefix(source, "http://") && !strings.HasPrefix(source, "https://") {
		return os.Open(filepath.Join(strings.TrimPrefix(source, "file://"), name))
	}
	url := source
	if name != "" {
		url = strings.TrimSuffix(source, "/") + "/" + name
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: %w", url, fs.ErrNotExist)
	}
	return nil, fmt.Errorf("%s: %s", url, resp.Status)
}

// unzip saves what is packed in r.
func (f File) unzip(r io.Reader, dir string) error {
	z, err := gzip.NewReader(bufio.NewReader(r))
	if err != nil {
		return f.wrong("is not a gzip file, or a truncated one: %w", err)
	}
	return f.save(z, dir)
}

// save writes a file to the folder, if its size and SHA-256 are right.
func (f File) save(r io.Reader, dir string) error {
	path := filepath.Join(dir, f.Name)
	out, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	defer os.Remove(path + ".part")
	defer out.Close()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), io.LimitReader(r, f.Size+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || err == nil && n < f.Size:
		return f.wrong("is truncated: %d of %d bytes", n, f.Size)
	case err != nil:
		return f.wrong("can't be read: %w", err)
	case n > f.Size:
		return f.wrong("is not MNIST's: it has more than %d bytes", f.Size)
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != f.SHA256 {
		return f.wrong("is not MNIST's: its SHA-256 is %s, not %s", got, f.SHA256)
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

func (f File) wrong(format string, args ...any) error {
	return fmt.Errorf(f.Name+" "+format, args...)
}
