// Package localruns has the runs of this machine as a client of package client, so that the same
// commands work on them as on the runs of a server.
package localruns

import (
	"context"
	"net/url"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

// A Client has the runs below a home folder as a server has its own. It can't start
// runs, which the command does itself.
type Client struct{ Home string }

var _ client.Client = Client{}

// Engine returns local.
func (c Client) Engine() string { return "local" }

// Target returns "": programs run as they are.
func (c Client) Target() compiler.Target { return "" }

// Get returns a run with its steps. The run may be named by the beginning of its ID, or
// by its folder.
func (c Client) Get(_ context.Context, id string) (*client.Run, error) {
	r, err := records.Find(c.Home, id)
	if err != nil {
		return nil, err
	}
	out := runOf(r)
	if report := filepath.Join(r.Dir, "report.html"); r.State.Done() {
		if _, err := os.Stat(report); err == nil {
			out.URL = (&url.URL{Scheme: "file", Path: report}).String()
		}
	}
	for _, t := range steps(r) {
		to := client.Task{ID: t.Path, Path: t.Path, State: t.State, Error: t.Error, Attempts: t.Attempts, Started: t.Started, Ended: t.Ended}
		if t.State == run.Skipped || t.State == run.Cancelled {
			to.Error = t.Reason
		}
		out.Tasks = append(out.Tasks, to)
	}
	return out, nil
}

func runOf(r *run.Run) *client.Run {
	return &client.Run{
		ID: r.ID, Name: r.Pipeline, Pipeline: r.Pipeline, State: r.State, Error: r.Error, Schedule: r.Schedule, Scheduled: r.Scheduled,
		Created: r.Started, Started: r.Started, Ended: r.Ended, Args: r.Params, Outputs: r.Outputs,
	}
}

// steps returns the tasks of a run that hold no others.
func steps(r *run.Run) (all []*run.Task) {
	groups := map[string]bool{}
	for _, t := range r.Tasks {
		for i, c := range t.Path {
			if c == '/' {
				groups[t.Path[:i]] = true
			}
		}
	}
	for _, t := range r.Tasks {
		if !groups[t.Path] {
			all = append(all, t)
		}
	}
	return all
}

// List returns one page of runs, the newest first.
func (c Client) List(_ context.Context, o client.ListOptions) (*client.Page, error) {
	const op = "list runs"
	if o.Filter != "" || o.Archived || o.Experiment != "" || o.Sort != "" {
		return nil, &client.Error{Op: op, Code: client.Unsupported, Msg: "runs of this machine have no experiments, filters, orders and archives", Advice: "choose runs by schedule, name and state"}
	}
	found, err := records.All(c.Home)
	if err != nil {
		return nil, err
	}
	var all []*client.Run
	for _, s := range found {
		if (o.Name == "" || s.Pipeline == o.Name || s.ID == o.Name) && (o.State == "" || s.State == o.State) && (o.Schedule == "" || s.Schedule == o.Schedule) {
			r := runOf(&s.Run)
			if s.Problem != "" {
				r.State, r.Error = "", s.Problem
			}
			all = append(all, r)
		}
	}
	p := &client.Page{Total: len(all)}
	if p.Runs, p.Next, err = paging.Cut(all, o.Size, o.Page); err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error()}
	}
	return p, nil
}

// Pods returns none.
func (c Client) Pods(context.Context, string) ([]*client.Pod, error) { return nil, nil }

// Submit is an error.
func (c Client) Submit(_ context.Context, s client.Submission) (*client.Run, error) {
	return nil, unsupported("create run "+s.Name, "runs on this machine are started by kfpgo run")
}

// Terminate is an error.
func (c Client) Terminate(_ context.Context, id string) error {
	return unsupported("terminate run "+id, "press ctrl-C where the run was started")
}

// Retry is an error.
func (c Client) Retry(_ context.Context, id string) error {
	return unsupported("retry run "+id, "kfpgo run PIPELINE --resume "+id+" continues the run as another one")
}

func unsupported(op, advice string) error {
	return &client.Error{Op: op, Code: client.Unsupported, Msg: "kfpgo doesn't do that with runs on this machine", Advice: advice}
}
