package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// server checks the KFP server that is configured.
func (d *doctor) server() {
	d.area = "KFP"
	o, err := kfp.FromContext("")
	var c *kfp.Client
	if err == nil {
		o.Timeout = 10 * time.Second
		c, err = kfp.Connect(o)
	}
	if err != nil {
		if strings.Contains(err.Error(), "no server is known") {
			d.missing("server", "none is configured", "kfpgo context set NAME --endpoint URL, or KF_PIPELINES_ENDPOINT")
			return
		}
		d.broken("server", err.Error(), "")
		return
	}
	address, from := c.Server()
	ctx, cancel := context.WithTimeout(d.ctx, 15*time.Second)
	defer cancel()
	h, err := c.Health(ctx)
	if err != nil {
		if strings.HasPrefix(from, "kubeconfig ") { // nobody has said that there is one
			d.missing("server", fmt.Sprintf("none is configured, and the cluster of %s has none that answers", from), "kfpgo context set NAME --endpoint URL, or KF_PIPELINES_ENDPOINT")
			return
		}
		d.broken("server", fmt.Sprintf("%s (%s): %v", address, from, err), "")
		return
	}
	users := "one namespace"
	if h.MultiUser {
		users = "many users"
	}
	if h.Version != "" {
		users += ", KFP " + h.Version
	}
	d.ok("server", "%s (%s), %s", address, from, users)
	d.ok("credential", "%s", c.Credential())
}

// kinds are objects that kfpgo's targets or components make.
var kinds = []struct{ group, resource, what, fix string }{
	{"argoproj.io", "workflows", "Argo Workflows", "target argo needs it: https://argo-workflows.readthedocs.io"},
	{"argoproj.io", "cronworkflows", "Argo's CronWorkflows", "schedules on Argo need it"},
	{"pipelines.kubeflow.org", "pipelineversions", "KFP's pipelines as objects", "only target kfp-manifest needs it"},
	{"batch.volcano.sh", "jobs", "Volcano", "components/volcano needs it"},
	{"kubeflow.org", "tfjobs", "training operator", "components/trainingoperator needs it"},
	{"serving.kserve.io", "inferenceservices", "KServe", "components/kserve needs it"},
	{"machinelearning.seldon.io", "seldondeployments", "Seldon", "components/seldon needs it"},
	{"snapshot.storage.k8s.io", "volumesnapshots", "volume snapshots", "k8s.CreateSnapshot needs it"},
	{"nvidia.com", "clusterpolicies", "NVIDIA's GPU operator", "without it the nodes' GPUs need drivers and a device plugin by hand"},
}

// cluster checks the cluster of a kubeconfig.
func (d *doctor) cluster(file, kubeContext, namespace string) {
	d.area = "Kubernetes"
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: file, Precedence: clientcmd.NewDefaultClientConfigLoadingRules().Precedence},
		&clientcmd.ConfigOverrides{CurrentContext: kubeContext})
	conf, err := loader.ClientConfig()
	if err != nil {
		if clientcmd.IsEmptyConfig(err) && file == "" {
			d.missing("cluster", "there is no kubeconfig", "set KUBECONFIG, or put the file at ~/.kube/config")
			return
		}
		d.broken("cluster", err.Error(), "kubectl config view shows the file")
		return
	}
	if namespace == "" {
		if namespace, _, err = loader.Namespace(); err != nil {
			namespace = "default"
		}
	}
	conf.Timeout = 10 * time.Second
	c := &kubeAPI{ctx: d.ctx}
	if c.http, err = rest.HTTPClientFor(conf); err == nil {
		web.Stay(c.http)
		c.base, _, err = rest.DefaultServerUrlFor(conf)
	}
	if err != nil {
		d.broken("cluster", err.Error(), "")
		return
	}
	var v struct{ GitVersion string }
	if err := c.get("/version", &v); err != nil {
		d.broken("cluster", fmt.Sprintf("%s: %v", conf.Host, err), "kubectl version says the same if the kubeconfig is wrong")
		return
	}
	d.ok("cluster", "%s, Kubernetes %s, namespace %s", conf.Host, v.GitVersion, namespace)
	d.kinds(c)
	d.permissions(c, namespace)
	d.devices(c)
	d.quotas(c, namespace)
}

// A kubeAPI asks a cluster. It is written out because the typed clients of client-go
// know all kinds of objects there are, which takes each start of kfpgo longer than
// all else together.
type kubeAPI struct {
	ctx  context.Context
	http *http.Client
	base *url.URL
}

func (c *kubeAPI) get(path string, into any) error { return c.do(http.MethodGet, path, nil, into) }

