package kfp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	rs "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_client/run_service"
	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

// A VersionRef names a version of a pipeline that the server keeps.
type VersionRef struct {
	Pipeline string // id or name
	Version  string // id or name; empty: the newest
}

// Submit starts a run of a compiled pipeline.
func (c *Client) Submit(ctx context.Context, s client.Submission) (*client.Run, error) {
	spec, err := object(s.Spec)
	if err != nil {
		return nil, err
	}
	s.Name = cmp.Or(s.Name, client.RunName(cmp.Or(pipelineName(spec), "run")))
	return c.createRun(ctx, s, spec, func(r *rm.V2beta1Run) { r.PipelineSpec = spec })
}

// SubmitVersion starts a run of a version that the server keeps. The Spec of the
// submission isn't used.
func (c *Client) SubmitVersion(ctx context.Context, of VersionRef, s client.Submission) (*client.Run, error) {
	p, v, err := c.resolve(ctx, of)
	if err != nil {
		return nil, err
	}
	s.Name = cmp.Or(s.Name, client.RunName(p.Name))
	return c.createRun(ctx, s, v.Spec, func(r *rm.V2beta1Run) {
		r.PipelineVersionReference = &rm.V2beta1PipelineVersionReference{PipelineID: p.ID, PipelineVersionID: v.ID}
	})
}

func (c *Client) resolve(ctx context.Context, of VersionRef) (*Pipeline, *Version, error) {
	p, err := c.Pipeline(ctx, of.Pipeline)
	if err != nil {
		return nil, nil, err
	}
	if of.Version == "" {
		v, err := c.LatestVersion(ctx, p.ID)
		return p, v, err
	}
	v, err := c.Version(ctx, p.ID, of.Version)
	return p, v, err
}

// mark is what the description of a run says of its submission.
func mark(token string) string { return "kfpgo:" + token }

// createRun starts a run of a pipeline, which set refers to in the request.
func (c *Client) createRun(ctx context.Context, s client.Submission, spec any, set func(*rm.V2beta1Run)) (*client.Run, error) {
	ctx, end := c.limit(ctx)
	defer end()
	op := "start run " + s.Name
	if err := checkRun(op, spec, s.Args); err != nil {
		return nil, err
	}
	body := &rm.V2beta1Run{DisplayName: s.Name, ServiceAccount: s.ServiceAccount}
	set(body)
	body.RuntimeConfig = &rm.V2beta1RuntimeConfig{Parameters: anything(s.Args), PipelineRoot: s.ArtifactRoot}
	find := func(ctx context.Context) (*client.Run, error) {
		p, err := c.List(ctx, client.ListOptions{Filter: `{"predicates":[{"operation":"IS_SUBSTRING","key":"description","string_value":"` + mark(s.Token) + `"}]}`, Size: 2})
		if err != nil || len(p.Runs) == 0 {
			return nil, err
		}
		return p.Runs[0], nil
	}
	if s.Token == "" {
		s.Token = client.NewToken()
	} else {
		if strings.Trim(s.Token, tokenLetters) != "" || len(s.Token) > 100 {
			return nil, &client.Error{Op: op, Code: client.Invalid, Msg: fmt.Sprintf("token %q", s.Token), Advice: "use letters, digits, - and ., at most 100"}
		}
		if r, err := find(ctx); err != nil || r != nil {
			return r, err
		}
	}
	body.Description = mark(s.Token)
	if name := cmp.Or(os.Getenv("KF_PIPELINES_OVERRIDE_EXPERIMENT_NAME"), s.Experiment, c.conf.Experiment); name != "" {
		e, err := c.experimentFor(ctx, name)
		if err != nil {
			return nil, err
		}
		body.ExperimentID = e.ID
	}
	r, err := create(ctx, func(ctx context.Context) (*client.Run, error) {
		ok, err := c.runs.RunService.CreateRun(rs.NewCreateRunParams().WithContext(ctx).WithBody(body), nil)
		if err != nil {
			return nil, err
		}
		return c.run(ok.Payload), nil
	}, find)
	return r, c.wrap(err, "%s", op)
}

const tokenLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."

// experimentFor returns an experiment by id, or by name, and makes it if need be.
func (c *Client) experimentFor(ctx context.Context, idOrName string) (*Experiment, error) {
	if isID(idOrName) {
		return &Experiment{ID: idOrName}, nil
	}
	e, _, err := c.CreateExperiment(ctx, idOrName, "")
	return e, err
}

// Get returns a run with its tasks.
func (c *Client) Get(ctx context.Context, id string) (*client.Run, error) {
	ctx, end := c.limit(ctx)
	defer end()
	r, err := c.get(ctx, id)
	if err != nil {
		return nil, c.wrap(err, "get run %s", id)
	}
	return c.run(r), nil
}

func (c *Client) get(ctx context.Context, id string) (*rm.V2beta1Run, error) {
	if id == "" {
		return nil, errors.New("no run is named")
	}
	ok, err := c.runs.RunService.GetRun(rs.NewGetRunParams().WithContext(ctx).WithRunID(id), nil)
	if err != nil {
		return nil, err
	}
	return ok.Payload, nil
}

