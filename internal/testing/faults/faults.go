// Package faults is a proxy for tests that does to requests what networks, proxies
// and overloaded servers do.
package faults

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Kind is what happens to a request.
type Kind string

// The kinds. Those that begin with After let the server do what it was asked for.
const (
	Drop          Kind = "drop"           // the connection is closed before the request arrives
	AfterReset    Kind = "after-reset"    // the connection is reset in place of the answer
	AfterDelay    Kind = "after-delay"    // the answer comes too late
	AfterTruncate Kind = "after-truncate" // the answer ends in the middle
	Unauthorized  Kind = "401"
	Forbidden     Kind = "403"
	Conflict      Kind = "409"
	TooMany       Kind = "429"
	Error500      Kind = "500"
	AfterError502 Kind = "after-502"
	Error503      Kind = "503"
	AfterError504 Kind = "after-504"
)

// Kinds lists them all.
var Kinds = []Kind{Drop, AfterReset, AfterDelay, AfterTruncate, Unauthorized, Forbidden, Conflict, TooMany, Error500, AfterError502, Error503, AfterError504}

// A Proxy stands before a server.
type Proxy struct {
	URL   string
	Delay time.Duration // of AfterDelay

	kind   Kind
	share  float64
	target *url.URL
	base   *http.Transport
	mu     sync.Mutex
	rand   *rand.Rand
	faults atomic.Int64
}

// New starts a proxy that does a fault to a share of the requests, by chance with a
// fixed seed.
func New(t testing.TB, target string, kind Kind, share float64, seed uint64) *Proxy {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{kind: kind, share: share, target: u, base: &http.Transport{}, rand: rand.New(rand.NewPCG(seed, 1)), Delay: 3 * time.Second}
	s := httptest.NewServer(p)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close(); p.base.CloseIdleConnections() })
	p.URL = s.URL
	return p
}

// Faults returns how many requests had the fault.
func (p *Proxy) Faults() int { return int(p.faults.Load()) }

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	hit := p.rand.Float64() < p.share
	p.mu.Unlock()
	if !hit {
		p.pass(w, r)
		return
	}
	p.faults.Add(1)
	status := 0
	switch p.kind {
	case Drop:
		hangUp(w, false)
		return
	case Unauthorized, Forbidden, Conflict, TooMany, Error500, Error503:
		fmt.Sscan(string(p.kind), &status)
	}
	if status != 0 {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/plain")
		http.Error(w, http.StatusText(status), status)
		return
	}
	res, body := p.forward(r)
	switch p.kind {
	case AfterReset:
		hangUp(w, true)
	case AfterDelay:
		select {
		case <-r.Context().Done():
		case <-time.After(p.Delay):
		}
		hangUp(w, false)
	case AfterTruncate:
		if res == nil {
			hangUp(w, true)
			return
		}
		conn, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintf(buf, "HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", res.StatusCode, res.Header.Get("Content-Type"), len(body))
		buf.Write(body[:len(body)/2])
		buf.Flush()
	case AfterError502:
		http.Error(w, "Bad Gateway", http.StatusBadGateway)
	case AfterError504:
		http.Error(w, "Gateway Timeout", http.StatusGatewayTimeout)
	}
}

func (p *Proxy) pass(w http.ResponseWriter, r *http.Request) {
	res, body := p.forward(r)
	if res == nil {
		http.Error(w, "no server", http.StatusBadGateway)
		return
	}
	for k, v := range res.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(res.StatusCode)
	w.Write(body)
}

// forward sends a request on, to its end even if the client has gone.
func (p *Proxy) forward(r *http.Request) (*http.Response, []byte) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, nil
	}
	u := *r.URL
	u.Scheme, u.Host = p.target.Scheme, p.target.Host
	req, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), r.Method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, nil
	}
	req.Header = r.Header.Clone()
	res, err := p.base.RoundTrip(req)
	if err != nil {
		return nil, nil
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil
	}
	res.Header.Del("Content-Length")
	return res, b
}

func hangUp(w http.ResponseWriter, reset bool) {
	var conn net.Conn
	var buf *bufio.ReadWriter
	conn, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_ = buf
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		tcp.SetLinger(0)
	}
	conn.Close()
}
