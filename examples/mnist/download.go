package mnist

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/dsl"
)

type DownloadIn struct {
	URL dsl.Param[string]
}

type DownloadOut struct {
	Train, Test dsl.Dataset // folders with the files images and labels
}

// Download fetches MNIST, through the cache that is mounted at /cache.
var Download = dsl.Func("download", download, dsl.Retry(3))

func download(ctx context.Context, in DownloadIn, out *DownloadOut) error {
	for set, to := range map[string]dsl.Dataset{"train": out.Train, "t10k": out.Test} {
		for file, name := range map[string]string{"images-idx3": "images", "labels-idx1": "labels"} {
			url := fmt.Sprintf("%s/%s-%s-ubyte.gz", in.URL.Get(), set, file)
			cached := filepath.Join(dsl.MountPath("/cache"), filepath.Base(url))
			if _, err := os.Stat(cached); err != nil {
				if err := fetch(ctx, url, cached); err != nil {
					return err
				}
			}
			if err := unzip(cached, filepath.Join(to.Path(), name)); err != nil {
				return err
			}
		}
		to.SetMetadata("source", in.URL.Get())
	}
	return nil
}

func fetch(ctx context.Context, url, file string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	if err := write(resp.Body, file+".part"); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

func unzip(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return write(r, to)
}

func write(r io.Reader, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(f, r); err != nil {
		return err
	}
	return f.Close()
}
