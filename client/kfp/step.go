package kfp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
)

var _ client.StepReader = (*Client)(nil)

// Step returns a step of a run with what it was given, which ML Metadata knows. KFP
// keeps no exit codes.
func (c *Client) Step(ctx context.Context, run, task string) (*client.Step, error) {
	op := fmt.Sprintf("step %s of run %s", task, run)
	r, err := c.Get(ctx, run)
	if err != nil {
		return nil, err
	}
	g, err := read(ctx, c, op, func(ctx context.Context, m *mlmd) (*lineage.Graph, error) {
		if err := m.run(ctx, run); err != nil {
			return nil, err
		}
		return m.graph(), nil
	})
	if err != nil {
		return nil, err
	}
	var found []*lineage.Execution
	var paths []string
	for _, e := range g.Executions {
		if e.Run != run {
			continue
		}
		paths = append(paths, e.Task)
		if e.Task == task {
			found = []*lineage.Execution{e}
			break
		}
		if e.Task[strings.LastIndexByte(e.Task, '/')+1:] == task {
			found = append(found, e)
		}
	}
	slices.Sort(paths)
	switch len(found) {
	case 0:
		return nil, &client.Error{Op: op, Code: client.NotFound, Msg: "ML Metadata knows no such step of it", Advice: "it knows " + strings.Join(paths, ", ")}
	case 1:
	default:
		paths = nil
		for _, e := range found {
			paths = append(paths, e.Task)
		}
		return nil, &client.Error{Op: op, Code: client.NotFound, Msg: "several steps are called that", Advice: "name one of " + strings.Join(paths, ", ")}
	}
	e := found[0]
	s := &client.Step{Task: client.Task{ID: e.ID, Path: e.Task, State: client.State(e.State), Started: e.Started, Ended: e.Ended},
		Inputs: e.Inputs, Group: r.Args, Beside: map[string]map[string]json.RawMessage{}}
	group := e.Task[:strings.LastIndexByte(e.Task, '/')+1]
	for _, other := range g.Executions {
		if name, ok := strings.CutPrefix(other.Task, group); ok && other.Run == run && !strings.Contains(name, "/") {
			s.Beside[name] = other.Outputs
		}
	}
	if group != "" {
		s.Group = nil // what the groups were given is known to their tasks only
	}
	for _, t := range r.Tasks {
		if t.Path == e.Task || t.Path[strings.LastIndexByte(t.Path, '/')+1:] == e.Task {
			s.Task.Error, s.Task.Pod = t.Error, t.Pod
			if t.State.Done() {
				s.Task.State = t.State
			}
		}
	}
	return s, nil
}
