package argo

import (
	"context"
	"errors"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
)

// Terminate ends a run. Its exit handlers are not run, as with argo terminate.
func (c *Client) Terminate(ctx context.Context, id string) error {
	op := "terminate run " + id
	w, err := c.workflow(ctx, op, id)
	if err != nil {
		return err
	}
	if w.Status.Fulfilled() {
		return &client.Error{Op: op, Code: client.Precondition, Msg: "it has ended already: " + string(w.Status.Phase)}
	}
	return c.do(ctx, request{op: op, action: terminate, kind: workflows, name: id})
}

// Delete forgets a run that has ended.
func (c *Client) Delete(ctx context.Context, id string) error {
	op := "delete run " + id
	w, err := c.workflow(ctx, op, id)
	if err != nil {
		return err
	}
	if !w.Status.Fulfilled() {
		return &client.Error{Op: op, Code: client.Precondition, Msg: "it has not ended", Advice: "terminate it first"}
	}
	return gateway.Gone(c.do(ctx, request{op: op, action: remove, kind: workflows, name: id}))
}

// Retry runs failed nodes again: the nodes that have failed, or were omitted
// because of that, are deleted with their pods, and Argo's controller continues.
func (c *Client) Retry(ctx context.Context, id string) error {
	return c.access.retry(ctx, c, "retry run "+id, id)
}

// again makes a failed Workflow a running one, and returns the pods that
// have to be deleted for that.
func again(w *wfv1.Workflow) (pods []string) {
	nodes := wfv1.Nodes{}
	gone := map[string]bool{}
	exits := map[string]bool{} // what is an exit handler, or below one
	for id, n := range w.Status.Nodes {
		at, ok := n, true
		for depth := 0; ok && depth < 100; depth++ { // a server may say that a node is below itself
			if strings.HasSuffix(at.DisplayName, ".onExit") {
				exits[id] = true
			}
			at, ok = w.Status.Nodes[at.BoundaryID]
		}
	}
	for id, n := range w.Status.Nodes {
		group := n.Type == wfv1.NodeTypeDAG || n.Type == wfv1.NodeTypeTaskGroup || n.Type == wfv1.NodeTypeSteps || n.Type == wfv1.NodeTypeStepGroup
		switch {
		case exits[id], !group && n.Phase != wfv1.NodeSucceeded && n.Phase != wfv1.NodeSkipped:
			gone[id] = true
			if pod := podName(w, &n); pod != "" {
				pods = append(pods, pod)
			}
			continue
		case group && n.Phase != wfv1.NodeSucceeded && n.Phase != wfv1.NodeSkipped:
			n.Phase, n.Message = wfv1.NodeRunning, ""
			n.FinishedAt.Reset()
		}
		nodes[id] = n
	}
	for id, n := range nodes {
		var children []string
		for _, child := range n.Children {
			if !gone[child] {
				children = append(children, child)
			}
		}
		n.Children = children
		nodes[id] = n
	}
	w.Status.Nodes = nodes
	w.Status.Phase, w.Status.Message = wfv1.WorkflowRunning, ""
	w.Status.FinishedAt.Reset()
	w.Status.Conditions = nil
	w.Spec.Shutdown, w.Spec.ActiveDeadlineSeconds = "", nil
	delete(w.Labels, labelDone)
	if w.Labels == nil {
		w.Labels = map[string]string{}
	}
	w.Labels[labelPhase] = string(wfv1.WorkflowRunning)
	return pods
}

// Logs writes what the steps of a run have written, as long as the cluster keeps
// their pods.
func (c *Client) Logs(ctx context.Context, id string, o client.LogOptions) error {
	if o.Out == nil {
		return errors.New("logs: no writer is given")
	}
	return c.access.logs(ctx, c, id, o)
}

// names finds the tasks of a run's nodes. It reads the Workflow again for one that is
// new.
type names struct {
	c    *Client
	op   string
	only string // the task that is asked for, by its path or its name; "": all
	w    *wfv1.Workflow
	read time.Time
}

func (c *Client) names(ctx context.Context, op, id, only string) (*names, error) {
	w, err := c.workflow(ctx, op, id)
	return &names{c, op, only, w, time.Now()}, err
}

// task returns the path of the task of a node, "" for one that isn't asked for.
func (n *names) task(ctx context.Context, node func(*wfv1.Workflow) string) string {
	if _, ok := n.w.Status.Nodes[node(n.w)]; !ok && time.Since(n.read) > time.Second {
		if now, err := n.c.workflow(ctx, n.op, n.w.Name); err == nil {
			n.w, n.read = now, time.Now()
		}
	}
	path := podTask(n.w, node(n.w))
	if n.only != "" && path != n.only && path[strings.LastIndexByte(path, '/')+1:] != n.only {
		return ""
	}
	return path
}

// podTask returns the path of the task that a pod runs.
func podTask(w *wfv1.Workflow, node string) string {
	n, ok := w.Status.Nodes[node]
	if !ok {
		return node
	}
	for _, other := range w.Status.Nodes { // an attempt belongs to the node that is retried
		if other.Type != wfv1.NodeTypeRetry {
			continue
		}
		for _, child := range other.Children {
			if child == node {
				n = other
			}
		}
	}
	path, _ := pathOf(w, &n)
	return path
}

// Pods returns what Kubernetes knows of the pods of a run, with their events: why
// one is pending or has failed.
func (c *Client) Pods(ctx context.Context, id string) ([]*client.Pod, error) {
	op := "pods of run " + id
	k, err := c.access.kubernetes(op, "pods and their events are Kubernetes' own, and kfpgo runs get shows Argo's message for each task")
	if err != nil {
		return nil, err
	}
	ctx, cancel := limit(ctx, c.conf.Timeout)
	defer cancel()
	w, err := c.workflow(ctx, op, id)
	if err != nil {
		return nil, err
	}
	return k.podsOf(c, id).Pods(ctx, func(p *runpods.Pod) string { return podTask(w, p.Notes[noteNode]) })
}
