package kfp

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
	"github.com/kfpgo/kfpgo/internal/kube/kubepods"
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
	pods, err := c.pods(r)
	if err != nil {
		return err
	}
	return pods.Logs(ctx, o, r.State.Done(), func(p *kubepods.Pod) string {
		name := step(p)
		if o.Task != "" && name != "" && name != o.Task && name != o.Task[strings.LastIndexByte(o.Task, '/')+1:] {
			return ""
		}
		return name
	})
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
	pods, err := c.pods(r)
	if err != nil {
		return nil, err
	}
	return pods.Pods(ctx, step)
}

func (c *Client) pods(r *client.Run) (*runpods.Run, error) {
	api, ns, err := c.cluster(r)
	if err != nil {
		return nil, err
	}
	return &runpods.Run{Client: c, ID: r.ID, Name: r.Name, API: api, Namespace: ns, Selector: "pipeline/runid=" + r.ID}, nil
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
		return &kubepods.API{Base: base, HTTP: c.t.Base}, ns, nil
	}
	o := c.reaching()
	var conf *rest.Config
	var err error
	switch {
	case o.Kubeconfig != "":
		conf, _, err = o.kubernetes()
	case os.Getenv("KUBERNETES_SERVICE_HOST") != "":
		conf, err = rest.InClusterConfig()
	default:
		return nil, "", &client.Error{Op: "read the pods of run " + r.Name, Code: client.Unsupported, Msg: "only Kubernetes knows them, and no cluster is known",
			Advice: "name a kubeconfig with --kubeconfig, KUBECONFIG or Config.Kubeconfig"}
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