func (c *kubeAPI) do(method, path string, body, into any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(c.ctx, method, c.base.JoinPath(path).String(), bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if method == http.MethodGet {
		req.Body, req.ContentLength = nil, 0
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if b, err = web.Read(res); err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		var status struct{ Message string }
		if json.Unmarshal(b, &status) == nil && status.Message != "" {
			return fmt.Errorf("%s: %s", res.Status, status.Message)
		}
		return fmt.Errorf("%s %s", res.Status, path)
	}
	return web.Decode(res.Header, b, into)
}

// resources returns the kinds of a group in its preferred version, by name.
func (c *kubeAPI) resources(group string) (version string, names map[string]bool, err error) {
	var g struct {
		PreferredVersion struct{ GroupVersion string }
	}
	if err := c.get("/apis/"+group, &g); err != nil {
		return "", nil, err
	}
	var l struct{ Resources []struct{ Name string } }
	if err := c.get("/apis/"+g.PreferredVersion.GroupVersion, &l); err != nil {
		return "", nil, err
	}
	names = map[string]bool{}
	for _, r := range l.Resources {
		names[r.Name] = true
	}
	return g.PreferredVersion.GroupVersion, names, nil
}

func (d *doctor) kinds(c *kubeAPI) {
	for _, k := range kinds {
		v, names, err := c.resources(k.group)
		switch {
		case err == nil && names[k.resource]:
			d.ok(k.what, "%s %s", v, k.resource)
		case err == nil || strings.HasPrefix(err.Error(), "404"):
			d.missing(k.what, fmt.Sprintf("the cluster knows no %s.%s", k.resource, k.group), k.fix)
		default:
			d.broken(k.what, err.Error(), "")
		}
	}
}

// permissions asks what the user may do, as kubectl auth can-i does.
func (d *doctor) permissions(c *kubeAPI, namespace string) {
	for _, p := range []struct{ verb, group, resource, sub, use string }{
		{"create", "argoproj.io", "workflows", "", "run on Argo"},
		{"create", "argoproj.io", "cronworkflows", "", "schedule on Argo"},
		{"get", "", "pods", "log", "read logs"},
		{"list", "", "events", "", "say why a pod is Pending"},
		{"create", "", "persistentvolumeclaims", "", "make volumes by hand"},
	} {
		var review struct{ Status struct{ Allowed bool } }
		err := c.do(http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
			"spec": map[string]any{"resourceAttributes": map[string]string{
				"namespace": namespace, "verb": p.verb, "group": p.group, "resource": p.resource, "subresource": p.sub,
			}},
		}, &review)
		what := "to " + p.use
		name := p.resource
		if p.sub != "" {
			name += "/" + p.sub
		}
		switch {
		case err != nil:
			d.broken(what, err.Error(), "")
		case !review.Status.Allowed:
			d.missing(what, fmt.Sprintf("you may not %s %s in namespace %s", p.verb, name, namespace), "ask for a Role with it; kfpgo compile --rbac prints the permissions that the pods of pipelines need")
		default:
			d.ok(what, "you may %s %s in namespace %s", p.verb, name, namespace)
		}
	}
}

// devices sums up what nodes offer beyond CPU and memory.
func (d *doctor) devices(c *kubeAPI) {
	var nodes core.NodeList
	if err := c.get("/api/v1/nodes", &nodes); err != nil {
		d.missing("devices", "the nodes can't be listed: "+err.Error(), "only a check; runs don't need it")
		return
	}
	count, ready := map[string]int64{}, 0
	for _, n := range nodes.Items {
		for _, cond := range n.Status.Conditions {
			if cond.Type == "Ready" && cond.Status == "True" {
				ready++
			}
		}
		for name, q := range n.Status.Allocatable {
			if strings.Contains(string(name), "/") {
				count[string(name)] += q.Value()
			}
		}
	}
	if ready == 0 {
		d.broken("nodes", fmt.Sprintf("none of %d is Ready", len(nodes.Items)), "kubectl describe nodes says why")
	} else {
		d.ok("nodes", "%d of %d are Ready", ready, len(nodes.Items))
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		all = append(all, fmt.Sprintf("%s: %d", name, count[name]))
	}
	if all == nil {
		d.missing("devices", "no node offers a GPU or another device", "tasks with dsl.GPU stay Pending; the device plugin of the GPUs' vendor offers them")
		return
	}
	d.ok("devices", "%s", strings.Join(all, ", "))
}

// quotas shows how much is left of the quotas of a namespace.
func (d *doctor) quotas(c *kubeAPI, namespace string) {
	var list core.ResourceQuotaList
	if err := c.get("/api/v1/namespaces/"+namespace+"/resourcequotas", &list); err != nil {
		d.missing("quotas", "they can't be listed: "+err.Error(), "only a check; runs don't need it")
		return
	}
	if len(list.Items) == 0 {
		d.ok("quotas", "none in namespace %s", namespace)
	}
	for _, q := range list.Items {
		var parts, full []string
		for name, hard := range q.Status.Hard {
			used := q.Status.Used[name]
			parts = append(parts, fmt.Sprintf("%s %s of %s", name, used.String(), hard.String()))
			if used.Cmp(hard) >= 0 {
				full = append(full, string(name))
			}
		}
		slices.Sort(parts)
		slices.Sort(full)
		what := "quota " + q.Name
		if full != nil {
			d.broken(what, "used: "+strings.Join(parts, ", "), "nothing is left of "+strings.Join(full, ", ")+": tasks that need it stay Pending or are refused")
			continue
		}
		d.ok(what, "used: %s", strings.Join(parts, ", "))
	}
}
