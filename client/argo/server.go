package argo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// podToken is where a pod has the token of its service account.
const podToken = "/var/run/secrets/kubernetes.io/serviceaccount/token"

// A server is the access by the HTTP API of the Argo server.
type server struct {
	t         *gateway.Transport
	base      *url.URL
	from      string // where the address came from
	namespace string
	timeout   time.Duration
}

// newServer makes the access of a Config with a Server.
func newServer(o *Config) (*server, error) {
	base, err := o.address()
	if err != nil {
		return nil, o.env.Blame("ARGO_SERVER", err)
	}
	link, err := o.link().Base()
	if err != nil {
		return nil, err
	}
	s := &server{base: base, from: o.serverFrom, namespace: o.Namespace, timeout: o.Timeout}
	s.t = &gateway.Transport{Base: link, Server: base.String(), Timeout: o.Timeout, Advise: s.advise, Hint: " It is the server's --base-href"}
	s.t.Secrets.AddURL(o.Proxy)
	s.t.Credential, err = o.bearer()
	return s, err
}

// address reads the address of the Argo server. A bare host and port is one of https,
// as for Argo's own command.
func (o *Config) address() (*url.URL, error) {
	text := strings.TrimSpace(o.Server)
	if !strings.Contains(text, "://") {
		scheme := "https://"
		if o.plain {
			scheme = "http://"
		}
		text = scheme + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("the address of the Argo server is not a URL") // whose text may hold a password
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the Argo server %s: its address must begin with http:// or https://, or be HOST:PORT", u.Redacted())
	case u.Host == "":
		return nil, fmt.Errorf("the Argo server %s: its address has no host", u.Redacted())
	case u.User != nil:
		return nil, fmt.Errorf("the Argo server %s: its address holds a password, which messages and other programs would show; use a token", u.Redacted())
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/v1")
	if u.Path == "" {
		u.Path = strings.TrimRight("/"+strings.Trim(o.path, "/"), "/")
	}
	return u, nil
}

// bearer returns the credential for the Argo server; nil for none.
func (o *Config) bearer() (gateway.Credential, error) {
	from := o.tokenFrom
	switch {
	case o.Token != "":
		token := strings.TrimSpace(o.Token)
		kind, rest, ok := strings.Cut(token, " ") // ARGO_TOKEN holds a whole header
		if ok && !strings.EqualFold(kind, "bearer") {
			return nil, fmt.Errorf("the token (%s) is of the kind %s; kfpgo sends bearer tokens, which argo auth token prints", from, kind)
		}
		if ok {
			token = strings.TrimSpace(rest)
		}
		return gateway.Token(token, from)
	case o.TokenFile != "":
		return gateway.TokenFile(o.TokenFile, from), nil
	case len(o.TokenCommand) > 0:
		return gateway.TokenCommand(o.TokenCommand, from), nil
	}
	if _, err := os.Stat(podToken); err == nil {
		return gateway.TokenFile(podToken, "this pod"), nil
	}
	return nil, nil
}

func (s *server) reach() (address, credential string) {
	if s.t.Credential == nil {
		return s.base.String(), "no credential"
	}
	return s.base.String(), s.t.Credential.Name()
}

// advise adds to an error what to do about it.
func (s *server) advise(e *client.Error) {
	_, sent := s.reach()
	if s.t.Credential != nil {
		sent = "the " + sent
	}
	switch e.Code {
	case client.Unauthenticated:
		e.Advice = "sent was " + sent + "; give another token, such as kubectl create token SERVICEACCOUNT prints"
	case client.Denied:
		e.Advice = fmt.Sprintf("sent was %s, the namespace is %s; ask for the right to do it, or use another namespace", sent, s.namespace)
	case client.Unavailable, client.Timeout:
		e.Advice = "check that the Argo server runs and that its address (" + s.from + ") is right"
	case client.NotFound:
		e.Advice = "the namespace is " + s.namespace
	case client.Invalid:
		if strings.Contains(e.Msg, "HTTP request to an HTTPS server") {
			e.Advice = "its address begins with https://; ARGO_SECURE=false says that it doesn't"
		}
	}
}

// kubernetes is what the Argo server doesn't hand out.
func (s *server) kubernetes(op, what string) (*cluster, error) {
	return nil, &client.Error{Op: op, Server: s.base.String(), Code: client.Unsupported, Msg: "the Argo server can't do it: " + what,
		Advice: "use the API of Kubernetes: --kubeconfig FILE (Config.Kubeconfig), or a context with one"}
}

// The parts of paths, and what holds an object in a body.
var served = map[kind]struct{ path, field string }{
	workflows: {"/api/v1/workflows", "workflow"}, cronWorkflows: {"/api/v1/cron-workflows", "cronWorkflow"},
}

func (s *server) do(ctx context.Context, r request) error {
	k := served[r.kind]
	path, query := k.path+"/"+url.PathEscape(s.namespace), url.Values{}
	if r.action != list && r.action != post {
		path = below(path, r.name)
	}
	method, body := http.MethodGet, any(nil)
	switch r.action {
	case list:
		query.Set("listOptions.limit", strconv.Itoa(r.limit()))
		if r.labels != "" {
			query.Set("listOptions.labelSelector", r.labels)
		}
		if r.next != "" {
			query.Set("listOptions.continue", r.next)
		}
	case post:
		method, body = http.MethodPost, map[string]any{"namespace": s.namespace, k.field: r.object}
	case put:
		method, body = http.MethodPut, map[string]any{"namespace": s.namespace, "name": r.name, k.field: r.object}
	case remove:
		method = http.MethodDelete
		if r.orphan {
			query.Set("deleteOptions.propagationPolicy", string(metav1.DeletePropagationOrphan))
		}
	case terminate:
		method, path, body = http.MethodPut, path+"/terminate", map[string]any{}
	case pause:
		method, path, body = http.MethodPut, path+"/suspend", map[string]any{}
	case resume:
		return s.resume(ctx, r)
	}
	err := s.send(ctx, r.op, method, path, query, body, r.into, r.unclear)
	var e *client.Error
	if r.action == put && errors.As(err, &e) && e.Code == client.Exists {
		e.Code = client.Precondition // it has changed meanwhile, for which the server has no code of its own
	}
	return err
}

// resume lets a CronWorkflow fire again. The server's own resume leaves the time as it
// is from which the controller catches up.
func (s *server) resume(ctx context.Context, r request) error {
	for try := 0; ; try++ {
		var w wfv1.CronWorkflow
		err := s.do(ctx, request{op: r.op, action: get, kind: r.kind, name: r.name, into: &w})
		if err != nil {
			return err
		}
		now := metav1.Now()
		w.Spec.Suspend, w.Status.LastScheduledTime = false, &now
		err = s.do(ctx, request{op: r.op, action: put, kind: r.kind, name: r.name, object: &w, into: r.into})
		if client.CodeOf(err) != client.Precondition || try == 5 {
			return err
		}
	}
}

func (s *server) request(ctx context.Context, method, path string, query url.Values, body []byte) (*http.Request, error) {
	to := s.base.String() + path
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if body == nil {
		r.Body, r.GetBody = nil, nil
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// send sends a request that may be repeated.
func (s *server) send(ctx context.Context, op, method, path string, query url.Values, body, into any, unclear *bool) error {
	ctx, cancel := limit(ctx, s.timeout)
	defer cancel()
	invalid := func(err error) error {
		return &client.Error{Op: op, Server: s.base.String(), Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return invalid(err)
		}
	}
	r, err := s.request(ctx, method, path, query, text)
	if err != nil {
		return invalid(err)
	}
	res, f := s.t.Do(r)
	if f != nil {
		if unclear != nil && (f.Sent || f.Code == client.Internal) {
			*unclear = true
		}
		f.Op = op
		return &f.Said
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body) // which has been read within limits
	if err == nil && into != nil {
		err = web.Decode(res.Header, b, into)
	}
	if err != nil {
		return &client.Error{Op: op, Server: s.base.String(), Code: client.Internal, Msg: "the response is not one of an Argo server: " + err.Error(), Err: err, Advice: "is the address right?"}
	}
	return nil
}

func (s *server) version(ctx context.Context) (string, error) {
	var v struct{ Version string }
	err := s.send(ctx, "ask for the server's version", http.MethodGet, "/api/v1/version", nil, nil, &v, nil)
	return v.Version, err
}

// retry has the server do it. If the response to a try is lost, the run shows that it is running.
func (s *server) retry(ctx context.Context, c *Client, op, id string) error {
	w, err := c.workflow(ctx, op, id)
	if err != nil {
		return err
	}
	if err := retriable(w, op); err != nil {
		return err
	}
	var unclear bool
	err = s.send(ctx, op, http.MethodPut, below(served[workflows].path, s.namespace)+"/"+url.PathEscape(id)+"/retry", nil, map[string]any{}, nil, &unclear)
	if err == nil || !unclear {
		return err
	}
	now, look := c.workflow(ctx, op, id)
	if look == nil && now.ResourceVersion != w.ResourceVersion && retriable(now, op) != nil {
		return nil
	}
	return err
}
