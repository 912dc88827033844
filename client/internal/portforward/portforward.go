// Package portforward reaches services of a cluster from outside of it, through the
// API of Kubernetes, as kubectl port-forward does.
package portforward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/client-go/rest"
	kubeforward "k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"

	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A Dialer makes connections to services. It holds one session with a pod for each
// port of a service, and makes another when that pod is gone. It may be used by several
// goroutines.
type Dialer struct {
	conf *rest.Config
	api  *kubeapi.Client

	mu       sync.Mutex
	sessions map[target]*session
	closed   bool
}

// New returns a Dialer for a cluster.
func New(conf *rest.Config) (*Dialer, error) {
	api, err := kubeapi.New(conf)
	if err != nil {
		return nil, err
	}
	return &Dialer{conf: conf, api: api, sessions: map[target]*session{}}, nil
}

// A target is a port of a service.
type target struct{ namespace, service, port string }

func (t target) String() string {
	return fmt.Sprintf("service %s in namespace %s, port %s", t.service, t.namespace, t.port)
}

// Service reports whether an address is that of a service, as pods know it, and
// which one it is. Without a namespace it is in the one given.
func Service(address, namespace string) (ns, service, port string, ok bool) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || net.ParseIP(host) != nil || host == "localhost" {
		return "", "", "", false
	}
	host = strings.TrimSuffix(strings.TrimSuffix(host, "."), ".cluster.local")
	parts := strings.Split(strings.TrimSuffix(host, ".svc"), ".")
	switch {
	case len(parts) == 1:
		return namespace, parts[0], port, namespace != ""
	case len(parts) == 2 && (strings.HasSuffix(host, ".svc") || !known(parts[1])):
		return parts[1], parts[0], port, true
	}
	return "", "", "", false
}

// known reports whether a word is a domain of the internet rather than a namespace.
func known(tld string) bool {
	switch tld {
	case "com", "org", "net", "io", "dev", "cloud", "ai", "app", "local", "internal", "lan", "edu", "gov":
		return true
	}
	return len(tld) == 2 // of a country
}

// DialContext connects to a port of a service: NAME.NAMESPACE:PORT, where the port is a
// number or its name.
func (d *Dialer) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	ns, service, port, ok := Service(address, "default")
	if !ok {
		return nil, fmt.Errorf("%s is not a service of a cluster", address)
	}
	t := target{ns, service, port}
	var err error
	for range 3 { // a pod may go at any moment
		var s *session
		if s, err = d.session(ctx, t); err != nil {
			return nil, err
		}
		var c net.Conn
		if c, err = new(net.Dialer).DialContext(ctx, "tcp", s.local); err == nil {
			return c, nil
		}
		d.drop(t, s)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("port-forward to %s: %w", t, err)
}

// In connects to services that pods of a namespace may name without it.
func (d *Dialer) In(namespace string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ns, service, port, _ := Service(address, namespace)
		return d.DialContext(ctx, network, service+"."+ns+":"+port)
	}
}

// session returns one that works, as far as is known.
func (d *Dialer) session(ctx context.Context, t target) (*session, error) {
	d.mu.Lock()
	s, closed := d.sessions[t], d.closed
	d.mu.Unlock()
	if closed {
		return nil, net.ErrClosed
	}
	if s != nil {
		if !s.over() && serves(ctx, d.api, s.pod) {
			return s, nil
		}
		d.drop(t, s)
	}
	p, err := find(ctx, d.api, t)
	if err != nil {
		return nil, fmt.Errorf("port-forward to %s: %w", t, err)
	}
	if s, err = d.forward(ctx, p); err != nil {
		return nil, fmt.Errorf("port-forward to %s: %w", t, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if other := d.sessions[t]; other != nil && !other.over() { // somebody was faster
		s.end()
		return other, nil
	}
	if d.closed {
		s.end()
		return nil, net.ErrClosed
	}
	d.sessions[t] = s
	return s, nil
}

func (d *Dialer) drop(t target, s *session) {
	s.end()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sessions[t] == s {
		delete(d.sessions, t)
	}
}

// Close ends all sessions.
func (d *Dialer) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for t, s := range d.sessions {
		s.end()
		delete(d.sessions, t)
	}
}

// A session forwards a port of this machine to one of a pod.
type session struct {
	pod   pod
	local string // address
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once
}

func (s *session) end() { s.once.Do(func() { close(s.stop) }) }

func (s *session) over() bool {
	select {
	case <-s.done:
		return true
	case <-s.stop:
		return true
	default:
		return false
	}
}

// forward begins a session with a pod.
func (d *Dialer) forward(ctx context.Context, p pod) (*session, error) {
	u, err := url.Parse(d.api.Base + p.path() + "/portforward")
	if err != nil {
		return nil, err
	}
	rt, upgrader, err := spdy.RoundTripperFor(d.conf)
	if err != nil {
		return nil, err
	}
	dialer := httpstream.Dialer(spdy.NewDialer(upgrader, web.Stay(&http.Client{Transport: rt}), http.MethodPost, u))
	if tunnel, err := kubeforward.NewSPDYOverWebsocketDialer(u, d.conf); err == nil { // what proxies let through
		dialer = kubeforward.NewFallbackDialer(tunnel, dialer, func(err error) bool {
			return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
		})
	}
	s := &session{pod: p, stop: make(chan struct{}), done: make(chan struct{})}
	ready, failed := make(chan struct{}), make(chan error, 1)
	f, err := kubeforward.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{"0:" + fmt.Sprint(p.port)}, s.stop, ready, io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(s.done)
		failed <- f.ForwardPorts()
	}()
	wait := time.NewTimer(20 * time.Second)
	defer wait.Stop()
	select {
	case <-ready:
	case err := <-failed:
		if err == nil {
			err = errors.New("it ended at once")
		}
		return nil, refusal(err, p)
	case <-ctx.Done():
		s.end()
		return nil, ctx.Err()
	case <-wait.C:
		s.end()
		return nil, fmt.Errorf("pod %s: the cluster does not answer", p.name)
	}
	ports, err := f.GetPorts()
	if err != nil {
		s.end()
		return nil, err
	}
	s.local = net.JoinHostPort("127.0.0.1", fmt.Sprint(ports[0].Local))
	return s, nil
}

// refusal names the missing permission or object if the cluster doesn't forward.
func refusal(err error, p pod) error {
	if text := err.Error(); strings.Contains(text, "orbidden") {
		return fmt.Errorf("pod %s: %s; ask for the permission to create pods/portforward in namespace %s", p.name, text, p.namespace)
	}
	return fmt.Errorf("pod %s: %w", p.name, err)
}
