// Package runpods does what the clients of all servers do alike with the pods of a
// run: write their logs, and tell what Kubernetes knows of them.
package runpods

import (
	"context"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/kube/kubepods"
)

// A Run says where the pods of a run are.
type Run struct {
	Client    client.Client
	ID        string
	Name      string // for errors
	API       *kubepods.API
	Namespace string
	Selector  string // of labels
}

// Logs writes the logs of the pods that task gives the name of a step for. Done says
// whether the run had ended before: then it is an error if no pod is left.
func (r *Run) Logs(ctx context.Context, o client.LogOptions, done bool, task func(*kubepods.Pod) string) error {
	f := kubepods.Follow{
		API: r.API, Namespace: r.Namespace, Selector: r.Selector, Name: task,
		Follow: o.Follow, Since: o.Since, Tail: o.Tail, Out: o.Out, Prefix: o.Task == "",
		Ended: func(ctx context.Context) (bool, error) {
			now, err := r.Client.Get(ctx, r.ID)
			return err == nil && now.State.Done(), err
		},
	}
	if !o.All {
		f.Hide = Engines
	}
	op := "logs of run " + r.Name
	n, err := f.Run(ctx)
	switch {
	case err != nil:
		return &client.Error{Op: op, Code: client.Internal, Msg: err.Error(), Err: err}
	case n > 0 || !done:
		return nil
	case o.Task != "":
		return &client.Error{Op: op, Code: client.NotFound, Msg: "there is no pod of task " + o.Task, Advice: "kfpgo runs describe lists the pods"}
	}
	return &client.Error{Op: op, Code: client.NotFound, Msg: "its pods are gone", Advice: "logs are kept in the artifact store, as main.log, if Argo is told to archive them"}
}

// Pods returns the pods with their events, and with the tasks that they run.
func (r *Run) Pods(ctx context.Context, task func(*kubepods.Pod) string) ([]*client.Pod, error) {
	pods, err := r.API.Pods(ctx, r.Namespace, r.Selector)
	if err == nil {
		err = r.API.Describe(ctx, r.Namespace, pods)
	}
	if err != nil {
		return nil, &client.Error{Op: "pods of run " + r.Name, Code: client.Internal, Msg: err.Error(), Err: err}
	}
	var all []*client.Pod
	for _, p := range pods {
		to := &client.Pod{Name: p.Name, Task: task(p), Phase: p.Phase, Reason: p.Reason, Waits: p.Waits, Node: p.Node}
		for _, e := range p.Events {
			to.Events = append(to.Events, client.Event{Type: e.Type, Reason: e.Reason, Message: e.Message, Count: max(e.Count, 1), Last: e.Last})
		}
		all = append(all, to)
	}
	return all, nil
}
