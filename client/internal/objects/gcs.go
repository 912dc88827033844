package objects

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// GCS returns the files below a key of Google Cloud Storage, with the credential that
// Google's own programs would take: GOOGLE_APPLICATION_CREDENTIALS, that of gcloud,
// or the machine's. Without one nothing is sent, which is enough for what is public.
// STORAGE_EMULATOR_HOST names another server, as for those programs.
func GCS(ctx context.Context, bucket, key string) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) {
		g := &gcs{base: "https://storage.googleapis.com", http: web.Client(nil, 0)}
		if host := os.Getenv("STORAGE_EMULATOR_HOST"); host != "" {
			if !strings.Contains(host, "://") {
				host = "http://" + host
			}
			g.base = strings.TrimRight(host, "/")
		} else if creds, err := google.FindDefaultCredentials(ctx, "https://www.googleapis.com/auth/devstorage.read_only"); err == nil {
			g.http, g.known = web.Stay(oauth2.NewClient(ctx, creds.TokenSource)), true
		}
		g.base += "/storage/v1/b/" + url.PathEscape(bucket) + "/o"
		g.bucket, key = bucket, strings.TrimRight(key, "/")
		if key != "" {
			o := &gcsObject{}
			switch err := g.get(ctx, "/"+url.PathEscape(key), o); status(err) {
			case 0:
				if err != nil {
					yield(nil, err)
				} else {
					o.Name = key
					yield(g.file(o, ""), nil)
				}
				return
			case http.StatusNotFound:
				key += "/"
			default:
				yield(nil, err)
				return
			}
		}
		g.list(ctx, key, yield)
	}
}

type gcs struct {
	base, bucket string
	http         *http.Client
	known        bool // there is a credential
}

type gcsObject struct{ Kind, Name, Size string }

// A gcsError is an answer that is an error.
type gcsError struct {
	status int
	text   string
}

func (e *gcsError) Error() string { return e.text }

func status(err error) int {
	if e, ok := err.(*gcsError); ok {
		return e.status
	}
	return 0
}

func (g *gcs) list(ctx context.Context, key string, yield func(*lineage.File, error) bool) {
	for o, err := range paging.All(ctx, "", func(ctx context.Context, token string) ([]gcsObject, string, error) {
		q := url.Values{"prefix": {key}, "fields": {"items(name,size),nextPageToken"}}
		if token != "" {
			q.Set("pageToken", token)
		}
		var page struct {
			Kind          string
			Items         []gcsObject
			NextPageToken string
		}
		err := g.get(ctx, "?"+q.Encode(), &page)
		return page.Items, page.NextPageToken, err
	}) {
		var unending *paging.Error
		if errors.As(err, &unending) {
			err = fmt.Errorf("bucket %s at Google: %w", g.bucket, err)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		f := g.file(&o, strings.TrimPrefix(o.Name, key))
		if strings.HasSuffix(o.Name, "/") {
			f = &lineage.File{Path: strings.TrimRight(f.Path, "/"), Dir: true} // stands for an empty folder
		}
		if !yield(f, nil) {
			return
		}
	}
}

func (g *gcs) file(o *gcsObject, path string) *lineage.File {
	size, err := strconv.ParseInt(o.Size, 10, 64)
	if err != nil {
		size = -1
	}
	return &lineage.File{Path: path, Size: size, Open: func(ctx context.Context) (io.ReadCloser, error) {
		res, err := g.ask(ctx, "/"+url.PathEscape(o.Name)+"?alt=media")
		if err != nil {
			return nil, err
		}
		return res.Body, nil
	}}
}

func (g *gcs) get(ctx context.Context, path string, into any) error {
	res, err := g.ask(ctx, path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	if err == nil {
		err = web.Decode(res.Header, b, into)
	}
	if err != nil {
		return fmt.Errorf("bucket %s at Google: %w", g.bucket, err)
	}
	return nil
}

// ask returns a response that isn't an error, for the caller to close.
func (g *gcs) ask(ctx context.Context, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := g.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("bucket %s at Google: %w", g.bucket, web.Bare(err))
	}
	if res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	var said struct{ Error struct{ Message string } }
	_ = json.NewDecoder(io.LimitReader(res.Body, web.MaxError)).Decode(&said)
	text := fmt.Sprintf("bucket %s at Google: %s", g.bucket, cmp.Or(said.Error.Message, res.Status))
	if res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden {
		if text += "; the credential of this machine may not read it"; !g.known {
			text = strings.Replace(text, "the credential of this machine may not read it", "there is no credential: gcloud auth application-default login makes one, or set GOOGLE_APPLICATION_CREDENTIALS", 1)
		}
	}
	return nil, &gcsError{res.StatusCode, text}
}
