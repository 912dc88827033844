package kfp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
)

// maxBody bounds what is read of one answer.
const maxBody = 512 << 20

// transport sends requests: with the credential, once more after a refusal that a
// new one may cure, and again where repeating is safe. What it returns has been read
// whole, and any failure is a [*failure].
type transport struct {
	base    http.RoundTripper
	server  string // for messages
	cred    credential
	header  http.Header // that is put into each request
	timeout time.Duration
	advise  func(*client.Error)
}

// A failure is what went wrong with one request.
type failure struct {
	said
	sent bool          // the server may have done what it was asked for
	wait time.Duration // that the server asks to wait
}

// said is an error under a name that doesn't hide its method.
type said = client.Error

func (f *failure) Error() string { return f.said.Error() }
func (f *failure) Unwrap() error { return &f.said }

type onceKey struct{}

// once marks calls that must not be repeated blindly.
func once(ctx context.Context) context.Context { return context.WithValue(ctx, onceKey{}, true) }

// tries is how often a request is sent that may be repeated.
const tries = 6

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	repeat := ctx.Value(onceKey{}) == nil
	renewed, maybe := false, false // maybe: what was asked for was done, and the answer lost
	for try := 1; ; try++ {
		res, f := t.send(ctx, r, body)
		if f == nil {
			return res, nil
		}
		if maybe && f.Code == client.NotFound && r.Method == http.MethodDelete {
			return done(r), nil
		}
		maybe = maybe || f.sent
		switch {
		case f.Code == client.Unauthenticated && t.cred != nil && !renewed:
			renewed = true
			again, err := t.cred.renew(ctx)
			if err != nil {
				f.Msg = strings.TrimPrefix(f.Msg+"; renewing the credential: "+t.scrub(err.Error()), "; ")
				return nil, f
			}
			if again {
				try--
				continue
			}
			return nil, f
		case try == tries || ctx.Err() != nil:
			return nil, f
		case f.sent && !repeat:
			return nil, f
		case f.Code != client.Unavailable && f.Code != client.Busy && f.Code != client.Timeout:
			return nil, f
		}
		if !sleep(ctx, max(pause(try), f.wait)) {
			return nil, f
		}
	}
}

// done is the answer to a deletion whose own answer was lost.
func done(r *http.Request) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("{}")),
	}
}

// pause is the time before another try.
func pause(try int) time.Duration {
	d := 100 * time.Millisecond << min(try, 6)
	return d/2 + rand.N(d)
}

func sleep(ctx context.Context, d time.Duration) bool {
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

// send sends a request one time and reads the answer.
func (t *transport) send(ctx context.Context, r *http.Request, body []byte) (*http.Response, *failure) {
	ctx, cancel := context.WithTimeout(ctx, t.timeout+time.Duration(len(body))*time.Microsecond)
	defer cancel()
	req := r.Clone(ctx)
	if body != nil {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		req.TransferEncoding = nil
	}
	for k, v := range t.header {
		req.Header[k] = v
	}
	if t.cred != nil {
		if err := t.cred.set(ctx, req); err != nil {
			return nil, t.fail(client.Unauthenticated, 0, err.Error(), err)
		}
	}
	res, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, t.broken(ctx, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil && res.StatusCode < 300:
		return nil, t.broken(ctx, fmt.Errorf("the answer ended too early: %w", err))
	case len(b) > maxBody:
		return nil, t.fail(client.Internal, res.StatusCode, fmt.Sprintf("the answer has more than %d MB", maxBody>>20), nil)
	}
	if f := t.refused(res, b); f != nil {
		return nil, f
	}
	res.Body = io.NopCloser(bytes.NewReader(b))
	return res, nil
}

// refused reads an answer that isn't what was asked for.
func (t *transport) refused(res *http.Response, body []byte) *failure {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case res.StatusCode >= 400:
		f := t.fail("", res.StatusCode, "", nil)
		f.Code, f.Msg, f.sent = explain(res.StatusCode, kind, body)
		f.Msg = t.scrub(f.Msg)
		if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
			f.wait = min(time.Duration(s)*time.Second, time.Minute)
		}
		t.advise(&f.said)
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
	case kind == "text/html":
		if bytes.Contains(bytes.ToLower(body[:min(len(body), 1<<16)]), []byte("password")) || bytes.Contains(body[:min(len(body), 1<<16)], []byte("dex")) {
			return t.fail(client.Unauthenticated, res.StatusCode, "the answer is a login page", nil)
		}
		return t.fail(client.Invalid, res.StatusCode, "the answer is a page for people, not the API's; is the path of the endpoint right? It is often /pipeline", nil)
	}
	return nil
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
func (t *transport) broken(ctx context.Context, err error) *failure {
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
		f.Advice = "name the file of its certificate authority with --ca (Config.CA), or mend the endpoint's http or https"
		return f
	}
	f := t.fail(code, 0, err.Error(), err)
	f.sent = dialed
	return f
}

func (t *transport) fail(code client.Code, status int, msg string, err error) *failure {
	f := &failure{said: said{Server: t.server, Code: code, Status: status, Msg: t.scrub(msg), Err: err}}
	if errors.Is(err, context.Canceled) {
		f.Err = context.Canceled
	} else if err != nil {
		f.Err = errors.New(f.Msg) // without what scrub took out
		if errors.Is(err, context.DeadlineExceeded) {
			f.Err = context.DeadlineExceeded
		}
	}
	t.advise(&f.said)
	return f
}

// scrub takes secrets out of a text.
func (t *transport) scrub(s string) string {
	if t.cred == nil {
		return s
	}
	for _, secret := range t.cred.secrets() {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "[secret]")
		}
	}
	return s
}

// newBase makes the transport below, for an endpoint.
func (o *Config) newBase() (http.RoundTripper, error) {
	base := http.DefaultTransport.(*http.Transport).Clone()
	conf := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.Insecure}
	if o.CA != "" {
		pem, err := os.ReadFile(o.CA)
		if err != nil {
			return nil, fmt.Errorf("the certificate authority: %w", err)
		}
		if conf.RootCAs, err = x509.SystemCertPool(); err != nil {
			conf.RootCAs = x509.NewCertPool()
		}
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("the certificate authority: %s holds no certificate in PEM", o.CA)
		}
	}
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("a client's certificate takes two files, the certificate and its key; one is missing")
	}
	if o.Cert != "" {
		// Read for each connection, so that a new certificate needs no new start.
		if _, err := tls.LoadX509KeyPair(o.Cert, o.Key); err != nil {
			return nil, fmt.Errorf("the client's certificate: %w", err)
		}
		conf.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			c, err := tls.LoadX509KeyPair(o.Cert, o.Key)
			return &c, err
		}
	}
	base.TLSClientConfig = conf
	if o.Proxy != "" {
		u, err := url.Parse(o.Proxy)
		if err != nil || u.Host == "" {
			return nil, errors.New("the proxy is no URL")
		}
		base.Proxy = http.ProxyURL(u)
	}
	return base, nil
}
