package kfp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	rrs "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/recurring_run_client/recurring_run_service"
	rrm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/recurring_run_model"

	"github.com/kfpgo/kfpgo/client"
)

// A RecurringRun is KFP's own object that starts runs on a schedule. Cron is
// KFP's too: six fields, seconds first, in the time zone of the server. The
// schedules of package client have one meaning on all engines.
type RecurringRun struct {
	ID             string                     `json:"id"`
	Name           string                     `json:"name"`
	Description    string                     `json:"description,omitempty"`
	Experiment     string                     `json:"experiment,omitempty"` // id
	Namespace      string                     `json:"namespace,omitempty"`
	Enabled        bool                       `json:"enabled"`
	Cron           string                     `json:"cron,omitempty"`
	Every          time.Duration              `json:"every,omitempty"` // in place of Cron
	Start          time.Time                  `json:"start,omitzero"`
	End            time.Time                  `json:"end,omitzero"`
	MaxConcurrency int64                      `json:"maxConcurrency,omitempty"` // 1 to 10
	NoCatchUp      bool                       `json:"noCatchUp,omitempty"`      // of the times that were missed, only the last
	Args           map[string]json.RawMessage `json:"args,omitempty"`
	ArtifactRoot   string                     `json:"artifactRoot,omitempty"`
	ServiceAccount string                     `json:"serviceAccount,omitempty"`
	Pipeline       string                     `json:"pipeline,omitempty"` // id, if the server keeps it
	Version        string                     `json:"version,omitempty"`  // id
	Spec           any                        `json:"spec,omitempty"`     // the compiled pipeline, if it has one of its own
	Created        time.Time                  `json:"created,omitzero"`
	Updated        time.Time                  `json:"updated,omitzero"`
	Error          string                     `json:"error,omitempty"`
}

// SpecOf returns compiled YAML as a RecurringRun has it.
func SpecOf(yaml []byte) (any, error) { return object(yaml) }

func recurring(r *rrm.V2beta1RecurringRun) *RecurringRun {
	out := &RecurringRun{
		ID: r.RecurringRunID, Name: r.DisplayName, Description: r.Description, Experiment: r.ExperimentID, Namespace: r.Namespace,
		Enabled:        r.Status == rrm.V2beta1RecurringRunStatusENABLED || r.Status == "" && r.Mode == rrm.RecurringRunModeENABLE,
		MaxConcurrency: r.MaxConcurrency, NoCatchUp: r.NoCatchup, ServiceAccount: r.ServiceAccount,
		Version: r.PipelineVersionID, Spec: r.PipelineSpec, Created: when(r.CreatedAt), Updated: when(r.UpdatedAt),
	}
	if ref := r.PipelineVersionReference; ref != nil {
		out.Pipeline, out.Version = ref.PipelineID, ref.PipelineVersionID
	}
	if r.RuntimeConfig != nil {
		out.Args, out.ArtifactRoot = values(r.RuntimeConfig.Parameters), r.RuntimeConfig.PipelineRoot
	}
	if t := r.Trigger; t != nil {
		if s := t.CronSchedule; s != nil {
			out.Cron, out.Start, out.End = s.Cron, when(s.StartTime), when(s.EndTime)
		}
		if s := t.PeriodicSchedule; s != nil {
			out.Every, out.Start, out.End = time.Duration(s.IntervalSecond)*time.Second, when(s.StartTime), when(s.EndTime)
		}
	}
	if r.Error != nil {
		out.Error = r.Error.Message
	}
	return out
}

