// Package web makes the HTTP clients of kfpgo, and reads what servers answer within
// limits: a redirect doesn't take credentials elsewhere, and an answer is what it
// should be or an error that says what came.
package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Refused is a redirect that isn't followed. Trying again doesn't help.
type Refused struct{ why string }

func (e *Refused) Error() string { return e.why }

func refused(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// maxRedirects is how many redirects of one request are followed.
const maxRedirects = 10

// Client returns an HTTP client that follows redirects by the rules of [Redirect]. A
// nil transport is the default one, and a timeout of zero means no timeout.
func Client(t http.RoundTripper, timeout time.Duration) *http.Client {
	return &http.Client{Transport: t, Timeout: timeout, CheckRedirect: Redirect}
}

// Stay makes a client follow no redirect to another server, and returns it. It is for
// clients whose transport puts a credential into each request, wherever that goes.
func Stay(c *http.Client) *http.Client {
	c.CheckRedirect = stay
	return c
}

// sent are the headers that may go to another server than the one that they were for.
var sent = map[string]bool{"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Range": true, "If-Range": true, "User-Agent": true}

// Redirect is a CheckRedirect of [http.Client]. A redirect from https to http is an
// error, and so is one that would send a body to another server. Another server gets
// no headers but harmless ones: not the credentials, and no Referer, since addresses
// may be secret.
func Redirect(req *http.Request, via []*http.Request) error {
	last := via[len(via)-1]
	switch {
	case len(via) > maxRedirects:
		return refused("more than %d redirects, the last one to %s", maxRedirects, req.URL.Host)
	case req.URL.Scheme != "http" && req.URL.Scheme != "https" || req.URL.Host == "":
		return refused("a redirect to an address that is not http:// or https://")
	case last.URL.Scheme == "https" && req.URL.Scheme != "https":
		return refused("%s redirects from https to http at %s, which is not followed; use the address that it should lead to", last.URL.Host, req.URL.Host)
	}
	for _, before := range via {
		if Same(before.URL, req.URL) {
			continue
		}
		if req.Body != nil && req.Body != http.NoBody {
			return refused("%s redirects a %s to another server, %s, which is not sent there; if it is the right one, use its address", last.URL.Host, req.Method, req.URL.Host)
		}
		for name := range req.Header {
			if !sent[name] {
				req.Header.Del(name)
			}
		}
		break
	}
	return nil
}

func stay(req *http.Request, via []*http.Request) error {
	if from := via[len(via)-1].URL; !Same(from, req.URL) {
		return refused("%s redirects to %s, which is not followed, since the credential is for the first one; if it is the right one, use its address", from.Host, req.URL.Host)
	}
	return Redirect(req, via)
}

// Same reports whether two addresses are of one server: scheme, host and port are the
// same, or the second one is https at the usual port where the first is http at its.
func Same(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	upgraded := a.Scheme == "http" && b.Scheme == "https" && port(a) == "80" && port(b) == "443"
	return upgraded || a.Scheme == b.Scheme && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// Bare returns what is below an error of [http.Client], which has the address of the
// request, with its query.
func Bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// Encrypted returns a transport that refuses requests by plain http.
func Encrypted(t http.RoundTripper) http.RoundTripper { return encrypted{t} }

type encrypted struct{ next http.RoundTripper }

func (e encrypted) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, fmt.Errorf("a server that is reached by https leads to http at %s, where a credential could be read on the way; nothing was sent there", r.URL.Host)
	}
	return e.next.RoundTrip(r)
}
