// Package argo is the connection to Argo Workflows: runs are Workflows, and
// schedules are CronWorkflows. It speaks to the API of Kubernetes, so it needs no
// Argo server.
package argo

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	argotarget "github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/internal/contexts"
	"github.com/kfpgo/kfpgo/internal/scrub"
)

// A Config says where the cluster is and how to be let in. What is empty comes from
// the environment, then from the context, then from a kubeconfig as kubectl finds
// it, and then from the pod that the program runs in. So the zero Config is what
// the kfpgo command uses.
type Config struct {
	Context string // name of one of kfpgo context; empty: KFPGO_CONTEXT, else the current one if it is of Argo

	Kubeconfig  string // file; KUBECONFIG
	KubeContext string // of the kubeconfig; default: its current one
	Namespace   string // of the Workflows; KFPGO_NAMESPACE; default: that of the kubeconfig's context

	Endpoint  string // URL of the API of Kubernetes, in place of a kubeconfig
	Token     string // KFPGO_TOKEN
	TokenFile string // read again when it changes
	CA        string // file with the certificates that are trusted
	Cert, Key string // files: the client's certificate
	Insecure  bool   // take any certificate

	// Store is the URL at which the artifact repository's S3 store is reached from
	// here; KFPGO_STORE. Empty: at its own endpoint, through the API of Kubernetes if
	// that is a service of the cluster.
	Store string

	Timeout time.Duration // of one request; default 30 seconds
}

// A Client is a connection to the Argo of a cluster.
type Client struct {
	conf      Config
	namespace string
	from      string // where the credential came from
	secrets   *scrub.Set

	mu   sync.Mutex
	http *http.Client
	base string
	made time.Time
}

// Connect returns a connection. Nothing is sent before the first call.
//
//	c, err := argo.Connect(argo.Config{Namespace: "ml"})
func Connect(o Config) (*Client, error) {
	if err := o.fill(contexts.Getenv); err != nil {
		return nil, fmt.Errorf("argo: %w", err)
	}
	c := &Client{conf: o, secrets: &scrub.Set{}}
	c.secrets.Add(o.Token)
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("argo: %w", err)
	}
	return c, nil
}

// Engine returns argo.
func (*Client) Engine() string { return "argo" }

// Target returns what pipelines are compiled for.
func (*Client) Target() compiler.Target { return argotarget.Workflow }

// Namespace returns the namespace of the Workflows.
func (c *Client) Namespace() string { return c.namespace }

func (o *Config) fill(getenv func(string) string) error {
	file, err := contexts.Load(getenv)
	if err != nil {
		return err
	}
	name := cmp.Or(o.Context, getenv("KFPGO_CONTEXT"))
	ctx, err := file.Get(name)
	if err != nil {
		return err
	}
	if ctx.Engine == "argo" {
		if o.Endpoint == "" && o.Kubeconfig == "" {
			o.Endpoint, o.Kubeconfig = ctx.Endpoint, ctx.Kubeconfig
		}
		o.KubeContext = cmp.Or(o.KubeContext, ctx.KubeContext)
		o.Namespace = cmp.Or(o.Namespace, getenv("KFPGO_NAMESPACE"), ctx.Namespace)
		if o.Token == "" && o.TokenFile == "" {
			o.Token, o.TokenFile = ctx.Token, ctx.TokenFile
		}
		o.CA, o.Cert, o.Key = cmp.Or(o.CA, ctx.CA), cmp.Or(o.Cert, ctx.Cert), cmp.Or(o.Key, ctx.Key)
		o.Insecure = o.Insecure || ctx.Insecure
		o.Store = cmp.Or(o.Store, getenv("KFPGO_STORE"), ctx.Store)
	} else if name != "" {
		return fmt.Errorf("context %s is of KFP, not of Argo; choose another one with --context", name)
	}
	o.Namespace = cmp.Or(o.Namespace, getenv("KFPGO_NAMESPACE"))
	o.Store = cmp.Or(o.Store, getenv("KFPGO_STORE"))
	if o.TokenFile == "" {
		o.Token = cmp.Or(o.Token, getenv("KFPGO_TOKEN"))
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	return nil
}

// reach returns what load has made last.
func (c *Client) reach() (h *http.Client, base, from string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.http, c.base, c.from
}

// load makes the HTTP client of the Config, reading what it names again.
func (c *Client) load() error {
	conf, ns, from, err := c.conf.rest()
	if err != nil {
		return err
	}
	conf.Wrap(c.secrets.Watch) // below what puts the credential in
	h, err := rest.HTTPClientFor(conf)
	if err != nil {
		return err
	}
	host := conf.Host
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.http, c.base, c.from, c.made = h, strings.TrimRight(host, "/"), from, time.Now()
	if c.namespace == "" { // it stays what it was at first: calls under way read it
		c.namespace = cmp.Or(c.conf.Namespace, ns, "default")
	}
	return nil
}

// rest returns how to reach the API of Kubernetes.
func (o *Config) rest() (conf *rest.Config, namespace, from string, err error) {
	if o.Endpoint != "" {
		if u, err := url.Parse(o.Endpoint); err != nil || u.User != nil {
			return nil, "", "", errors.New("the endpoint is no URL, or holds a password, which messages and other programs would show; use a token file or a kubeconfig")
		}
		conf = &rest.Config{Host: o.Endpoint, BearerToken: o.Token, BearerTokenFile: o.TokenFile, TLSClientConfig: rest.TLSClientConfig{
			CAFile: o.CA, CertFile: o.Cert, KeyFile: o.Key, Insecure: o.Insecure,
		}}
		switch {
		case o.TokenFile != "":
			from = "the token in " + o.TokenFile
		case o.Token != "":
			from = "a token"
		case o.Cert != "":
			from = "the certificate in " + o.Cert
		default:
			from = "no credential"
		}
		return conf, "", from, nil
	}
	file := o.Kubeconfig
	if file == "" && os.Getenv("KUBECONFIG") == "" {
		home, _ := os.UserHomeDir()
		if _, err := os.Stat(filepath.Join(home, ".kube", "config")); err != nil {
			if conf, err := rest.InClusterConfig(); err == nil {
				b, _ := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
				return conf, strings.TrimSpace(string(b)), "the service account of this pod", nil
			}
			return nil, "", "", errors.New("no cluster is known: there is no kubeconfig, and this is no pod; give --kubeconfig, set KUBECONFIG, or make a context: kfpgo context set NAME --engine argo --kubeconfig FILE")
		}
	}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&clientcmd.ClientConfigLoadingRules{
		ExplicitPath: file, Precedence: precedence(),
	}, &clientcmd.ConfigOverrides{CurrentContext: o.KubeContext})
	from = "the kubeconfig " + cmp.Or(file, os.Getenv("KUBECONFIG"), "~/.kube/config")
	if conf, err = loader.ClientConfig(); err != nil {
		return nil, "", "", fmt.Errorf("%s: %w", from, err)
	}
	if o.Token != "" || o.TokenFile != "" {
		conf.BearerToken, conf.BearerTokenFile = o.Token, o.TokenFile
		from = "the token given beside " + from
	}
	namespace, _, err = loader.Namespace()
	return conf, namespace, from, err
}

func precedence() []string {
	if list := filepath.SplitList(os.Getenv("KUBECONFIG")); len(list) > 0 {
		return list
	}
	home, _ := os.UserHomeDir()
	return []string{filepath.Join(home, ".kube", "config")}
}

var (
	_ client.Client    = (*Client)(nil)
	_ client.Scheduler = (*Client)(nil)
)
