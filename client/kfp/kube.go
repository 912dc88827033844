package kfp

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
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

// kubernetes reads a kubeconfig.
func (o *Config) kubernetes() (conf *rest.Config, namespace string, err error) {
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: o.Kubeconfig}, &clientcmd.ConfigOverrides{CurrentContext: o.KubeContext})
	if conf, err = loader.ClientConfig(); err != nil {
		return nil, "", fmt.Errorf("kubeconfig %s: %w", o.Kubeconfig, err)
	}
	namespace, _, err = loader.Namespace()
	return conf, namespace, err
}

// throughKubernetes returns what reaches the server through the API of its cluster,
// as kubectl proxy does, and the address of the server there. The server is the
// service ml-pipeline of namespace kubeflow, or of the one that the UI names.
func (o *Config) throughKubernetes(namespace *string) (http.RoundTripper, string, error) {
	conf, ns, err := o.kubernetes()
	if err != nil {
		return nil, "", err
	}
	if *namespace == "" && ns != "default" && ns != "kubeflow" {
		*namespace = ns
	}
	t, err := rest.TransportFor(conf)
	if err != nil {
		return nil, "", fmt.Errorf("kubeconfig %s: %w", o.Kubeconfig, err)
	}
	host := conf.Host
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	return t, strings.TrimRight(host, "/") + "/api/v1/namespaces/kubeflow/services/ml-pipeline:http/proxy", nil
}
