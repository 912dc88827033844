// Package gateway sends requests to servers that answer as gRPC's gateway does: with a
// credential, again where that is safe, and with errors that say what to do.
package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A Transport sends requests: with the credential, once more after a refusal that a
// new one may cure, and again where repeating is safe. What it returns has been read
// whole, and any failure is a [*Failure].
type Transport struct {
	Base       http.RoundTripper
	Server     string // for messages
	Credential Credential
	Header     http.Header   // that is put into each request
	Timeout    time.Duration // of one try
	Advise     func(*client.Error)
	Hint       string    // where the path of the API often is
	Secrets    scrub.Set // besides the credential: secrets in the request, and others
}

// A Failure is what went wrong with one request.
type Failure struct {
	Said
	Sent bool          // the server may have done what it was asked for
	wait time.Duration // that the server asks to wait
}

// Said is an error under a name that doesn't hide its method.
type Said = client.Error

func (f *Failure) Error() string { return f.Said.Error() }
func (f *Failure) Unwrap() error { return &f.Said }

type onceKey struct{}

// Once marks calls that must not be repeated blindly.
func Once(ctx context.Context) context.Context { return context.WithValue(ctx, onceKey{}, true) }

// tries is how often a request is sent that may be repeated.
const tries = 6

func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, f := t.Do(r)
	if f != nil {
		return nil, f
	}
	return res, nil
}

// Do is RoundTrip with the failure. A failure after several tries says Sent if any of
// them may have done what it was for.
func (t *Transport) Do(r *http.Request) (*http.Response, *Failure) {
	ctx := r.Context()
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, t.fail(client.Invalid, 0, err.Error(), err)
		}
	}
	repeat := ctx.Value(onceKey{}) == nil
	renewed, maybe := false, false // maybe: the server did it, and the response was lost
	for try := 1; ; try++ {
		res, f := t.send(ctx, r, body)
		if f == nil {
			return res, nil
		}
		if maybe && f.Code == client.NotFound && r.Method == http.MethodDelete {
			return done(r), nil
		}
		maybe = maybe || f.Sent
		f.Sent = maybe
		switch {
		case f.Code == client.Unauthenticated && t.Credential != nil && !renewed:
			renewed = true
			again, err := t.Credential.Renew(ctx)
			if err != nil {
				f.Msg = strings.TrimPrefix(f.Msg+"; renewing the credential: "+t.Scrub(err.Error()), "; ")
				return nil, f
			}
			if again {
				try--
				continue
			}
			return nil, f
		case try == tries || ctx.Err() != nil:
			return nil, f
		case f.Sent && !repeat:
			return nil, f
		case f.Code != client.Unavailable && f.Code != client.Busy && f.Code != client.Timeout:
			return nil, f
		}
		if !Sleep(ctx, max(Pause(try), f.wait)) {
			return nil, f
		}
	}
}

// Gone takes it for done that what is to end isn't there: a first try, or another call, may
// have done it.
func Gone(err error) error {
	if client.CodeOf(err) == client.NotFound {
		return nil
	}
	return err
}

// done is the answer to a deletion whose own answer was lost.
func done(r *http.Request) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("{}")),
	}
}

// Pause is the time before another try.
func Pause(try int) time.Duration {
	d := 100 * time.Millisecond << min(try, 6)
	return d/2 + rand.N(d)
}

// Speed divides the pauses of Sleep. Only tests set it: their servers recover at once.
var Speed time.Duration = 1

// Sleep waits, unless there is no time for that.
func Sleep(ctx context.Context, d time.Duration) bool {
	d /= Speed
	if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
		return false // it would be over by then; the error there is now says more
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Open sends a request for a stream. The credential is renewed once if it is refused,
// and what comes is for the caller to read.
func (t *Transport) Open(r *http.Request) (io.ReadCloser, *Failure) {
	for renewed := false; ; renewed = true {
		req, f := t.prepared(r.Context(), r)
		if f != nil {
			return nil, f
		}
		res, err := t.Secrets.Watch(t.Base).RoundTrip(req)
		if err != nil {
			return nil, t.broken(r.Context(), err)
		}
		if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); res.StatusCode < 300 && streams[kind] {
			return res.Body, nil
		}
		b, _ := io.ReadAll(io.LimitReader(res.Body, web.MaxError))
		res.Body.Close()
		if f = t.refused(res, b); f == nil {
			f = t.fail(client.Invalid, res.StatusCode, fmt.Sprintf("the answer is of the type %q, and not a stream of events; is the path of the address right?%s", res.Header.Get("Content-Type"), t.Hint), nil)
		}
		if f.Code == client.Unauthenticated && t.Credential != nil && !renewed {
			if again, err := t.Credential.Renew(r.Context()); err == nil && again {
				continue
			}
		}
		return nil, f
	}
}

// streams are the types of what comes as a stream; some servers name none.
var streams = map[string]bool{"": true, "text/event-stream": true, "application/json": true, "application/stream+json": true}

// prepared returns a request with all that each has.
func (t *Transport) prepared(ctx context.Context, r *http.Request) (*http.Request, *Failure) {
	req := r.Clone(ctx)
	for k, v := range t.Header {
		req.Header[k] = v
	}
	if t.Credential != nil {
		if err := t.Credential.Set(ctx, req); err != nil {
			return nil, t.fail(client.Unauthenticated, 0, err.Error(), err)
		}
	}
	return req, nil
}

