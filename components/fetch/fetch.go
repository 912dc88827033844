// Package fetch gets data from addresses into artifacts, and checks its digest.
//
//	fetch.File.Call(s, fetch.FileIn{URL: dsl.Const("https://example.org/mnist.npz"), Digest: dsl.Const("sha256:731c5ac6…")})
//
// It comes from the web, or from a bucket (s3://, gs://) with the credentials of
// the step's environment; k8s.SecretEnv puts them there. What the pipeline's own
// launcher has credentials for is an artifact already: dsl.Import takes it, and
// Verify checks it. OCI gets the files of an image or artifact in a registry.
package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/net/web"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// FileIn is a file on the web or in a bucket.
type FileIn struct {
	URL     dsl.Param[string] `kfp:"url" doc:"https://, http://, s3://BUCKET/KEY or gs://BUCKET/OBJECT"`
	Digest  dsl.Param[string] `doc:"sha256: and 64 hexadecimal digits; any: whatever is there"`
	Tries   dsl.Param[int]    `default:"5" check:"min=1"`
	Timeout dsl.Param[string] `default:"1h" doc:"of each try" check:"duration"`
}

// FileOut is the file.
type FileOut struct {
	Data   dsl.Dataset
	Digest dsl.Param[string]
	Bytes  dsl.Param[int]
}

var digestForm = lazyregexp.New(`^(sha256:[0-9a-f]{64}|any)$`)

// File fetches a file. A connection that breaks is taken up where it broke, if
// the server can, and what has another digest is an error.
//
// Of s3:// it takes AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
// AWS_REGION and AWS_ENDPOINT_URL, as AWS's tools do; of gs:// the service account
// of the pod on Google's clusters, or GOOGLE_OAUTH_ACCESS_TOKEN. Without any, the
// bucket must be open to all.
var File = work.Check(dsl.Func("fetch", func(ctx context.Context, in FileIn, out *FileOut) error {
	timeout, err := time.ParseDuration(in.Timeout.Get())
	if err != nil {
		return fmt.Errorf("input timeout: %w", err)
	}
	at, err := locate(ctx, in.URL.Get(), os.Getenv)
	if err != nil {
		return fmt.Errorf("input url: %s: %w", in.URL.Get(), err)
	}
	f, err := out.Data.Create()
	if err != nil {
		return err
	}
	defer f.Close()
	d := &download{place: at, to: f, sum: sha256.New(), client: web.Client(nil, timeout)}
	for try := 1; ; try++ {
		again, err := d.more(ctx)
		if err == nil {
			break
		}
		if !again || try >= in.Tries.Get() || ctx.Err() != nil {
			return fmt.Errorf("%s: %w", d.url, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %v; try %d of %d\n", d.url, err, try+1, in.Tries.Get())
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(time.Second<<min(try, 5), 30*time.Second) / 4):
		}
	}
	got := "sha256:" + hex.EncodeToString(d.sum.Sum(nil))
	if want := in.Digest.Get(); want != "any" && got != want {
		return fmt.Errorf("%s: %d bytes with the digest %s, and %s is wanted", d.url, d.size, got, want)
	}
	out.Digest.Set(got)
	out.Bytes.Set(int(d.size))
	return f.Close()
}), func(c *work.Call) {
	if u, ok := work.Arg[string](c, "url"); ok {
		if scheme, _, _ := strings.Cut(u, "://"); !slices.Contains([]string{"http", "https", "s3", "gs"}, scheme) {
			c.Errorf("input url: %q begins with none of https://, http://, s3:// and gs://; for others use dsl.Import, and fetch.OCI for a registry", u)
		}
	}
	checkDigest(c)
})

func checkDigest(c *work.Call) {
	if d, ok := work.Arg[string](c, "digest"); ok && !digestForm.MatchString(d) {
		c.Errorf("input digest: %q is not of the form sha256: and 64 hexadecimal digits, nor any", d)
	}
}

// A download is a file of which there is a part.
type download struct {
	place
	to     *os.File
	sum    hash.Hash
	size   int64
	client *http.Client
}

// more fetches the missing rest.
func (d *download) more(ctx context.Context) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", d.url, nil)
	if err != nil {
		return false, err
	}
	if d.size > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.size))
	}
	if err := d.allow(req); err != nil {
		return false, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return true, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusOK: // from the start, whatever was asked for
		if _, err := d.to.Seek(0, io.SeekStart); err != nil {
			return false, err
		}
		if err := d.to.Truncate(0); err != nil {
			return false, err
		}
		d.sum.Reset()
		d.size = 0
	case resp.StatusCode == http.StatusPartialContent && d.size > 0:
		if from := fmt.Sprintf("bytes %d-", d.size); !strings.HasPrefix(resp.Header.Get("Content-Range"), from) {
			return false, fmt.Errorf("the server sends another part: %s", resp.Header.Get("Content-Range"))
		}
	default:
		busy := resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests
		why, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return busy, fmt.Errorf("the server answers %s: %s", resp.Status, bytes.TrimSpace(why))
	}
	n, err := io.Copy(io.MultiWriter(d.to, d.sum), resp.Body)
	d.size += n
	return true, err
}

// VerifyIn is an artifact and what it must be.
type VerifyIn struct {
	Data   dsl.Any
	Digest dsl.Param[string] `doc:"sha256: and 64 hexadecimal digits; of a folder that of its names and files in order"`
}

// VerifyOut is its digest.
type VerifyOut struct{ Digest dsl.Param[string] }

// Verify checks the digest of an artifact.
var Verify = work.Check(dsl.Func("verify-digest", func(ctx context.Context, in VerifyIn, out *VerifyOut) error {
	got, err := Digest(in.Data.Path())
	if err != nil {
		return err
	}
	out.Digest.Set(got)
	if want := in.Digest.Get(); want != "any" && got != want {
		return fmt.Errorf("%s has the digest %s, and %s is wanted", in.Data.URI(), got, want)
	}
	return ctx.Err()
}), checkDigest)

// Digest returns the digest of a file, or of a folder: that of a line for each
// file in it, digest and name, sorted by name.
func Digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return fileDigest(path)
	}
	h := sha256.New()
	err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		d, err := fileDigest(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(path, p)
		fmt.Fprintf(h, "%s  %s\n", d, filepath.ToSlash(rel))
		return err
	})
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), err
}

func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), err
}
