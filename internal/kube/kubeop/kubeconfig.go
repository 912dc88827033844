package kubeop

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// connect returns the client of a pod, or elsewhere that of the file that
// KUBECONFIG names: a cluster is touched from a machine only if that is set.
func connect(getenv func(string) string) (*client, error) {
	if getenv("KUBERNETES_SERVICE_HOST") == "" && getenv("KUBECONFIG") != "" {
		return fromKubeconfig(getenv("KUBECONFIG"), getenv)
	}
	return inCluster(getenv, serviceAccount)
}

// A kubeconfig has the fields that are read from such a file.
type kubeconfig struct {
	Current  string `yaml:"current-context"`
	Contexts []struct {
		Name    string
		Context struct{ Cluster, User, Namespace string }
	}
	Clusters []struct {
		Name    string
		Cluster struct {
			Server string
			CA     string `yaml:"certificate-authority"`
			CAData string `yaml:"certificate-authority-data"`
		}
	}
	Users []struct {
		Name string
		User struct {
			Token    string
			Cert     string `yaml:"client-certificate"`
			CertData string `yaml:"client-certificate-data"`
			Key      string `yaml:"client-key"`
			KeyData  string `yaml:"client-key-data"`
			Exec     any    `yaml:"exec"`
			Provider any    `yaml:"auth-provider"`
		}
	}
}

func fromKubeconfig(file string, getenv func(string) string) (*client, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("KUBECONFIG: %w", err)
	}
	var c kubeconfig
	if err := yaml.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("KUBECONFIG=%s: %w", file, err)
	}
	bad := func(format string, args ...any) (*client, error) {
		return nil, fmt.Errorf("KUBECONFIG=%s: "+format, append([]any{file}, args...)...)
	}
	k := &client{namespace: "default", getenv: getenv}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	found := false
	for _, x := range c.Contexts {
		if x.Name != c.Current {
			continue
		}
		if x.Context.Namespace != "" {
			k.namespace = x.Context.Namespace
		}
		for _, cl := range c.Clusters {
			if cl.Name != x.Context.Cluster {
				continue
			}
			found = true
			k.base = strings.TrimRight(cl.Cluster.Server, "/")
			if ca, err := part(file, cl.Cluster.CA, cl.Cluster.CAData); err != nil {
				return bad("%w", err)
			} else if ca != nil {
				t.RootCAs = x509.NewCertPool()
				if !t.RootCAs.AppendCertsFromPEM(ca) {
					return bad("cluster %s has no certificate", cl.Name)
				}
			}
		}
		for _, u := range c.Users {
			if u.Name != x.Context.User {
				continue
			}
			if u.User.Exec != nil || u.User.Provider != nil {
				return bad("user %s gets its credentials from a program; use one with a token or a certificate", u.Name)
			}
			k.token = u.User.Token
			cert, err1 := part(file, u.User.Cert, u.User.CertData)
			key, err2 := part(file, u.User.Key, u.User.KeyData)
			if err := errors.Join(err1, err2); err != nil {
				return bad("%w", err)
			}
			if cert != nil {
				pair, err := tls.X509KeyPair(cert, key)
				if err != nil {
					return bad("user %s: %w", u.Name, err)
				}
				t.Certificates = []tls.Certificate{pair}
			}
		}
	}
	if !found {
		return bad("no cluster for the context %q", c.Current)
	}
	k.http = web.Stay(web.Client(&http.Transport{TLSClientConfig: t}, 30*time.Second))
	return k, nil
}

// part returns a file that a kubeconfig names or holds.
func part(config, file, data string) ([]byte, error) {
	if data != "" {
		return base64.StdEncoding.DecodeString(data)
	}
	if file == "" {
		return nil, nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(config), file)
	}
	return os.ReadFile(file)
}
