package kubeop

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// serviceAccount is where a pod has the credentials of its service account.
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// A client speaks to the API of the cluster.
type client struct {
	http      *http.Client
	base      string // https://host:port
	dir       string // of the credentials
	namespace string // of this pod
	pod       string // name of this pod
	getenv    func(string) string

	token string    // in place of the one in dir
	log   io.Writer // progress; nil: nobody reads it
}

// authorize gives a request the client's credentials.
func (k *client) authorize(req *http.Request) error {
	token := k.token
	if k.dir != "" {
		b, err := os.ReadFile(filepath.Join(k.dir, "token")) // each time: the kubelet renews it
		if err != nil {
			return err
		}
		token = strings.TrimSpace(string(b))
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// inCluster returns the client of a pod.
func inCluster(getenv func(string) string, dir string) (*client, error) {
	host, port := getenv("KUBERNETES_SERVICE_HOST"), getenv("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, errors.New("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; on this machine a resource component runs its OnLocal function, and those of package components use the cluster of the file that KUBECONFIG names")
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, fmt.Errorf("the pod has no service account (automountServiceAccountToken must not be false): %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s holds no certificate", filepath.Join(dir, "ca.crt"))
	}
	namespace, err := os.ReadFile(filepath.Join(dir, "namespace"))
	if err != nil {
		return nil, fmt.Errorf("the pod's namespace: %w", err)
	}
	return &client{
		http: web.Stay(web.Client(&http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}, 30*time.Second)),
		base: "https://" + net.JoinHostPort(host, port), dir: dir,
		namespace: strings.TrimSpace(string(namespace)), pod: getenv("HOSTNAME"), getenv: getenv,
	}, nil
}

// A request is a call of the API.
type request struct {
	method, path string
	query        url.Values
	contentType  string
	body         []byte
}

// An apiError is the API's own answer to a request that it refuses.
type apiError struct {
	doing   string
	code    int
	reason  string
	message string
}

func (e *apiError) Error() string {
	msg := cmp.Or(e.message, http.StatusText(e.code))
	if e.reason != "" && !strings.HasPrefix(msg, e.reason) {
		msg = e.reason + ": " + msg
	}
	if e.code == http.StatusForbidden && !strings.Contains(msg, "admission webhook") {
		msg += " (give the service account of the pipeline's pods a Role that allows it)"
	}
	return "can't " + e.doing + ": " + msg
}

func isStatus(err error, code int) bool {
	var e *apiError
	return errors.As(err, &e) && e.code == code
}

// How often a request is sent: tries if the API doesn't get to it, and webhookTries, a minute, if the API
// doesn't reach an admission webhook, since an operator that restarts isn't there for that long.
const (
	tries        = 5
	webhookTries = 10
)

// do sends a request and returns the object of the answer. It tries again where
// that is safe: when the API is not reached, says that it has too much to do, or
// doesn't reach a webhook that it asks before it does anything.
func (k *client) do(ctx context.Context, r request, doing string) (map[string]any, error) {
	wait := firstWait
	for try := 1; ; try++ {
		obj, most, err := k.once(ctx, r, doing)
		if err == nil || try >= most || ctx.Err() != nil {
			return obj, err
		}
		if sleep(ctx, wait) != nil {
			return nil, err
		}
		wait = min(2*wait, maxWait)
	}
}

// once sends a request once. With an error it returns how often such a request is sent at most.
func (k *client) once(ctx context.Context, r request, doing string) (obj map[string]any, most int, err error) {
	safe := 1
	if r.method != http.MethodPost {
		safe = tries
	}
	u := k.base + r.path
	if len(r.query) > 0 {
		u += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, u, bytes.NewReader(r.body))
	if err != nil {
		return nil, 1, fmt.Errorf("can't %s: %w", doing, err)
	}
	if err := k.authorize(req); err != nil {
		return nil, 1, fmt.Errorf("can't %s: %w", doing, err)
	}
	req.Header.Set("Accept", "application/json")
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	resp, err := k.http.Do(req)
	if err != nil {
		return nil, safe, fmt.Errorf("can't %s: %w", doing, err)
	}
	defer resp.Body.Close()
	b, err := web.Read(resp)
	if web.IsTooLarge(err) {
		return nil, 1, fmt.Errorf("can't %s: %w", doing, err)
	}
	if err != nil {
		return nil, safe, fmt.Errorf("can't %s: %w", doing, err)
	}
	if resp.StatusCode >= 300 {
		e := &apiError{doing: doing, code: resp.StatusCode}
		var status struct{ Reason, Message string }
		if json.Unmarshal(b, &status) == nil {
			e.reason, e.message = status.Reason, status.Message
		}
		switch {
		case resp.StatusCode == http.StatusInternalServerError && strings.Contains(e.message, "failed to call webhook"):
			return nil, webhookTries, e
		case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable || resp.StatusCode >= 500 && r.method == http.MethodGet:
			return nil, tries, e
		}
		return nil, 1, e
	}
	if err := web.Object(resp.Header, b); err != nil {
		return nil, 1, fmt.Errorf("can't %s: %w", doing, err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // whole numbers stay exact
	if err := d.Decode(&obj); err != nil {
		return nil, 1, fmt.Errorf("can't %s: the answer is not an object: %w", doing, err)
	}
	return obj, 1, nil
}

// self returns the pod of this process, for what it says.
func (k *client) self(ctx context.Context, what string) (map[string]any, error) {
	path := "/api/v1/namespaces/" + url.PathEscape(k.namespace) + "/pods/" + url.PathEscape(k.pod)
	return k.do(ctx, request{method: "GET", path: path}, "get this pod, for "+what)
}

// ownImage returns the image of this program: what the compiler has set, or
// else what the pod says.
func (k *client) ownImage(ctx context.Context) (string, error) {
	if image := k.getenv(contract.ImageVar); image != "" {
		return image, nil
	}
	pod, err := k.self(ctx, "its image")
	if err != nil {
		return "", err
	}
	containers := objects(pod, "spec", "containers")
	for _, c := range containers {
		if image, ok := c["image"].(string); ok && (c["name"] == "main" || len(containers) == 1) {
			return image, nil
		}
	}
	return "", errors.New("the pod doesn't say which image this program is in; set KFPGO_IMAGE")
}
