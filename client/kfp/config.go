package kfp

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/internal/contexts"
)

// A Config says where the server is and how to be let in. What is empty comes from
// the environment, then from the context, and then from where the program runs:
// inside of a cluster, or beside a kubeconfig. So the zero Config is what the
// kfpgo command uses.
type Config struct {
	Context string // name of one of kfpgo context; empty: KFPGO_CONTEXT, else the current one

	Endpoint  string // URL of the server, with the path that its API is below; KF_PIPELINES_ENDPOINT
	UI        string // URL of its pages, for links; KF_PIPELINES_UI_ENDPOINT
	Namespace string // of experiments and runs, on servers with many users; KFPGO_NAMESPACE

	// At most one of these. A file is read again when it changes, and a command is
	// run again when its token is refused.
	Token        string   // KFPGO_TOKEN
	TokenFile    string   // KF_PIPELINES_SA_TOKEN_PATH
	TokenCommand []string // prints a token on its standard output
	Cookie       string   // of a session in a browser, NAME=VALUE; KFPGO_COOKIE
	Login        string   // name for Dex's login page, with PasswordFile or KFPGO_PASSWORD

	IAPClient string // client id of Google's Identity-Aware Proxy, with ServiceAccountKey; KF_PIPELINES_IAP_OAUTH2_CLIENT_ID

	PasswordFile      string // of Login
	ServiceAccountKey string // file, of IAPClient; GOOGLE_APPLICATION_CREDENTIALS
	User              string // who the user is, for servers that believe UserHeader; KFPGO_USER
	UserHeader        string // default kubeflow-userid

	CA        string // file with the certificates that are trusted, beside the machine's
	Cert, Key string // files: the client's certificate
	Insecure  bool   // take any certificate
	Proxy     string // URL of a proxy; default: HTTPS_PROXY and its kin

	Kubeconfig  string // file; the server is reached through the API of its cluster
	KubeContext string // of the kubeconfig; default: its current one
	Via         string // with a kubeconfig: service-proxy, the default, or port-forward; KFPGO_VIA
	Service     string // with a kubeconfig: NAME.NAMESPACE of the server; default ml-pipeline.kubeflow

	// Where artifacts are known and kept. What is empty is reached as the server's own
	// cluster has it, which takes a kubeconfig or a pod of that cluster.
	Metadata string // HOST:PORT of ML Metadata; KFPGO_METADATA
	Store    string // URL of the S3 store; KFPGO_STORE

	Experiment string        // for runs that name none; KF_PIPELINES_DEFAULT_EXPERIMENT_NAME
	Zone       string        // that the server's crons go by, its CRON_SCHEDULE_TIMEZONE; KFPGO_CLUSTER_ZONE, default UTC
	Timeout    time.Duration // of one request; default 30 seconds
}

// clusterTokens are where a pod of Kubeflow has its token for the server.
const clusterToken = "/var/run/secrets/kubeflow/pipelines/token"

