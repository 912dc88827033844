package argo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

var _ client.StepReader = (*Client)(nil)

// Step returns a step of a run with what it was given, which the Workflow knows.
func (c *Client) Step(ctx context.Context, run, task string) (*client.Step, error) {
	op := fmt.Sprintf("step %s of run %s", task, run)
	w, err := c.workflow(ctx, op, run)
	if err != nil {
		return nil, err
	}
	if len(w.Status.Nodes) == 0 && (w.Status.CompressedNodes != "" || w.Status.OffloadNodeStatusVersion != "") {
		return nil, &client.Error{Op: op, Code: client.Unsupported, Msg: "the Workflow is so large that its nodes are kept elsewhere"}
	}
	return stepOf(w, op, task)
}

func stepOf(w *wfv1.Workflow, op, task string) (*client.Step, error) {
	tasks := tasksOf(w)
	at := slices.IndexFunc(tasks, func(t client.Task) bool { return t.Path == task })
	if at < 0 {
		var found []string
		for i, t := range tasks {
			if t.Path[strings.LastIndexByte(t.Path, '/')+1:] == task {
				found, at = append(found, t.Path), i
			}
		}
		if len(found) != 1 {
			e := &client.Error{Op: op, Code: client.NotFound, Msg: "it has no such task", Advice: "its tasks are " + paths(tasks)}
			if len(found) > 1 {
				e.Msg, e.Advice = "several tasks are called that", "name one of "+strings.Join(found, ", ")
			}
			return nil, e
		}
	}
	n := w.Status.Nodes[tasks[at].ID]
	s := &client.Step{Task: tasks[at], Beside: map[string]map[string]json.RawMessage{}}
	s.Inputs = given(&n)
	if len(n.Children) > 0 && n.Type == wfv1.NodeTypeRetry {
		n = w.Status.Nodes[n.Children[len(n.Children)-1]]
		if s.Inputs == nil {
			s.Inputs = given(&n)
		}
	}
	if n.Type != wfv1.NodeTypePod {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: "it is not a step that ran: it has no pod", Advice: "its tasks are " + paths(tasks)}
	}
	if n.Outputs != nil && n.Outputs.ExitCode != nil {
		s.ExitCode = *n.Outputs.ExitCode
	}
	s.Error = n.Message
	if group, ok := w.Status.Nodes[n.BoundaryID]; ok {
		s.Group = given(&group)
	}
	if n.BoundaryID == w.Name {
		s.Group = argo.Arguments(w)
	}
	for _, other := range w.Status.Nodes {
		if other.BoundaryID == n.BoundaryID && other.Outputs != nil {
			s.Beside[other.DisplayName] = argo.Values(other.Outputs.Parameters)
		}
	}
	return s, nil
}

// given returns the parameters of a node.
func given(n *wfv1.NodeStatus) map[string]json.RawMessage {
	if n.Inputs == nil {
		return nil
	}
	return argo.Values(n.Inputs.Parameters)
}

// paths lists some tasks for a message.
func paths(tasks []client.Task) string {
	const most = 20
	var all []string
	for _, t := range tasks[:min(len(tasks), most)] {
		all = append(all, t.Path)
	}
	if len(tasks) > most {
		all = append(all, fmt.Sprintf("and %d more", len(tasks)-most))
	}
	return strings.Join(all, ", ")
}