// check says what of a recurring run the server would refuse, or take and never run.
func (r *RecurringRun) check() error {
	switch {
	case r.Name == "":
		return errors.New("it needs a name")
	case r.Cron == "" && r.Every == 0:
		return errors.New("no time is given: a cron or an interval")
	case r.Cron != "" && r.Every != 0:
		return errors.New("both a cron and an interval are given; choose one")
	case r.Every != 0 && (r.Every < time.Second || r.Every%time.Second != 0):
		return fmt.Errorf("an interval of %v; it is a whole number of seconds", r.Every)
	case r.MaxConcurrency < 1 || r.MaxConcurrency > 10:
		return fmt.Errorf("a concurrency of %d; KFP takes 1 to 10", r.MaxConcurrency)
	case !r.Start.IsZero() && !r.End.IsZero() && !r.End.After(r.Start):
		return fmt.Errorf("the end, %s, is not after the start, %s", r.End.Format(time.RFC3339), r.Start.Format(time.RFC3339))
	case !r.End.IsZero() && r.End.Before(time.Now()):
		return fmt.Errorf("the end, %s, is over", r.End.Format(time.RFC3339))
	case r.Spec == nil && r.Version == "":
		return errors.New("no pipeline is given: a version that the server keeps, or a compiled one")
	}
	return nil
}

// CreateRecurringRun makes a recurring run. Names are not unique: see schedules for
// something that is applied by name. Experiment may be a name, and is made then.
func (c *Client) CreateRecurringRun(ctx context.Context, r RecurringRun) (*RecurringRun, error) {
	ctx, end := c.limit(ctx)
	defer end()
	op := "create recurring run " + r.Name
	if r.MaxConcurrency == 0 {
		r.MaxConcurrency = 1
	}
	if err := r.check(); err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error()}
	}
	if err := checkRun(op, r.Spec, r.Args); err != nil {
		return nil, err
	}
	token := client.NewToken()
	body := &rrm.V2beta1RecurringRun{
		DisplayName: r.Name, Description: r.Description, MaxConcurrency: r.MaxConcurrency, NoCatchup: r.NoCatchUp, ServiceAccount: r.ServiceAccount,
		Mode: rrm.RecurringRunModeDISABLE, PipelineSpec: r.Spec,
		RuntimeConfig: &rrm.V2beta1RuntimeConfig{Parameters: anything(r.Args), PipelineRoot: r.ArtifactRoot},
		Trigger:       &rrm.V2beta1Trigger{},
	}
	if body.Description != "" {
		body.Description += "\n"
	}
	body.Description += mark(token)
	if r.Enabled {
		body.Mode = rrm.RecurringRunModeENABLE
	}
	if r.Version != "" {
		body.PipelineSpec = nil
		body.PipelineVersionReference = &rrm.V2beta1PipelineVersionReference{PipelineID: r.Pipeline, PipelineVersionID: r.Version}
	}
	if r.Cron != "" {
		body.Trigger.CronSchedule = &rrm.V2beta1CronSchedule{Cron: r.Cron, StartTime: at(r.Start), EndTime: at(r.End)}
	} else {
		body.Trigger.PeriodicSchedule = &rrm.V2beta1PeriodicSchedule{IntervalSecond: int64(r.Every / time.Second), StartTime: at(r.Start), EndTime: at(r.End)}
	}
	if r.Experiment != "" {
		e, err := c.experimentFor(ctx, r.Experiment)
		if err != nil {
			return nil, err
		}
		body.ExperimentID = e.ID
	}
	made, err := create(ctx, func(ctx context.Context) (*RecurringRun, error) {
		ok, err := c.recurring.RecurringRunService.CreateRecurringRun(rrs.NewCreateRecurringRunParams().WithContext(ctx).WithBody(body))
		if err != nil {
			return nil, err
		}
		return recurring(ok.Payload), nil
	}, func(ctx context.Context) (*RecurringRun, error) {
		f, err := filter("", contains("description", mark(token)))
		if err != nil {
			return nil, err
		}
		list, _, err := c.ListRecurringRuns(ctx, "", ListOptions{Filter: *f})
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[0], nil
	})
	return made, c.wrap(err, "%s", op)
}

