package kfp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-openapi/runtime"
	httptransport "github.com/go-openapi/runtime/client"
	"github.com/go-openapi/strfmt"
	"github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/experiment_client"
	"github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/healthz_client/healthz_service"
	"github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_client"
	"github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_upload_client"
	"github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/recurring_run_client"
	"github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_client"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/portforward"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// A Client is a connection to a KFP API server. It is a [client.Client], and has
// the nouns of KFP's API beside that. It may be used by several goroutines.
type Client struct {
	conf Config
	from string // where the endpoint came from
	base string // the server's address
	kube bool   // it is reached through the API of its cluster, which reads the credential

	forward *portforward.Dialer // it is reached by a forwarded port
	t       *gateway.Transport

	runs        *run_client.Run
	pipelines   *pipeline_client.Pipeline
	uploads     *pipeline_upload_client.PipelineUpload
	experiments *experiment_client.Experiment
	recurring   *recurring_run_client.RecurringRun
	rt          runtime.ClientTransport // of calls whose answers the models lack fields of
}

var _ client.Client = (*Client)(nil)

// Connect returns a connection to the server of a Config, or of the environment, or of
// where the program runs. It speaks to no server yet, and reads no file of contexts: those
// are for [FromContext].
func Connect(o Config) (*Client, error) { return connect(o, contexts.Getenv) }

func connect(o Config, getenv func(string) string) (*Client, error) {
	from, credential, err := o.fill(getenv)
	if err != nil {
		return nil, fmt.Errorf("kfp: %w", err)
	}
	c := &Client{from: from}
	c.t = &gateway.Transport{Header: http.Header{}, Timeout: o.Timeout, Advise: c.advise, Hint: " It is often /pipeline"}
	c.t.Secrets.AddURL(o.Proxy)
	if o.Kubeconfig != "" && o.Endpoint == "" {
		if c.t.Base, o.Endpoint, err = c.throughKubernetes(&o); err != nil {
			return nil, fmt.Errorf("kfp: %w", err)
		}
	} else if c.t.Base, err = o.link().Base(); err != nil {
		return nil, fmt.Errorf("kfp: %w", err)
	}
	u, err := address(o.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("kfp: %w", o.env.Blame("KF_PIPELINES_ENDPOINT", err))
	}
	c.base = u.String()
	c.t.Server = c.base
	if o.User != "" {
		if err := gateway.Header(o.User); err != nil {
			return nil, fmt.Errorf("kfp: %w", o.env.Blame("KFPGO_USER", fmt.Errorf("the user %q: %w", o.User, err)))
		}
		c.t.Header.Set(o.UserHeader, o.User)
	}
	if c.kube && (credential == "given" || credential == "context") {
		return nil, errors.New("kfp: a credential is given, and the kubeconfig has one, which is sent to the API of its cluster; leave out one of them, or choose --via port-forward (Config.Via), which sends the given one to the server")
	}
	if !c.kube {
		o.Endpoint = c.base
		if c.t.Credential, err = o.credential(credential, getenv); err != nil {
			return nil, fmt.Errorf("kfp: %w", err)
		}
	}
	c.conf = o
	rt := httptransport.NewWithClient(u.Host, u.Path+"/", []string{u.Scheme}, &http.Client{Transport: c.t, CheckRedirect: noRedirects})
	rt.Debug = false // DEBUG in the environment would print requests
	rt.Consumers[runtime.JSONMime] = tolerant()
	c.use(rt)
	return c, nil
}

func (c *Client) use(rt runtime.ClientTransport) {
	f := strfmt.Default
	c.runs, c.pipelines, c.uploads = run_client.New(rt, f), pipeline_client.New(rt, f), pipeline_upload_client.New(rt, f)
	c.experiments, c.recurring, c.rt = experiment_client.New(rt, f), recurring_run_client.New(rt, f), rt
}

// Engine returns kfp.
func (c *Client) Engine() string { return "kfp" }

// Target returns the compiler's target for KFP.
func (c *Client) Target() compiler.Target { return compiler.KFP }

// Server returns the server's address and where that came from, for people.
func (c *Client) Server() (address, from string) { return c.base, c.from }

// Credential says which credential is sent, for people; "" for none.
func (c *Client) Credential() string {
	switch {
	case c.kube:
		return "kubeconfig " + c.conf.Kubeconfig
	case c.t.Credential != nil:
		return c.t.Credential.Name()
	}
	return ""
}

