package kfp

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// A Config says where the server is and how to authenticate to it. What is empty comes
// from the variables of the environment that the fields name, and then from where the
// program runs: inside of a cluster, or beside a kubeconfig. The file of contexts of the
// kfpgo command is read by [FromContext] only.
type Config struct {
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
	LoginHost         string // HOST[:PORT] of Login's page where that isn't the endpoint's; no other server is given the password
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

	of  contexts.Origin
	env *contexts.Env // what came from it
}

// FromContext returns the Config of a context that kfpgo context set has made. Without a
// name it is what the command uses: KF_PIPELINES_ENDPOINT, or else the context of
// KFPGO_CONTEXT, or else the current one. Variables of the environment win over what the
// context says, but not over the server and the credential of one that is named. It is not an
// error if there is no context; then Connect looks where the program runs.
func FromContext(name string) (Config, error) { return fromContext(name, contexts.Getenv) }

func fromContext(name string, getenv func(string) string) (o Config, err error) {
	s, of, err := contexts.Choose(name, "kfp", getenv)
	if err != nil {
		return o, fmt.Errorf("kfp: %w", err)
	}
	contexts.Match(&o, s)
	o.of = of
	return o, nil
}

// clusterTokens are where a pod of Kubeflow has its token for the server.
const clusterToken = "/var/run/secrets/kubeflow/pipelines/token"

// fill completes a Config. The result says where the endpoint and the credential came from.
func (o *Config) fill(getenv func(string) string) (from, credential string, err error) {
	o.env = contexts.NewEnv(getenv)
	s := &contexts.Settings{Engine: "kfp"}
	contexts.Match(s, o)
	o.env.Under(s, o.of.Named)
	if err := s.Check(); err != nil {
		return "", "", err
	}
	contexts.Match(o, s)
	o.Zone = o.env.Or(o.Zone, "KFPGO_CLUSTER_ZONE")
	o.UI, o.UserHeader = open(o.UI), cmp.Or(o.UserHeader, "kubeflow-userid")
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	credential, _, _ = strings.Cut(o.env.From("credential", s, &o.of), " ") // the context's name is the endpoint's
	if from = o.env.From("place", s, &o.of); from == "" {
		from, err = o.surroundings(getenv)
	}
	return from, credential, err
}

// surroundings finds the server where nothing names one.
func (o *Config) surroundings(getenv func(string) string) (string, error) {
	if getenv("KUBERNETES_SERVICE_HOST") != "" {
		o.Endpoint = "http://ml-pipeline.kubeflow.svc.cluster.local:8888"
		o.Namespace = cmp.Or(o.Namespace, kubeapi.PodNamespace())
		return "this cluster", nil
	}
	if k := kubeconfig(getenv); k != "" {
		o.Kubeconfig = k
		return "kubeconfig " + k, nil
	}
	return "", errors.New("no server is known: give --endpoint URL (Config.Endpoint), set KF_PIPELINES_ENDPOINT, or make a context: kfpgo context set NAME --endpoint URL (kfp.FromContext reads it)")
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
		return nil, errors.New("the endpoint is not a URL") // whose text may hold a password
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

// open returns the address of pages without credentials: links show it.
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
	return gateway.Link{CA: o.CA, Env: o.env, Cert: o.Cert, Key: o.Key, Insecure: o.Insecure, Proxy: o.Proxy}
}
