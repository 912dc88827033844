// Package kubeapi reads objects of Kubernetes by plain HTTP. The typed client would
// cost each start of a program memory and time.
package kubeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A Client reads from one cluster.
type Client struct {
	Base string // URL of the API
	HTTP *http.Client
}

// New returns a Client for a cluster.
func New(conf *rest.Config) (*Client, error) {
	h, err := rest.HTTPClientFor(conf)
	if err != nil {
		return nil, err
	}
	return &Client{Base(conf), web.Stay(h)}, nil
}

// Base returns the URL of the API of a cluster. A host alone is one of https.
func Base(conf *rest.Config) string {
	host := strings.TrimRight(conf.Host, "/")
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	return host
}

// PodNamespace returns the namespace of the pod that this runs in, or nothing outside of one.
func PodNamespace() string {
	b, _ := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
	return strings.TrimSpace(string(b))
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

// Open asks for what is at a path, for the caller to read and to close.
func (c *Client) Open(ctx context.Context, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json, */*")
	res, err := c.HTTP.Do(req)
	if err != nil || res.StatusCode < 300 {
		return res, err
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	if err != nil {
		return nil, err
	}
	var s struct{ Message string }
	if json.Unmarshal(b, &s) != nil || s.Message == "" {
		s.Message = http.StatusText(res.StatusCode)
	}
	return nil, &Status{res.StatusCode, s.Message}
}

// Get reads the object at a path.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	res, err := c.Open(ctx, path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	if err != nil {
		return err
	}
	return web.Decode(res.Header, b, into)
}
