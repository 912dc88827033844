package kfp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/dsl"
)

const anyCluster = "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: a}}]\nclusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\n"

// TestVariables: an error about a value that a variable of the environment has
// names the variable, and one about a value that was given doesn't.
func TestVariables(t *testing.T) {
	at := func(o Config) Config { o.Endpoint = "http://127.0.0.1:1"; return o }
	through := Config{Kubeconfig: file(t, anyCluster)}
	apply := func(c *Client) error {
		_, err := c.translate(client.ScheduleSpec{Name: "s", When: dsl.When{Cron: "0 3 * * *"}})
		return err
	}
	for _, tt := range []struct {
		variable, bad string
		o             Config
		call          func(*Client) error // nil: connecting fails
		given         func(*Config, string)
	}{
		{"KF_PIPELINES_ENDPOINT", "::bad", Config{}, nil, func(o *Config, v string) { o.Endpoint = v }},
		{"KFPGO_CA", "/nonexistent", at(Config{}), nil, func(o *Config, v string) { o.CA = v }},
		{"KFPGO_CA", file(t, "no PEM"), at(Config{}), nil, func(o *Config, v string) { o.CA = v }},
		{"KFPGO_USER", "a\nb", at(Config{}), nil, func(o *Config, v string) { o.User = v }},
		{"KFPGO_TOKEN", "a\nb", at(Config{}), nil, nil},
		{"KFPGO_COOKIE", "a\nb", at(Config{}), nil, nil},
		{"KFPGO_VIA", "carrier", through, nil, func(o *Config, v string) { o.Via = v }},
		{"KFPGO_CLUSTER_ZONE", "Mars/Base", at(Config{}), apply, func(o *Config, v string) { o.Zone = v }},
		{"KFPGO_METADATA", "127.0.0.1:1", at(Config{Timeout: time.Second}), func(c *Client) error {
			_, err := c.Artifacts(t.Context(), lineage.Query{Run: "run"})
			return err
		}, func(o *Config, v string) { o.Metadata = v }},
	} {
		from := tt.o
		if tt.variable == "KFPGO_TOKEN" || tt.variable == "KFPGO_COOKIE" {
			from = Config{}
		}
		vars := []string{tt.variable, tt.bad}
		if from.Endpoint == "" && tt.variable != "KF_PIPELINES_ENDPOINT" && from.Kubeconfig == "" {
			vars = append(vars, "KF_PIPELINES_ENDPOINT", "http://127.0.0.1:1")
		}
		fails := func(o Config, vars ...string) string {
			c, err := connect(o, environment(t, vars...))
			if err == nil && tt.call != nil {
				err = tt.call(c)
			}
			if err == nil {
				t.Errorf("%s=%q is taken", tt.variable, tt.bad)
				return tt.variable
			}
			return err.Error()
		}
		if says := fails(from, vars...); !strings.Contains(says, tt.variable) {
			t.Errorf("%s=%q: the error doesn't name it: %s", tt.variable, tt.bad, says)
		}
		if tt.given == nil {
			continue
		}
		o := tt.o
		tt.given(&o, tt.bad)
		if says := fails(o); strings.Contains(says, tt.variable) {
			t.Errorf("%q was given, and the error names %s: %s", tt.bad, tt.variable, says)
		}
	}
}

// TestFromContext: a context is used where it is asked for, and by nothing else.
func TestFromContext(t *testing.T) {
	config := file(t, "current: prod\ncontexts:\n  prod: {endpoint: 'http://127.0.0.1:1', namespace: ml, token: secret-1}\n")
	for _, tt := range []struct{ name, vars, want string }{
		{"", "", "http://127.0.0.1:1 (context prod), bearer token (context), ml"},
		{"prod", "KFPGO_TOKEN=x", "http://127.0.0.1:1 (context prod), bearer token (context), ml"},
		{"", "KFPGO_TOKEN=x KFPGO_NAMESPACE=n", "http://127.0.0.1:1 (context prod), bearer token (KFPGO_TOKEN), n"},
		{"", "KF_PIPELINES_ENDPOINT=http://127.0.0.1:2", "http://127.0.0.1:2 (KF_PIPELINES_ENDPOINT), , "},
		{"nope", "", `there is no context "nope"; there are prod`},
		{"", "KFPGO_CONTEXT=nope", "KFPGO_CONTEXT: "},
		{"", "KFPGO_CONFIG=" + t.TempDir(), "KFPGO_CONFIG: "},
	} {
		vars := []string{"KFPGO_CONFIG", config}
		for _, v := range strings.Fields(tt.vars) {
			k, v, _ := strings.Cut(v, "=")
			vars = append(vars, k, v)
		}
		env := environment(t, vars...)
		said := func(o Config, err error) string {
			var c *Client
			if err == nil {
				c, err = connect(o, env)
			}
			if err != nil {
				return err.Error()
			}
			at, from := c.Server()
			return at + " (" + from + "), " + c.Credential() + ", " + c.conf.Namespace
		}
		if got := said(fromContext(tt.name, env)); !strings.Contains(got, tt.want) || strings.Contains(got, "secret-1") {
			t.Errorf("%q, %s: got %s, want %s", tt.name, tt.vars, got, tt.want)
		}
		if got := said(Config{}, nil); strings.Contains(got, "context prod") || strings.Contains(got, "KFPGO_CON") {
			t.Errorf("%s: the zero Config reads the file of contexts: %s", tt.vars, got)
		}
	}
	o, err := fromContext("prod", environment(t, "KFPGO_CONFIG", config))
	if err != nil || o.Endpoint != "http://127.0.0.1:1" || o.Token != "secret-1" || o.Namespace != "ml" {
		t.Errorf("%+v, %v", o, err)
	}
	o.Endpoint, o.Token = "http://127.0.0.1:3", "other"
	c := to(t, o)
	if at, from := c.Server(); at != "http://127.0.0.1:3" || from != "given" || c.Credential() != "bearer token (given)" {
		t.Errorf("%s (%s), %s", at, from, c.Credential())
	}
}

// TestProxyToCluster: a cluster of a kubeconfig is reached through the proxy that is given beside it.
func TestProxyToCluster(t *testing.T) {
	asked := make(chan string, 9)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r.URL.Host:
		default:
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	c, err := Connect(Config{Kubeconfig: file(t, strings.Replace(anyCluster, "127.0.0.1:1", "cluster.example", 1)), Proxy: proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Health(t.Context()); err == nil {
		t.Error("what the proxy refuses is healthy")
	}
	select {
	case host := <-asked:
		if host != "cluster.example" {
			t.Errorf("the proxy is asked for %s", host)
		}
	default:
		t.Error("the proxy isn't asked")
	}
}
