// Package components uses components that were written for KFP, with types. The
// packages below it are ready-made components for systems that people run on
// Kubernetes.
package components

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/source"
	"github.com/kfpgo/kfpgo/internal/net/web"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A Source is where the file of a component is.
type Source struct {
	name string // for messages
	read func() ([]byte, error)
}

// Bytes is a file that the program holds, usually from go:embed. The name is for
// messages.
func Bytes(name string, data []byte) Source {
	return Source{name, func() ([]byte, error) {
		if len(data) == 0 {
			return nil, fmt.Errorf("%s: it is empty; is there a line //go:embed %s in front of its variable?", name, name)
		}
		return data, nil
	}}
}

// File is a file that is read when the pipeline is defined. A relative name
// starts at the folder of the Go file that the line is in.
func File(name string) Source {
	at := name
	if pos := source.Caller(); !filepath.IsAbs(name) && pos.File != "" {
		at = filepath.Join(filepath.Dir(pos.File), name)
	}
	return Source{name, func() ([]byte, error) {
		f, err := os.Open(at)
		if err != nil {
			return nil, fmt.Errorf("%w; a program that runs elsewhere than its sources are holds the file with go:embed and components.Bytes", err)
		}
		defer f.Close()
		return io.ReadAll(io.LimitReader(f, kfpread.MaxSize+1))
	}}
}

// digestForm is how a digest is written.
var digestForm = lazyregexp.New(`^sha256:[0-9a-f]{64}$`)

// URL is a file on a web server. What is there must have the digest, sha256: and
// 64 hexadecimal digits, so that a component can't change under a pipeline. It is
// fetched once, and then kept in the user's cache folder.
//
//	components.URL("https://example.org/train/component.yaml", "sha256:9f86d08…")
func URL(url, digest string) Source {
	return Source{url, func() ([]byte, error) {
		if !digestForm.MatchString(digest) {
			return nil, fmt.Errorf("%s: the digest %q is not of the form sha256: and 64 hexadecimal digits", url, digest)
		}
		if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
			return nil, fmt.Errorf("%s: not an address of the form https://", url)
		}
		kept := ""
		if dir, err := os.UserCacheDir(); err == nil {
			kept = filepath.Join(dir, "kfpgo", "components", strings.TrimPrefix(digest, "sha256:")+path.Ext(url))
			if data, err := os.ReadFile(kept); err == nil && sum(data) == digest {
				return data, nil
			}
		}
		data, err := fetch(url)
		if err != nil {
			return nil, err
		}
		if got := sum(data); got != digest {
			return nil, fmt.Errorf("%s: the file has the digest %s, and the line has %s; check the changes before you use it", url, got, digest)
		}
		keep(kept, data)
		return data, nil
	}}
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(h[:])
}

func fetch(url string) ([]byte, error) {
	resp, err := web.Client(nil, 30*time.Second).Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: the server answers %s", url, resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, kfpread.MaxSize+1))
}

// keep writes a file to the cache. An error is ignored.
func keep(file string, data []byte) {
	if file != "" && os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		_ = atomicfile.Write(file, 0o600, data)
	}
}
