package kfp

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/kubepods"
)

// Logs writes what the steps of a run have written. Kubernetes knows that, for as
// long as it keeps the pods: the client uses the kubeconfig, or the account of the
// pod that it runs in.
func (c *Client) Logs(ctx context.Context, id string, o client.LogOptions) error {
	if o.Out == nil {
		return errors.New("logs: no writer is given")
	}
	r, err := c.Get(ctx, id)
	if err != nil {
		return err
	}
	api, ns, err := c.cluster(r)
	if err != nil {
		return err
	}
	f := kubepods.Follow{
		API: api, Namespace: ns, Selector: "pipeline/runid=" + id, Follow: o.Follow, Since: o.Since, Tail: o.Tail, Out: o.Out, Prefix: o.Task == "",
		Name: func(p *kubepods.Pod) string {
			name := step(p)
			if o.Task != "" && name != "" && name != o.Task && name != o.Task[strings.LastIndexByte(o.Task, '/')+1:] {
				return ""
			}
			return name
		},
		Ended: func(ctx context.Context) (bool, error) {
			r, err := c.Get(ctx, id)
			return err == nil && r.State.Done(), err
		},
	}
	n, err := f.Run(ctx)
	switch {
	case err != nil:
		return &client.Error{Op: "logs of run " + r.Name, Code: client.Internal, Msg: err.Error(), Err: err}
	case n == 0 && r.State.Done():
		msg, advice := kubepods.Gone(o.Task)
		return &client.Error{Op: "logs of run " + r.Name, Code: client.NotFound, Msg: msg, Advice: advice}
	}
	return nil
}

// Pods returns what Kubernetes knows of the pods of a run, with their events: why
// one is pending or has failed.
func (c *Client) Pods(ctx context.Context, id string) ([]*client.Pod, error) {
	ctx, end := c.limit(ctx)
	defer end()
	r, err := c.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	api, ns, err := c.cluster(r)
	if err != nil {
		return nil, err
	}
	pods, err := api.Pods(ctx, ns, "pipeline/runid="+id)
	if err == nil {
		err = api.Describe(ctx, ns, pods)
	}
	if err != nil {
		return nil, &client.Error{Op: "pods of run " + r.Name, Code: client.Internal, Msg: err.Error(), Err: err}
	}
	var out []*client.Pod
	for _, p := range pods {
		d := &client.Pod{Name: p.Name, Task: step(p), Phase: p.Phase, Reason: p.Reason, Waits: p.Waits, Node: p.Node}
		for _, e := range p.Events {
			d.Events = append(d.Events, client.Event{Type: e.Type, Reason: e.Reason, Message: e.Message, Count: max(e.Count, 1), Last: e.Last})
		}
		out = append(out, d)
	}
	return out, nil
}

// step returns the name of the task whose user's step runs in a pod; "" for the
// pods that KFP runs beside them.
func step(p *kubepods.Pod) string {
	// The name of the node ends in what the task became: wf.root.train.executor.
	node := p.Notes["workflows.argoproj.io/node-name"]
	parts := strings.Split(node, ".")
	if last, _, _ := strings.Cut(parts[len(parts)-1], "("); last == "driver" || strings.HasSuffix(last, "-driver") {
		return ""
	}
	for i := len(parts) - 1; i > 0; i-- {
		name, _, _ := strings.Cut(parts[i], "(")
		if !beside(name) && name != "iteration" && !strings.Contains(name, ":") {
			return name
		}
	}
	return ""
}

// cluster returns the cluster that a run is in, and its namespace there.
func (c *Client) cluster(r *client.Run) (*kubepods.API, string, error) {
	ns := r.Namespace
	if ns == "" {
		ns = "kubeflow"
	}
	if c.kube {
		base, _, _ := strings.Cut(c.base, "/api/v1/namespaces/")
		return &kubepods.API{Base: base, HTTP: c.t.base}, ns, nil
	}
	o := c.conf
	var conf *rest.Config
	var err error
	switch {
	case o.Kubeconfig != "":
		conf, _, err = o.kubernetes()
	case os.Getenv("KUBERNETES_SERVICE_HOST") != "":
		conf, err = rest.InClusterConfig()
	default:
		if o.Kubeconfig = kubeconfig(os.Getenv); o.Kubeconfig == "" {
			return nil, "", &client.Error{Op: "read the pods of run " + r.Name, Code: client.Unsupported, Msg: "only Kubernetes knows them, and no cluster is known",
				Advice: "name a kubeconfig with --kubeconfig, KUBECONFIG or Config.Kubeconfig"}
		}
		conf, _, err = o.kubernetes()
	}
	var t http.RoundTripper
	if err == nil {
		t, err = rest.TransportFor(conf)
	}
	if err != nil {
		return nil, "", &client.Error{Op: "read the pods of run " + r.Name, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	host := conf.Host
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	return &kubepods.API{Base: strings.TrimRight(host, "/"), HTTP: t}, ns, nil
}