// namespaceFile says in which namespace a pod runs.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// fill completes a Config. The result says where the endpoint came from.
func (o *Config) fill(getenv func(string) string) (from string, err error) {
	o.Zone = cmp.Or(o.Zone, getenv("KFPGO_CLUSTER_ZONE"))
	file, err := contexts.Load(getenv)
	if err != nil {
		return "", err
	}
	name := cmp.Or(o.Context, getenv("KFPGO_CONTEXT"))
	c, err := file.Get(name)
	if err != nil {
		return "", err
	}
	if c.Engine == "argo" && (o.Context != "" || o.Endpoint == "" && getenv("KF_PIPELINES_ENDPOINT") == "") {
		return "", fmt.Errorf("context %s is of Argo, not of KFP; choose another one with --context", cmp.Or(name, file.Current))
	}
	switch {
	case o.Endpoint != "" || o.Kubeconfig != "":
		from = "given"
	case o.Context == "" && getenv("KF_PIPELINES_ENDPOINT") != "":
		from = "KF_PIPELINES_ENDPOINT"
		o.Endpoint = getenv(from)
	case c.Endpoint != "" || c.Kubeconfig != "":
		from = "context " + cmp.Or(name, file.Current)
		o.Endpoint, o.Kubeconfig, o.KubeContext = c.Endpoint, c.Kubeconfig, cmp.Or(o.KubeContext, c.KubeContext)
	default:
		c = &contexts.Context{Namespace: c.Namespace}
	}
	if from == "given" && o.Context == "" {
		c = &contexts.Context{} // its secrets are for another server
	}
	o.UI = open(cmp.Or(o.UI, getenv("KF_PIPELINES_UI_ENDPOINT"), c.UI))
	o.Namespace = cmp.Or(o.Namespace, getenv("KFPGO_NAMESPACE"), c.Namespace)
	o.Experiment = cmp.Or(o.Experiment, getenv("KF_PIPELINES_DEFAULT_EXPERIMENT_NAME"), c.Experiment)
	o.User = cmp.Or(o.User, getenv("KFPGO_USER"), c.User)
	o.UserHeader = cmp.Or(o.UserHeader, c.UserHeader, "kubeflow-userid")
	o.CA, o.Proxy = cmp.Or(o.CA, getenv("KFPGO_CA"), c.CA), cmp.Or(o.Proxy, c.Proxy)
	if o.Cert == "" && o.Key == "" {
		o.Cert, o.Key = c.Cert, c.Key
	}
	o.Insecure = o.Insecure || c.Insecure
	o.Via, o.Service = cmp.Or(o.Via, getenv("KFPGO_VIA"), c.Via), cmp.Or(o.Service, c.Service)
	o.Metadata, o.Store = cmp.Or(o.Metadata, getenv("KFPGO_METADATA"), c.Metadata), cmp.Or(o.Store, getenv("KFPGO_STORE"), c.Store)
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if from == "" {
		from, err = o.surroundings(getenv)
	}
	return from, err
}

// surroundings finds the server of a program that was told nothing.
func (o *Config) surroundings(getenv func(string) string) (string, error) {
	if getenv("KUBERNETES_SERVICE_HOST") != "" {
		o.Endpoint = "http://ml-pipeline.kubeflow.svc.cluster.local:8888"
		if o.Namespace == "" {
			if b, err := os.ReadFile(namespaceFile); err == nil {
				o.Namespace = strings.TrimSpace(string(b))
			}
		}
		return "this cluster", nil
	}
	if k := kubeconfig(getenv); k != "" {
		o.Kubeconfig = k
		return "kubeconfig " + k, nil
	}
	return "", errors.New("no server is known: give --endpoint URL (Config.Endpoint), set KF_PIPELINES_ENDPOINT, or make a context: kfpgo context set NAME --endpoint URL")
}

// address reads an endpoint. A bare host is one of https, as for KFP's SDK, unless it is
// this machine or a service of the cluster, and a path is kept.
func address(endpoint string) (*url.URL, error) {
	text := strings.TrimSpace(endpoint)
	if !strings.Contains(text, "://") {
		scheme := "https://"
		if u, err := url.Parse("http://" + text); err == nil && near(u.Hostname()) {
			scheme = "http://"
		}
		text = scheme + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the endpoint is no URL") // whose text may hold a password
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("endpoint %s: must begin with http:// or https://", u.Redacted())
	case u.Host == "":
		return nil, fmt.Errorf("endpoint %s: has no host", u.Redacted())
	case u.User != nil:
		return nil, fmt.Errorf("endpoint %s: holds a password, which messages and other programs would show; use a token file or a context", u.Redacted())
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimRight(u.Path, "/")
	// People copy the address of a page: #/runs is gone with the fragment, and the API
	// is beside the pages.
	u.Path = strings.TrimSuffix(u.Path, "/apis/v2beta1")
	return u, nil
}

// open returns the address of pages without what lets somebody in: links show it.
func open(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// near reports whether a host is this machine, or a service of the cluster that this is
// a pod of: they speak http.
func near(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".svc") || strings.Contains(host, ".svc.") || strings.HasSuffix(host, ".localhost")
}

// noRedirects hands redirects to the transport's caller, which knows login pages.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// link is what is below the requests.
func (o *Config) link() gateway.Link {
	return gateway.Link{CA: o.CA, Cert: o.Cert, Key: o.Key, Insecure: o.Insecure, Proxy: o.Proxy}
}
