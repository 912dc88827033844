package gateway

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"

	"k8s.io/client-go/rest"

	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// A Link is how a server is reached.
type Link struct {
	CA        string        // file with the certificates that are trusted, beside the machine's
	Env       *contexts.Env // nil: all of this was given
	Cert, Key string        // files: the client's certificate
	Insecure  bool          // take any certificate
	Proxy     string        // URL
}

// Base makes the transport below.
func (o Link) Base() (*http.Transport, error) {
	base := http.DefaultTransport.(*http.Transport).Clone()
	conf := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.Insecure}
	if o.CA != "" {
		pem, err := os.ReadFile(o.CA)
		if err != nil {
			return nil, o.Env.Blame("KFPGO_CA", fmt.Errorf("the certificate authority: %w", err))
		}
		if conf.RootCAs, err = x509.SystemCertPool(); err != nil {
			conf.RootCAs = x509.NewCertPool()
		}
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, o.Env.Blame("KFPGO_CA", fmt.Errorf("the certificate authority: %s holds no certificate in PEM", o.CA))
		}
	}
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("a client's certificate takes two files, the certificate and its key; one is missing")
	}
	if o.Cert != "" {
		// Read for each connection, so that a new certificate needs no new start.
		if _, err := tls.LoadX509KeyPair(o.Cert, o.Key); err != nil {
			return nil, fmt.Errorf("the client's certificate: %w", err)
		}
		conf.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			c, err := tls.LoadX509KeyPair(o.Cert, o.Key)
			return &c, err
		}
	}
	base.TLSClientConfig = conf
	if o.Proxy != "" {
		u, err := proxyURL(o.Proxy)
		if err != nil {
			return nil, err
		}
		base.Proxy = http.ProxyURL(u)
	}
	return base, nil
}

func proxyURL(proxy string) (*url.URL, error) {
	u, err := url.Parse(proxy)
	if err != nil || u.Host == "" {
		return nil, errors.New("the proxy is not a URL")
	}
	return u, nil
}

// Over sets the fields that are given beside a kubeconfig, as the flags of kubectl do. Certificates of authorities are trusted beside
// those of the kubeconfig.
func (o Link) Over(conf *rest.Config) error {
	if o.CA != "" {
		pem, err := os.ReadFile(o.CA)
		if err != nil {
			return o.Env.Blame("KFPGO_CA", fmt.Errorf("the certificate authority: %w", err))
		}
		if err := rest.LoadTLSFiles(conf); err != nil {
			return err
		}
		conf.CAFile, conf.CAData = "", slices.Concat(conf.CAData, []byte("\n"), pem)
	}
	if o.Cert != "" {
		conf.CertFile, conf.KeyFile, conf.CertData, conf.KeyData = o.Cert, o.Key, nil, nil
	}
	if o.Insecure {
		conf.Insecure, conf.CAFile, conf.CAData = true, "", nil
	}
	if o.Proxy != "" {
		u, err := proxyURL(o.Proxy)
		if err != nil {
			return err
		}
		conf.Proxy = http.ProxyURL(u)
	}
	return nil
}
