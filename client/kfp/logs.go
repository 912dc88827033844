package kfp

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
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
	return pods.Logs(ctx, o, r.State.Done(), func(p *runpods.Pod) string {
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

// pods returns where the pods of a run are.
func (c *Client) pods(r *client.Run) (*runpods.Run, error) {
	op := "read the pods of run " + r.Name
	api, err := c.kubeAPI()
	switch {
	case err != nil:
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	case api == nil:
		return nil, &client.Error{Op: op, Code: client.Unsupported, Msg: "only Kubernetes knows them, and no cluster is known",
			Advice: "name a kubeconfig with --kubeconfig, KUBECONFIG or Config.Kubeconfig"}
	}
	return &runpods.Run{Client: c, ID: r.ID, Name: r.Name, API: api, Namespace: cmp.Or(r.Namespace, "kubeflow"), Selector: "pipeline/runid=" + r.ID}, nil
}

// step returns the name of the task whose user's step runs in a pod; "" for the
// pods that KFP runs beside them.
func step(p *runpods.Pod) string {
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
