package argo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A call is a request that may be made again: a read, or a change that says by
// itself what it is, so that making it twice is making it once.
type call struct {
	op     string // the operation, for errors
	method string
	path   string
	query  url.Values
	kind   string // of the body
	body   any
	into   any

	unclear *bool // set if a try may have done what it was for though it failed
}

// send makes a call, again if the server can't be reached or isn't well. A refused
// credential is read again once.
func (c *cluster) send(ctx context.Context, q call) error {
	ctx, cancel := limit(ctx, c.conf.Timeout)
	defer cancel()
	var body []byte
	if q.body != nil {
		var err error
		if body, err = json.Marshal(q.body); err != nil {
			return &client.Error{Op: q.op, Code: client.Invalid, Msg: err.Error(), Err: err}
		}
	}
	refreshed := false
	began := time.Now()
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 3*time.Second) {
		err := c.once(ctx, q, body)
		if err == nil {
			return nil
		}
		if q.unclear != nil && (err.Code == client.Unavailable || err.Code == client.Internal) && !refused(err) {
			*q.unclear = true
		}
		switch {
		case err.Code == client.Unauthenticated && !refreshed && c.load() == nil:
			refreshed = true
			continue
		case !client.Temporary(err) && err.Code != client.Internal, refused(err) && time.Since(began) > patience:
			return c.advise(err)
		}
		select {
		case <-ctx.Done():
			if err.Status == 0 && errors.Is(err.Err, context.DeadlineExceeded) {
				err.Code = client.Timeout
			}
			return c.advise(err)
		case <-time.After(wait):
		}
	}
}

// patience is for an address at which nobody answers: a restart takes about as long.
const patience = 10 * time.Second

// refused reports whether no connection came about.
func refused(err *client.Error) bool {
	var dial *net.OpError
	return errors.As(err.Err, &dial) && dial.Op == "dial"
}

// A failing makes errors of a call.
type failing func(code client.Code, status int, msg string, err error) *client.Error

// ask sends a request once, and returns the answer, whatever it is.
func (c *cluster) ask(ctx context.Context, q call, body []byte) (*http.Response, failing, *client.Error) {
	h, base, _ := c.client()
	fail := func(code client.Code, status int, msg string, err error) *client.Error {
		if clean := c.secrets.Text(msg); clean != msg {
			msg = clean
			if err != nil {
				err = errors.New(clean)
			}
		}
		return &client.Error{Op: q.op, Server: base, Code: code, Status: status, Msg: msg, Err: err}
	}
	to := base + fmt.Sprintf(q.path, url.PathEscape(c.namespace))
	if len(q.query) > 0 {
		to += "?" + q.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, q.method, to, bytes.NewReader(body))
	if err != nil {
		return nil, fail, fail(client.Invalid, 0, err.Error(), err)
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", cmp.Or(q.kind, "application/json"))
	}
	res, err := h.Do(req)
	if err != nil {
		err = web.Bare(err) // without the URL, which Server has
		return nil, fail, fail(codeOf(err), 0, err.Error(), err)
	}
	return res, fail, nil
}

// once makes a call once.
func (c *cluster) once(ctx context.Context, q call, body []byte) *client.Error {
	ctx, cancel := context.WithTimeout(ctx, c.conf.Timeout)
	defer cancel()
	res, fail, f := c.ask(ctx, q, body)
	if f != nil {
		return f
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	if web.IsTooLarge(err) {
		return fail(client.Invalid, res.StatusCode, err.Error(), err)
	}
	if err != nil && res.StatusCode < 300 {
		return fail(client.Unavailable, 0, "the answer broke off: "+err.Error(), err)
	}
	if res.StatusCode >= 300 {
		return explain(fail, res, c.secrets.Bytes(b))
	}
	into := q.into
	if into == nil {
		into = &map[string]json.RawMessage{}
	}
	var came *web.Foreign
	switch err := web.Decode(res.Header, b, into); {
	case err == nil:
		return nil
	case errors.As(err, &came) && !came.Empty:
		return fail(client.Invalid, 0, err.Error(), err)
	case errors.As(err, new(*json.UnmarshalTypeError)):
		return fail(client.Invalid, 0, "the response is not one of the Kubernetes API: "+err.Error(), err)
	default:
		return fail(client.Unavailable, 0, "the response was cut off or is not JSON: "+err.Error(), err)
	}
}

// codeOf is the code of a request without an answer.
func codeOf(err error) client.Code {
	if errors.As(err, new(*web.Refused)) {
		return client.Invalid
	}
	return client.Unavailable
}

// explain returns what an answer says that is an error.
func explain(fail failing, res *http.Response, body []byte) *client.Error {
	var s struct{ Message, Reason string }
	if json.Unmarshal(body, &s) != nil || s.Message == "" {
		s.Message = strings.TrimSpace(string(body))
		if len(s.Message) > 300 || strings.HasPrefix(s.Message, "<") {
			s.Message = http.StatusText(res.StatusCode)
		}
	}
	code := client.Internal
	switch res.StatusCode {
	case 400, 413, 415, 422:
		code = client.Invalid
	case 401:
		code = client.Unauthenticated
	case 403:
		code = client.Denied
	case 404, 410:
		code = client.NotFound
	case 405, 406:
		code = client.Unsupported
	case 409:
		code = client.Precondition
		if s.Reason == "AlreadyExists" {
			code = client.Exists
		}
	case 429:
		code = client.Busy
	case 408, 502, 503, 504:
		code = client.Unavailable
	}
	return fail(code, res.StatusCode, s.Message, nil)
}

// advise adds to an error what to do about it.
func (c *cluster) advise(e *client.Error) *client.Error {
	_, _, from := c.client()
	switch e.Code {
	case client.Unauthenticated:
		e.Advice = "sent was " + from + "; give another credential"
	case client.Denied:
		e.Advice = fmt.Sprintf("sent was %s, the namespace is %s; ask for the right to do it, or use another namespace", from, c.namespace)
	case client.Unavailable, client.Timeout:
		e.Advice = "check that the cluster runs and that its address is right (" + from + ")"
	case client.NotFound:
		if strings.Contains(e.Msg, "could not find the requested resource") {
			e.Advice = "the cluster has no Argo Workflows; install it first"
		} else {
			e.Advice = "the namespace is " + c.namespace
		}
	}
	return e
}
