// Package objects reads files and folders from the stores in which clusters keep
// artifacts: S3 and what speaks as it does, Google's, and the web.
package objects

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// S3 is a store that speaks S3.
type S3 struct {
	Endpoint  string // HOST[:PORT] or URL; empty: Amazon's
	From      string // the variable of the environment that the endpoint is of, if it is of one
	Plain     bool   // by HTTP without TLS
	Region    string
	AccessKey string // without it those of the environment and of Amazon's files and machines are tried
	SecretKey string
	Session   string // token beside the keys
	Dial      func(ctx context.Context, network, address string) (net.Conn, error)
}

// Files returns the files below a key: one with an empty path if there is an object
// of that name.
func (s *S3) Files(ctx context.Context, bucket, key string) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) {
		c, err := s.client()
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.close()
		fail := func(err error) error { return s.explain(err, bucket, key) }
		key = strings.TrimRight(key, "/")
		open := func(key string) func(context.Context) (io.ReadCloser, error) {
			return func(ctx context.Context) (io.ReadCloser, error) {
				o, err := c.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
				if err != nil {
					return nil, fail(err)
				}
				return o, nil
			}
		}
		if key != "" {
			o, err := c.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
			if err == nil {
				yield(&lineage.File{Size: o.Size, Open: open(key)}, nil)
				return
			}
			if code := minio.ToErrorResponse(err).Code; code != "NoSuchKey" && code != "NotFound" {
				yield(nil, fail(err))
				return
			}
			key += "/"
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // ends the listing if nobody asks for more
		for o := range c.ListObjects(ctx, bucket, minio.ListObjectsOptions{Prefix: key, Recursive: true}) {
			if o.Err != nil {
				yield(nil, fail(o.Err))
				return
			}
			f := &lineage.File{Path: strings.TrimPrefix(o.Key, key), Size: o.Size, Open: open(o.Key)}
			if strings.HasSuffix(o.Key, "/") {
				f = &lineage.File{Path: strings.TrimRight(f.Path, "/"), Dir: true} // stands for an empty folder
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

type s3client struct {
	*minio.Client
	close func()
}

func (s *S3) client() (*s3client, error) {
	endpoint, plain := cmp.Or(s.Endpoint, "s3.amazonaws.com"), s.Plain
	if u, err := url.Parse(endpoint); err == nil && strings.Contains(endpoint, "://") {
		endpoint, plain = u.Host, u.Scheme == "http"
	}
	t, err := minio.DefaultTransport(!plain)
	if err != nil {
		return nil, err
	}
	if s.Dial != nil {
		t.DialContext, t.Proxy = s.Dial, nil
	}
	var creds *credentials.Credentials
	switch {
	case s.AccessKey != "":
		creds = credentials.NewStaticV4(s.AccessKey, s.SecretKey, s.Session)
	default:
		creds = credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: web.Client(t, 0)},
		})
	}
	lookup := minio.BucketLookupPath
	if strings.HasSuffix(endpoint, ".amazonaws.com") {
		lookup = minio.BucketLookupAuto
	}
	region := s.Region
	if region == "" && !strings.HasSuffix(endpoint, ".amazonaws.com") {
		region = "us-east-1" // else each bucket would be asked where it is, which not all stores answer
	}
	c, err := minio.New(endpoint, &minio.Options{Creds: creds, Secure: !plain, Transport: &listing{next: t}, Region: region, BucketLookup: lookup, MaxRetries: 4})
	if err != nil {
		return nil, fmt.Errorf("store %s%s: %w", cmp.Or(endpoint, s.Endpoint), s.from(), err)
	}
	return &s3client{c, t.CloseIdleConnections}, nil
}

// listing ends a listing whose pages the store gives over and over again: the library
// follows what the store names as the next page.
type listing struct {
	next  http.RoundTripper
	mu    sync.Mutex
	trail paging.Trail
}

func (l *listing) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(r)
	token := r.URL.Query().Get("continuation-token")
	if err != nil || token == "" || res.StatusCode >= 300 { // which may be tried again
		return res, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.trail.Follow(r.Context(), token); err != nil {
		res.Body.Close()
		var text strings.Builder
		xml.EscapeText(&text, []byte(err.Error())) // to memory
		res.StatusCode, res.Status = http.StatusBadRequest, "400 Bad Request"
		res.Body = io.NopCloser(strings.NewReader("<Error><Code>ListingRepeats</Code><Message>" + text.String() + "</Message></Error>"))
		res.ContentLength = -1
	}
	return res, nil
}

// from names where the endpoint comes from, after it.
func (s *S3) from() string {
	if s.From == "" {
		return ""
	}
	return " (" + s.From + ")"
}

// explain says what the store has said, and what to do.
func (s *S3) explain(err error, bucket, key string) error {
	at := fmt.Sprintf("bucket %s at %s%s", bucket, cmp.Or(s.Endpoint, "Amazon's S3"), s.from())
	var r minio.ErrorResponse
	if !errors.As(err, &r) {
		return fmt.Errorf("%s: %w", at, web.Bare(err))
	}
	what := cmp.Or(r.Message, r.Code)
	switch r.Code {
	case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch":
		return fmt.Errorf("%s: the credential may not read %s: %s (%s)", at, key, what, r.Code)
	case "NoSuchBucket":
		return fmt.Errorf("%s: there is no such bucket", at)
	}
	return fmt.Errorf("%s: %s (%s)", at, what, r.Code)
}
