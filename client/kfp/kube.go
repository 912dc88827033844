package kfp

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/client/internal/portforward"
)

// kubeconfig returns the file that kubectl would read, if there is one.
func kubeconfig(getenv func(string) string) string {
	for _, f := range append(filepath.SplitList(getenv("KUBECONFIG")), filepath.Join(getenv("HOME"), ".kube", "config")) {
		if _, err := os.Stat(f); f != "" && err == nil {
			return f
		}
	}
	return ""
}

// reaching returns the configuration with the kubeconfig that kubectl would read, where
// none is given and this process is not in a pod.
func (c *Client) reaching() *Config {
	o := c.conf
	if o.Kubeconfig == "" && os.Getenv("KUBERNETES_SERVICE_HOST") == "" {
		o.Kubeconfig = kubeconfig(os.Getenv)
	}
	return &o
}

// kubernetes reads a kubeconfig.
func (o *Config) kubernetes() (conf *rest.Config, namespace string, err error) {
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: o.Kubeconfig}, &clientcmd.ConfigOverrides{CurrentContext: o.KubeContext})
	if conf, err = loader.ClientConfig(); err != nil {
		return nil, "", fmt.Errorf("kubeconfig %s: %w", o.Kubeconfig, err)
	}
	if o.Endpoint == "" { // else it is of the server
		if err := o.link().Over(conf); err != nil {
			return nil, "", err
		}
	}
	namespace, _, err = loader.Namespace()
	return conf, namespace, err
}

// The ways through the API of a cluster.
const (
	serviceProxy = "service-proxy"
	portForward  = "port-forward"
)

// service returns the name and the namespace of the server's service.
func (o *Config) service() (name, namespace string, err error) {
	name, namespace, ok := strings.Cut(cmp.Or(o.Service, "ml-pipeline.kubeflow"), ".")
	if !ok || name == "" || namespace == "" || strings.Contains(namespace, ".") {
		return "", "", fmt.Errorf("service %q: say NAME.NAMESPACE, such as ml-pipeline.kubeflow", o.Service)
	}
	return name, namespace, nil
}

// throughKubernetes returns what reaches the server through the API of its cluster,
// as kubectl proxy or port-forward do, and the address of the server there.
func (c *Client) throughKubernetes(o *Config) (http.RoundTripper, string, error) {
	name, in, err := o.service()
	if err != nil {
		return nil, "", err
	}
	conf, ns, err := o.kubernetes()
	if err != nil {
		return nil, "", err
	}
	if o.Namespace == "" && ns != "default" && ns != in {
		o.Namespace = ns
	}
	switch o.Via {
	case portForward:
		if c.forward, err = portforward.New(conf); err != nil {
			return nil, "", fmt.Errorf("kubeconfig %s: %w", o.Kubeconfig, err)
		}
		base := http.DefaultTransport.(*http.Transport).Clone()
		base.DialContext, base.Proxy = c.forward.DialContext, nil
		base.IdleConnTimeout = 30 * time.Second
		return base, "http://" + name + "." + in + ":8888", nil
	case "", serviceProxy:
	default:
		return nil, "", o.env.Blame("KFPGO_VIA", fmt.Errorf("via %q: say %s or %s", o.Via, serviceProxy, portForward))
	}
	conf.Wrap(c.t.Secrets.Watch) // below what puts the credential in
	t, err := rest.TransportFor(conf)
	if err != nil {
		return nil, "", fmt.Errorf("kubeconfig %s: %w", o.Kubeconfig, err)
	}
	c.kube = true
	return t, kubeapi.Base(conf) + "/api/v1/namespaces/" + in + "/services/" + name + ":http/proxy", nil
}

// inCluster returns the API of the cluster whose pod this is; nil for none.
func inCluster() (*kubeapi.Client, error) {
	conf, err := rest.InClusterConfig()
	if errors.Is(err, rest.ErrNotInCluster) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return kubeapi.New(conf)
}