// List returns one page of runs.
func (c *Client) List(ctx context.Context, o client.ListOptions) (*client.Page, error) {
	ctx, end := c.limit(ctx)
	defer end()
	ps := []predicate{isNot("storage_state", "ARCHIVED")}
	if o.Archived {
		ps = []predicate{is("storage_state", "ARCHIVED")}
	}
	if o.Name != "" {
		ps = append(ps, is("display_name", o.Name))
	}
	if o.State != "" {
		ps = append(ps, is("state", string(o.State)))
	}
	var of *RecurringRun
	if o.Schedule != "" {
		var err error
		if of, err = c.RecurringRun(ctx, o.Schedule); err != nil {
			return nil, err
		}
	}
	f, err := filter(o.Filter, ps...)
	if err != nil {
		return nil, &client.Error{Op: "list runs", Code: client.Invalid, Msg: err.Error()}
	}
	p := rs.NewListRunsParams().WithContext(ctx).WithFilter(f).WithPageSize(opt(int32(cmp.Or(o.Size, 100)))).
		WithPageToken(opt(o.Page)).WithSortBy(opt(cmp.Or(o.Sort, "created_at desc")))
	if of != nil && o.Experiment == "" {
		p.ExperimentID = opt(of.Experiment)
	} else if o.Experiment != "" {
		e, err := c.Experiment(ctx, o.Experiment)
		if err != nil {
			return nil, err
		}
		p.ExperimentID = &e.ID
	} else {
		p.Namespace = opt(c.conf.Namespace)
	}
	page := &client.Page{Runs: []*client.Run{}}
	for trail := (paging.Trail{}); ; {
		ok, err := c.runs.RunService.ListRuns(p, nil)
		if err != nil {
			return nil, c.wrap(err, "list runs")
		}
		page.Next = ok.Payload.NextPageToken
		if of == nil {
			page.Total = int(ok.Payload.TotalSize)
		}
		for _, r := range ok.Payload.Runs {
			if run := c.run(r); of == nil || run.Schedule == of.ID { // a filter that servers before 2.1 fail on
				run.Tasks = nil
				page.Runs = append(page.Runs, run)
			}
		}
		if len(page.Runs) > 0 || page.Next == "" {
			return page, nil
		}
		if err := trail.Follow(ctx, page.Next); err != nil {
			return nil, c.wrap(err, "list runs")
		}
		p.PageToken = &page.Next
	}
}

// Terminate ends a run. One that has ended stays as it is.
func (c *Client) Terminate(ctx context.Context, id string) error {
	err := c.terminate(ctx, id)
	if code := client.CodeOf(err); code == client.Invalid || code == client.Precondition {
		if r, err2 := c.Get(ctx, id); err2 == nil && (r.State.Done() || r.State == client.Cancelling) {
			return nil
		}
	}
	return err
}

func (c *Client) terminate(ctx context.Context, id string) error {
	return c.change(ctx, "terminate", id, func(ctx context.Context) error {
		_, err := c.runs.RunService.TerminateRun(rs.NewTerminateRunParams().WithContext(ctx).WithRunID(id), nil)
		return err
	}, func(r *client.Run) bool { return r.State.Done() || r.State == client.Cancelling })
}

// Retry runs again what has failed in a run.
func (c *Client) Retry(ctx context.Context, id string) error {
	return c.change(ctx, "retry", id, func(ctx context.Context) error {
		_, err := c.runs.RunService.RetryRun(rs.NewRetryRunParams().WithContext(ctx).WithRunID(id), nil)
		return err
	}, func(r *client.Run) bool { return !r.State.Done() })
}

// change does something to a run that must not be done twice.
func (c *Client) change(ctx context.Context, verb, id string, send func(context.Context) error, done func(*client.Run) bool) error {
	ctx, end := c.limit(ctx)
	defer end()
	_, err := create(ctx, func(ctx context.Context) (*rm.V2beta1Run, error) { return nil, send(ctx) }, func(ctx context.Context) (*rm.V2beta1Run, error) {
		r, err := c.get(ctx, id)
		if err != nil || !done(c.run(r)) {
			return nil, err
		}
		return r, nil
	})
	return c.wrap(err, "%s run %s", verb, id)
}

// Archive moves a run out of the lists; it is still there.
func (c *Client) Archive(ctx context.Context, id string) error {
	ctx, end := c.limit(ctx)
	defer end()
	_, err := c.runs.RunService.ArchiveRun(rs.NewArchiveRunParams().WithContext(ctx).WithRunID(id), nil)
	return c.wrap(err, "archive run %s", id)
}

// Unarchive takes a run back.
func (c *Client) Unarchive(ctx context.Context, id string) error {
	ctx, end := c.limit(ctx)
	defer end()
	_, err := c.runs.RunService.UnarchiveRun(rs.NewUnarchiveRunParams().WithContext(ctx).WithRunID(id), nil)
	return c.wrap(err, "unarchive run %s", id)
}

// Delete forgets a run. One that hasn't ended is not deleted.
func (c *Client) Delete(ctx context.Context, id string) error {
	ctx, end := c.limit(ctx)
	defer end()
	r, err := c.get(ctx, id)
	if err != nil {
		return c.wrap(err, "delete run %s", id)
	}
	if run := c.run(r); !run.State.Done() && run.State != "" {
		return &client.Error{Op: "delete run " + id, Code: client.Precondition, Msg: "it is " + string(run.State), Advice: "terminate it first"}
	}
	_, err = c.runs.RunService.DeleteRun(rs.NewDeleteRunParams().WithContext(ctx).WithRunID(id), nil)
	return c.wrap(err, "delete run %s", id)
}
