package argo

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// The kinds of objects, as the paths of Kubernetes' API name them.
const (
	configMaps = "/api/v1/namespaces/%s/configmaps"
	podsPath   = "/api/v1/namespaces/%s/pods"
)

var places = map[kind]string{
	workflows:     "/apis/argoproj.io/v1alpha1/namespaces/%s/workflows",
	cronWorkflows: "/apis/argoproj.io/v1alpha1/namespaces/%s/cronworkflows",
}

// A cluster is the access by the API of Kubernetes.
type cluster struct {
	conf      Config
	namespace string
	secrets   *scrub.Set

	mu   sync.Mutex
	http *http.Client
	base string
	from string // where the credential came from
}

// client returns what load has made last.
func (c *cluster) client() (h *http.Client, base, from string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.http, c.base, c.from
}

func (c *cluster) reach() (address, credential string) {
	_, base, from := c.client()
	return base, from
}

// load makes the HTTP client of the Config, reading what it names again.
func (c *cluster) load() error {
	conf, ns, from, err := c.conf.rest()
	if err != nil {
		return err
	}
	conf.Wrap(c.secrets.Watch) // below what puts the credential in
	h, err := rest.HTTPClientFor(conf)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.http, c.base, c.from = web.Stay(h), kubeapi.Base(conf), from
	if c.namespace == "" { // it stays what it was at first: calls under way read it
		c.namespace = cmp.Or(c.conf.Namespace, ns, "default")
	}
	return nil
}

func (c *cluster) kubernetes(string, string) (*cluster, error) { return c, nil }

func (c *cluster) version(context.Context) (string, error) { return "", nil }

func (c *cluster) do(ctx context.Context, r request) error {
	q := call{op: r.op, method: http.MethodGet, path: places[r.kind], into: r.into, unclear: r.unclear}
	if r.action != list && r.action != post {
		q.path = below(q.path, r.name)
	}
	switch r.action {
	case list:
		q.query = url.Values{"limit": {strconv.Itoa(r.limit())}}
		if r.labels != "" {
			q.query.Set("labelSelector", r.labels)
		}
		if r.next != "" {
			q.query.Set("continue", r.next)
		}
	case post:
		q.method, q.body = http.MethodPost, r.object
	case put:
		q.method, q.body = http.MethodPut, r.object
	case remove:
		policy := "Background"
		if r.orphan {
			policy = "Orphan"
		}
		return c.remove(ctx, r.op, places[r.kind], r.name, policy)
	case terminate:
		return c.patch(ctx, r.op, places[r.kind], r.name, map[string]any{"spec": map[string]any{"shutdown": "Terminate"}}, r.into)
	case pause:
		return c.patch(ctx, r.op, places[r.kind], r.name, map[string]any{"spec": map[string]any{"suspend": true}}, r.into)
	case resume:
		change := map[string]any{"spec": map[string]any{"suspend": false}, "status": map[string]any{"lastScheduledTime": time.Now().UTC().Format(time.RFC3339)}}
		return c.patch(ctx, r.op, places[r.kind], r.name, change, r.into)
	}
	return c.send(ctx, q)
}

const mergePatch = "application/merge-patch+json"

// patch changes an object.
func (c *cluster) patch(ctx context.Context, op, path, name string, change, into any) error {
	return c.send(ctx, call{op: op, method: http.MethodPatch, path: below(path, name), kind: mergePatch, body: change, into: into})
}

// remove deletes an object that is there.
func (c *cluster) remove(ctx context.Context, op, path, name, policy string) error {
	return gateway.Gone(c.send(ctx, call{op: op, method: http.MethodDelete, path: below(path, name), query: url.Values{"propagationPolicy": {policy}}}))
}

// put creates or replaces a ConfigMap.
func (c *cluster) put(ctx context.Context, op string, m *corev1.ConfigMap) error {
	_, err := create(ctx, c.conf.Timeout, func(ctx context.Context, into *corev1.ConfigMap, unclear *bool) error {
		return c.send(ctx, call{op: op, method: http.MethodPost, path: configMaps, body: m, into: into, unclear: unclear})
	}, func(ctx context.Context, into *corev1.ConfigMap) error {
		return c.send(ctx, call{op: op, method: http.MethodGet, path: below(configMaps, m.Name), into: into})
	}, func(*corev1.ConfigMap) bool { return true })
	if err != nil {
		return err
	}
	return c.patch(ctx, op, configMaps, m.Name, map[string]any{"data": m.Data}, nil)
}

// retry forgets the nodes that have failed, or were left out because of that, with
// their pods, and Argo's controller continues.
func (c *cluster) retry(ctx context.Context, of *Client, op, id string) error {
	for try := 0; ; try++ {
		w, err := of.workflow(ctx, op, id)
		if err != nil {
			return err
		}
		if err := retriable(w, op); err != nil {
			return err
		}
		for _, pod := range again(w) {
			if err := c.remove(ctx, op, podsPath, pod, "Background"); err != nil {
				return err
			}
		}
		err = c.do(ctx, request{op: op, action: put, kind: workflows, name: id, object: w})
		if client.CodeOf(err) == client.Precondition && try < 5 {
			continue // the controller has written it meanwhile
		}
		return err
	}
}

// retriable says why a Workflow can't be retried.
func retriable(w *wfv1.Workflow, op string) error {
	if w.Status.Phase != wfv1.WorkflowFailed && w.Status.Phase != wfv1.WorkflowError {
		return &client.Error{Op: op, Code: client.Precondition, Msg: fmt.Sprintf("it is %s; only a run that has failed can be retried", stateOf(string(w.Status.Phase)))}
	}
	return nil
}

func (c *cluster) logs(ctx context.Context, of *Client, id string, o client.LogOptions) error {
	n, err := of.names(ctx, "logs of run "+id, id, o.Task)
	if err != nil {
		return err
	}
	return c.podsOf(of, id).Logs(ctx, o, n.w.Status.Fulfilled(), func(p *runpods.Pod) string {
		return n.task(ctx, func(*wfv1.Workflow) string { return p.Notes[noteNode] })
	})
}

func (c *cluster) podsOf(of *Client, id string) *runpods.Run {
	h, base, _ := c.client()
	return &runpods.Run{Client: of, ID: id, Name: id, API: &kubeapi.Client{Base: base, HTTP: h}, Namespace: c.namespace, Selector: labelWorkflow + "=" + id}
}