// RecurringRun returns a recurring run by its id or its name. If several have the
// name, that is an error.
func (c *Client) RecurringRun(ctx context.Context, idOrName string) (*RecurringRun, error) {
	ctx, end := c.limit(ctx)
	defer end()
	id, err := c.recurringID(ctx, idOrName)
	if err != nil {
		return nil, err
	}
	ok, err := c.recurring.RecurringRunService.GetRecurringRun(rrs.NewGetRecurringRunParams().WithContext(ctx).WithRecurringRunID(id))
	if err != nil {
		return nil, c.wrap(err, "get recurring run %s", idOrName)
	}
	return recurring(ok.Payload), nil
}

func (c *Client) recurringID(ctx context.Context, idOrName string) (string, error) {
	if isID(idOrName) {
		return idOrName, nil
	}
	var ids []string
	for r, err := range c.RecurringRuns(ctx, "", ListOptions{Name: idOrName}) {
		if err != nil {
			return "", err
		}
		if r.Name == idOrName {
			ids = append(ids, r.ID)
		}
	}
	switch len(ids) {
	case 0:
		return "", c.missing("recurring run", idOrName, "kfpgo recurring-runs list shows those that are there")
	case 1:
		return ids[0], nil
	}
	return "", &client.Error{Op: "get recurring run " + idOrName, Code: client.Invalid, Msg: fmt.Sprintf("%d recurring runs have that name", len(ids)), Advice: fmt.Sprintf("give the id of one: %v", ids)}
}

// ListRecurringRuns returns one page of recurring runs, of an experiment (id) or of all.
func (c *Client) ListRecurringRuns(ctx context.Context, experiment string, o ListOptions) (list []*RecurringRun, next string, err error) {
	ctx, end := c.limit(ctx)
	defer end()
	f, err := o.filter(false)
	if err != nil {
		return nil, "", err
	}
	p := rrs.NewListRecurringRunsParams().WithContext(ctx).WithFilter(f).WithPageSize(opt(o.size())).WithPageToken(opt(o.Page)).WithSortBy(opt(o.sort()))
	if experiment != "" {
		p.ExperimentID = &experiment
	} else {
		p.Namespace = opt(c.conf.Namespace)
	}
	ok, err := c.recurring.RecurringRunService.ListRecurringRuns(p)
	if err != nil {
		return nil, "", c.wrap(err, "list recurring runs")
	}
	return each(ok.Payload.RecurringRuns, recurring), ok.Payload.NextPageToken, nil
}

// RecurringRuns returns all recurring runs that the options name, page by page.
func (c *Client) RecurringRuns(ctx context.Context, experiment string, o ListOptions) iter.Seq2[*RecurringRun, error] {
	return pages(ctx, o, func(ctx context.Context, o ListOptions) ([]*RecurringRun, string, error) {
		return c.ListRecurringRuns(ctx, experiment, o)
	})
}

// EnableRecurringRun lets a recurring run start runs again.
func (c *Client) EnableRecurringRun(ctx context.Context, idOrName string) error {
	return c.with(ctx, "enable", "recurring run", idOrName, c.recurringID, func(ctx context.Context, id string) error {
		_, err := c.recurring.RecurringRunService.EnableRecurringRun(rrs.NewEnableRecurringRunParams().WithContext(ctx).WithRecurringRunID(id))
		return err
	})
}

// DisableRecurringRun stops a recurring run from starting runs; those that it has
// started continue.
func (c *Client) DisableRecurringRun(ctx context.Context, idOrName string) error {
	return c.with(ctx, "disable", "recurring run", idOrName, c.recurringID, func(ctx context.Context, id string) error {
		_, err := c.recurring.RecurringRunService.DisableRecurringRun(rrs.NewDisableRecurringRunParams().WithContext(ctx).WithRecurringRunID(id))
		return err
	})
}

// DeleteRecurringRun deletes a recurring run; the runs that it has started stay.
func (c *Client) DeleteRecurringRun(ctx context.Context, idOrName string) error {
	return c.with(ctx, "delete", "recurring run", idOrName, c.recurringID, func(ctx context.Context, id string) error {
		_, err := c.recurring.RecurringRunService.DeleteRecurringRun(rrs.NewDeleteRecurringRunParams().WithContext(ctx).WithRecurringRunID(id))
		return err
	})
}
