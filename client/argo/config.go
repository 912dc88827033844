// Package argo is the connection to Argo Workflows: runs are Workflows, and
// schedules are CronWorkflows. It speaks to the API of Kubernetes, or, where a
// [Config] has one, to the Argo server.
package argo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/compiler"
	argotarget "github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
)

// A Config says where the cluster is and how to authenticate to it. What is empty comes
// from the environment, then from a kubeconfig as kubectl finds it, and then from the pod
// that the program runs in. The file of contexts of the kfpgo command is read by
// [FromContext] only.
type Config struct {
	// Server is the URL of the Argo server, or its HOST:PORT, for who has no access to
	// Kubernetes; ARGO_SERVER. Argo's other variables go with it: ARGO_TOKEN,
	// ARGO_NAMESPACE, ARGO_SECURE, ARGO_INSECURE_SKIP_VERIFY and ARGO_BASE_HREF.
	Server string

	Kubeconfig  string // file; KUBECONFIG
	KubeContext string // of the kubeconfig; default: its current one
	Namespace   string // of the Workflows; KFPGO_NAMESPACE; default: that of the kubeconfig's context

	Endpoint  string // URL of the API of Kubernetes, in place of a kubeconfig
	CA        string // file with the certificates that are trusted; KFPGO_CA
	Cert, Key string // files: the client's certificate
	Insecure  bool   // take any certificate
	Proxy     string // URL of a proxy; default: HTTPS_PROXY and its kin

	// At most one of these.
	Token        string   // KFPGO_TOKEN, and ARGO_TOKEN for the Argo server
	TokenFile    string   // read again when it changes
	TokenCommand []string // of Server: prints a token; run again when that is refused

	// Store is the URL at which the artifact repository's S3 store is reached from
	// here; KFPGO_STORE. Empty: at its own endpoint, through the API of Kubernetes if
	// that is a service of the cluster.
	Store string

	Timeout time.Duration // of one request; default 30 seconds

	of                    contexts.Origin
	serverFrom, tokenFrom string // where they came from
	plain                 bool   // the Argo server speaks http, if its address doesn't say
	path                  string // of the Argo server, if its address has none
	env                   *contexts.Env
}

// A Client is a connection to the Argo of a cluster.
type Client struct {
	conf      Config
	namespace string
	access    access
}

// Connect returns a connection. Nothing is sent before the first call, and no file of
// contexts is read: those are for [FromContext].
//
//	c, err := argo.Connect(argo.Config{Namespace: "ml"})
func Connect(o Config) (*Client, error) {
	if err := o.fill(contexts.Getenv); err != nil {
		return nil, fmt.Errorf("argo: %w", err)
	}
	if o.Server != "" {
		s, err := newServer(&o)
		if err != nil {
			return nil, fmt.Errorf("argo: %w", err)
		}
		return &Client{o, o.Namespace, s}, nil
	}
	k := &cluster{conf: o, secrets: &scrub.Set{}}
	k.secrets.Add(o.Token)
	if err := k.load(); err != nil {
		return nil, fmt.Errorf("argo: %w", err)
	}
	return &Client{o, k.namespace, k}, nil
}

// Engine returns argo.
func (*Client) Engine() string { return "argo" }

// Target returns what pipelines are compiled for.
func (*Client) Target() compiler.Target { return argotarget.Workflow }

// Namespace returns the namespace of the Workflows.
func (c *Client) Namespace() string { return c.namespace }

// Server says what is spoken to, the Argo server or the API of Kubernetes, and with
// which credential, for people.
func (c *Client) Server() (address, credential string) { return c.access.reach() }

// Health asks if Argo is there and lets its Workflows be listed. It returns the version
// of the Argo server, "" without one.
func (c *Client) Health(ctx context.Context) (version string, err error) {
	if version, err = c.access.version(ctx); err != nil {
		return "", err
	}
	return version, c.do(ctx, request{op: "list runs", action: list, kind: workflows, labels: labelToken + "=none", into: new(wfv1.WorkflowList)})
}

// link returns the fields of the connection.
func (o *Config) link() gateway.Link {
	return gateway.Link{CA: o.CA, Env: o.env, Cert: o.Cert, Key: o.Key, Insecure: o.Insecure, Proxy: o.Proxy}
}

// rest returns how to reach the API of Kubernetes.
func (o *Config) rest() (conf *rest.Config, namespace, from string, err error) {
	if conf, namespace, from, err = o.found(); err == nil {
		err = o.link().Over(conf)
	}
	return conf, namespace, from, err
}

// found returns how to reach the API of Kubernetes by the endpoint, a kubeconfig or the pod.
func (o *Config) found() (conf *rest.Config, namespace, from string, err error) {
	if o.Endpoint != "" {
		if u, err := url.Parse(o.Endpoint); err != nil || u.User != nil {
			return nil, "", "", errors.New("the endpoint is not a URL, or has a password, which messages and other programs would show; use a token file or a kubeconfig")
		}
		conf = &rest.Config{Host: o.Endpoint, BearerToken: o.Token, BearerTokenFile: o.TokenFile}
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
				return conf, kubeapi.PodNamespace(), "the service account of this pod", nil
			}
			return nil, "", "", errors.New("no cluster is known: there is no kubeconfig, and this process is not in a pod; give --kubeconfig or --argo-server, set KUBECONFIG or ARGO_SERVER, or create a context: kfpgo context set NAME --engine argo --kubeconfig FILE (argo.FromContext reads it)")
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
