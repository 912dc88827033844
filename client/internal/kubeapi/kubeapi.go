// Package kubeapi reads objects of Kubernetes by plain HTTP. The typed client would
// cost each start of a program memory and time.
package kubeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A Client reads from one cluster.
type Client struct {
	Base string // URL of the API
	http *http.Client
}

// New returns a Client for a cluster.
func New(conf *rest.Config) (*Client, error) {
	h, err := rest.HTTPClientFor(conf)
	if err != nil {
		return nil, err
	}
	host := conf.Host
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	return &Client{strings.TrimRight(host, "/"), web.Stay(h)}, nil
}

// A Status is an answer that is an error.
type Status struct {
	Code int
	Msg  string
}

func (s *Status) Error() string { return fmt.Sprintf("%s (%d)", s.Msg, s.Code) }

// Path returns the path of an object, or of all of a kind for an empty name.
func Path(namespace, kind, name string) string {
	p := "/api/v1/namespaces/" + url.PathEscape(namespace) + "/" + kind
	if name != "" {
		p += "/" + url.PathEscape(name)
	}
	return p
}

// Get reads what is at a path.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		var s struct{ Message string }
		if json.Unmarshal(b, &s) != nil || s.Message == "" {
			s.Message = http.StatusText(res.StatusCode)
		}
		return &Status{res.StatusCode, s.Message}
	}
	return web.Decode(res.Header, b, into)
}
