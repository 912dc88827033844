package argo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
	"github.com/kfpgo/kfpgo/internal/kubepods"
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
	return c.patch(ctx, op, workflows, id, map[string]any{"spec": map[string]any{"shutdown": "Terminate"}}, nil)
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
	return c.remove(ctx, op, workflows, id, "Background")
}

// remove deletes an object that is there. It may be gone by the second try.
func (c *Client) remove(ctx context.Context, op, path, name, policy string) error {
	err := c.do(ctx, call{op: op, method: http.MethodDelete, path: path + "/" + url.PathEscape(name), query: url.Values{"propagationPolicy": {policy}}})
	if client.CodeOf(err) == client.NotFound {
		return nil
	}
	return err
}

// Retry runs again what has failed: the nodes that have failed, or were left out
// because of that, are forgotten with their pods, and Argo's controller goes on.
func (c *Client) Retry(ctx context.Context, id string) error {
	op := "retry run " + id
	for try := 0; ; try++ {
		w, err := c.workflow(ctx, op, id)
		if err != nil {
			return err
		}
		if w.Status.Phase != wfv1.WorkflowFailed && w.Status.Phase != wfv1.WorkflowError {
			return &client.Error{Op: op, Code: client.Precondition, Msg: fmt.Sprintf("it is %s; only a run that has failed can be retried", stateOf(string(w.Status.Phase)))}
		}
		pods := again(w)
		for _, pod := range pods {
			if err := c.remove(ctx, op, podsPath, pod, "Background"); err != nil {
				return err
			}
		}
		err = c.do(ctx, call{op: op, method: http.MethodPut, path: workflows + "/" + url.PathEscape(id), body: w})
		if client.CodeOf(err) == client.Precondition && try < 5 {
			continue // the controller has written it meanwhile
		}
		return err
	}
}

// again makes a Workflow that has failed one that goes on, and returns the pods that
// have to go for that.
func again(w *wfv1.Workflow) (pods []string) {
	nodes := wfv1.Nodes{}
	gone := map[string]bool{}
	exits := map[string]bool{} // what is an exit handler, or below one
	for id, n := range w.Status.Nodes {
		for at, ok := n, true; ok; at, ok = w.Status.Nodes[at.BoundaryID] {
			if strings.HasSuffix(at.DisplayName, ".onExit") {
				exits[id] = true
			}
			if at.BoundaryID == "" {
				break
			}
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
	w.Labels[labelPhase] = string(wfv1.WorkflowRunning)
	return pods
}

// Logs writes what the steps of a run have written, as long as the cluster keeps
// their pods.
func (c *Client) Logs(ctx context.Context, id string, o client.LogOptions) error {
	op := "logs of run " + id
	if o.Out == nil {
		return errors.New("logs: no writer is given")
	}
	w, err := c.workflow(ctx, op, id)
	if err != nil {
		return err
	}
	read := time.Now()
	return c.podsOf(id).Logs(ctx, o, w.Status.Fulfilled(), func(p *kubepods.Pod) string {
		if _, ok := w.Status.Nodes[p.Notes[noteNode]]; !ok && time.Since(read) > time.Second {
			if now, err := c.workflow(ctx, op, id); err == nil {
				w, read = now, time.Now()
			}
		}
		path := podTask(w, p.Notes[noteNode])
		if o.Task != "" && path != o.Task && path[strings.LastIndexByte(path, '/')+1:] != o.Task {
			return ""
		}
		return path
	})
}

func (c *Client) podsOf(id string) *runpods.Run {
	return &runpods.Run{Client: c, ID: id, Name: id, API: c.pods(), Namespace: c.namespace, Selector: labelWorkflow + "=" + id}
}

// podTask returns the path of the task that a pod runs.
func podTask(w *wfv1.Workflow, node string) string {
	n, ok := w.Status.Nodes[node]
	if !ok {
		return node
	}
	for _, other := range w.Status.Nodes { // an attempt belongs to what is retried
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

func (c *Client) pods() *kubepods.API {
	h, base, _ := c.reach()
	t := h.Transport
	if t == nil { // no credential and no certificate
		t = http.DefaultTransport
	}
	return &kubepods.API{Base: base, HTTP: t}
}

// Pods returns what Kubernetes knows of the pods of a run, with their events: why
// one is pending or has failed.
func (c *Client) Pods(ctx context.Context, id string) ([]*client.Pod, error) {
	op := "pods of run " + id
	ctx, cancel := c.limit(ctx)
	defer cancel()
	w, err := c.workflow(ctx, op, id)
	if err != nil {
		return nil, err
	}
	return c.podsOf(id).Pods(ctx, func(p *kubepods.Pod) string { return podTask(w, p.Notes[noteNode]) })
}