// send sends a request one time and reads the answer.
func (t *Transport) send(ctx context.Context, r *http.Request, body []byte) (*http.Response, *Failure) {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout+time.Duration(len(body))*time.Microsecond)
	defer cancel()
	req, f := t.prepared(ctx, r)
	if f != nil {
		return nil, f
	}
	if body != nil {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		req.TransferEncoding = nil
	}
	res, err := t.Secrets.Watch(t.Base).RoundTrip(req)
	if err != nil {
		return nil, t.broken(ctx, err)
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	switch {
	case web.IsTooLarge(err):
		f := t.fail(client.Invalid, res.StatusCode, err.Error(), err)
		f.Advice, f.Err = "ask for less at once: --max-size N for a list (ListOptions.Size)", err
		return nil, f
	case err != nil && res.StatusCode < 300:
		return nil, t.broken(ctx, fmt.Errorf("the answer ended too early: %w", err))
	}
	if f := t.refused(res, b); f != nil {
		return nil, f
	}
	res.Header.Set("Content-Type", "application/json") // which it is, whatever the server calls it
	res.Body = &Body{*bytes.NewReader(b), b}
	return res, nil
}

// A Body is one that has been read.
type Body struct {
	bytes.Reader
	Whole []byte
}

func (*Body) Close() error { return nil }

// refused reads a response that is an error.
func (t *Transport) refused(res *http.Response, body []byte) *Failure {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case res.StatusCode >= 400:
		f := t.fail("", res.StatusCode, "", nil)
		// Before and after: secrets that are quoted in full, and those that only show in a message.
		f.Code, f.Msg, f.Sent = explain(res.StatusCode, kind, []byte(t.Scrub(string(body[:min(len(body), 1<<20)]))))
		f.Msg = t.Scrub(f.Msg)
		f.wait = web.RetryAfter(res.Header, time.Now())
		t.Advise(&f.Said)
		return f
	case res.StatusCode >= 300:
		to, err := res.Location()
		if err != nil {
			return t.fail(client.Internal, res.StatusCode, "a redirect to nowhere", nil)
		}
		to.RawQuery, to.User = "", nil
		if login(to) || to.Host != res.Request.URL.Host {
			return t.fail(client.Unauthenticated, res.StatusCode, "the server sends to the login page "+to.String(), nil)
		}
		return t.fail(client.Invalid, res.StatusCode, "the server sends to "+to.String()+"; use its beginning as the endpoint", nil)
	}
	err := web.Object(res.Header, body)
	var came *web.Foreign
	switch {
	case err == nil, !errors.As(err, &came):
		return nil
	case kind == "text/html", came.Page:
		if bytes.Contains(bytes.ToLower(body[:min(len(body), 1<<16)]), []byte("password")) || bytes.Contains(body[:min(len(body), 1<<16)], []byte("dex")) {
			return t.fail(client.Unauthenticated, res.StatusCode, "the answer is a login page", nil)
		}
		return t.fail(client.Invalid, res.StatusCode, "the answer is a page for people, not the API's; is the path of the endpoint right?"+t.Hint, nil)
	case came.Empty && res.Request.Method != http.MethodGet && len(body) == 0:
		return nil // some changes have no answer; what needs one finds that it is empty
	case came.Empty:
		return t.fail(client.Internal, res.StatusCode, came.Error(), nil)
	}
	return t.fail(client.Invalid, res.StatusCode, came.Error()+"."+t.Hint, nil)
}

// login reports whether an address is where Kubeflow lets people log in.
func login(u *url.URL) bool {
	for _, part := range []string{"/dex/", "/oauth2/", "/login", "/auth", "/oidc"} {
		if strings.Contains(u.Path, part) {
			return true
		}
	}
	return false
}

// broken returns the failure of a request without a whole answer.
func (t *Transport) broken(ctx context.Context, err error) *Failure {
	code := client.Unavailable
	if errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		code = client.Timeout
	}
	var op *net.OpError
	dialed := !(errors.As(err, &op) && op.Op == "dial")
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	if errors.As(err, &cert) || errors.As(err, &record) {
		f := t.fail(client.Invalid, 0, err.Error(), err)
		f.Advice = "name the file of its certificate authority with --ca (Config.CA), or change the endpoint's http or https"
		return f
	}
	f := t.fail(code, 0, err.Error(), err)
	f.Sent = dialed
	return f
}

func (t *Transport) fail(code client.Code, status int, msg string, err error) *Failure {
	f := &Failure{Said: Said{Server: t.Server, Code: code, Status: status, Msg: t.Scrub(msg), Err: err}}
	if errors.Is(err, context.Canceled) {
		f.Err = context.Canceled
	} else if err != nil {
		f.Err = errors.New(f.Msg) // without what Scrub took out
		if errors.Is(err, context.DeadlineExceeded) {
			f.Err = context.DeadlineExceeded
		}
	}
	t.Advise(&f.Said)
	return f
}

// Scrub takes secrets out of a string.
func (t *Transport) Scrub(s string) string {
	if t.Credential != nil {
		t.Secrets.Add(t.Credential.Secrets()...)
	}
	return t.Secrets.Text(s)
}