// Health is what a server says of itself.
type Health struct {
	MultiUser bool   `json:"multi_user"`
	Version   string `json:"tag_name"` // of its release, such as 2.5.0; "" if it doesn't say
}

// Health asks the server if it is well.
func (c *Client) Health(ctx context.Context) (Health, error) {
	ctx, end := c.limit(ctx)
	defer end()
	// The server's answer has more than the model of its API.
	h, err := c.rt.Submit(&runtime.ClientOperation{
		ID: "GetHealthz", Method: http.MethodGet, PathPattern: "/apis/v2beta1/healthz", Schemes: []string{"http", "https"},
		ProducesMediaTypes: []string{runtime.JSONMime}, ConsumesMediaTypes: []string{runtime.JSONMime},
		Params: healthz_service.NewGetHealthzParams(), Context: ctx,
		Reader: runtime.ClientResponseReaderFunc(func(r runtime.ClientResponse, consumer runtime.Consumer) (any, error) {
			if r.Code() != http.StatusOK {
				return (&healthz_service.GetHealthzReader{}).ReadResponse(r, consumer)
			}
			var h Health
			err := consumer.Consume(r.Body(), &h)
			return h, err
		}),
	})
	if err != nil {
		return Health{}, c.wrap(err, "ask for the server's health")
	}
	said := h.(Health)
	if said.Version == "unknown" { // it was built without one
		said.Version = ""
	}
	return said, nil
}

// ServerVersion asks the server for the version of its release, such as 2.5.0; "" if it
// doesn't say.
func (c *Client) ServerVersion(ctx context.Context) (string, error) {
	h, err := c.Health(ctx)
	return h.Version, err
}

// limit ends a call whose context has no end.
func (c *Client) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(4*c.conf.Timeout, 6*window))
}

// window is how long a server may take to do what it was asked for, after the
// connection was lost.
var window = 10 * time.Second

// create sends what must be done exactly once. An answer that was lost leaves open
// whether it was done, so find, which returns nil for nothing, looks for it, for a while,
// before anything is sent again. A server that was too slow may still do it, so then
// nothing is.
func create[T any](ctx context.Context, send, find func(context.Context) (*T, error)) (*T, error) {
	maybe := false
	for try := 1; ; try++ {
		made, err := send(gateway.Once(ctx))
		if err == nil {
			return made, nil
		}
		again := gateway.Lost(err)
		if !again && !maybe {
			return nil, err
		}
		maybe = true
		found, looked := look(ctx, find)
		switch {
		case found != nil:
			return found, nil
		case !again || !looked || gateway.Slow(err) || try == 3:
			var f *gateway.Failure
			if errors.As(err, &f) {
				f.Advice = "it is not known whether the server did it: look before you try again"
			}
			return nil, err
		}
	}
}

// look looks for something for as long as it may take to appear. It reports whether the
// last look was one.
func look[T any](ctx context.Context, find func(context.Context) (*T, error)) (found *T, looked bool) {
	began, pause := time.Now(), window/50
	for {
		if !gateway.Sleep(ctx, pause) {
			return nil, false
		}
		found, err := find(ctx)
		if looked = err == nil; found != nil && looked {
			return found, true
		}
		if looked && time.Since(began) > window || time.Since(began) > 2*window {
			return nil, looked
		}
		pause = min(2*pause, window/5)
	}
}

// when returns a time of the API, where 1970 stands for none.
func when(t strfmt.DateTime) time.Time {
	u := time.Time(t).UTC()
	if u.Unix() <= 0 {
		return time.Time{}
	}
	return u
}

// at returns a time for the API.
func at(t time.Time) strfmt.DateTime {
	if t.IsZero() {
		return strfmt.DateTime{}
	}
	return strfmt.DateTime(t.UTC())
}

// values returns parameters as JSON, by name.
func values(m map[string]any) map[string]json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	out := make(map[string]json.RawMessage, len(m))
	for k, v := range m {
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("null")
		}
		out[k] = b
	}
	return out
}

// anything returns parameters for the API, with all of their digits.
func anything(m map[string]json.RawMessage) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// opt returns a pointer for an optional parameter of the API.
func opt[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
