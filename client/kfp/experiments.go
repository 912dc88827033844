package kfp

import (
	"context"
	"errors"
	"iter"
	"time"

	es "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/experiment_client/experiment_service"
	em "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/experiment_model"

	"github.com/kfpgo/kfpgo/client"
)

// An Experiment is a named group of runs.
type Experiment struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Namespace   string    `json:"namespace,omitempty"`
	Archived    bool      `json:"archived,omitempty"`
	Created     time.Time `json:"created,omitzero"`
}

func experiment(e *em.V2beta1Experiment) *Experiment {
	return &Experiment{
		ID: e.ExperimentID, Name: e.DisplayName, Description: e.Description, Namespace: e.Namespace,
		Archived: e.StorageState == em.V2beta1ExperimentStorageStateARCHIVED, Created: when(e.CreatedAt),
	}
}

// CreateExperiment makes an experiment, or returns the one that has the name.
func (c *Client) CreateExperiment(ctx context.Context, name, description string) (*Experiment, client.Change, error) {
	ctx, end := c.limit(ctx)
	defer end()
	if name == "" {
		return nil, "", errors.New("an experiment needs a name")
	}
	return ensure(ctx, c, "create experiment "+name, func(ctx context.Context) (*Experiment, error) {
		ok, err := c.experiments.ExperimentService.CreateExperiment(es.NewCreateExperimentParams().WithContext(ctx).WithBody(
			&em.V2beta1Experiment{DisplayName: name, Description: description, Namespace: c.conf.Namespace}))
		if err != nil {
			return nil, err
		}
		return experiment(ok.Payload), nil
	}, func(ctx context.Context) (*Experiment, error) { return c.experimentByName(ctx, name) })
}

// experimentByName returns nil if there is none.
func (c *Client) experimentByName(ctx context.Context, name string) (*Experiment, error) {
	return named(c.Experiments(ctx, ListOptions{Name: name, any: true}), func(e *Experiment) bool { return e.Name == name })
}

// Experiment returns an experiment by its id or its name.
func (c *Client) Experiment(ctx context.Context, idOrName string) (*Experiment, error) {
	ctx, end := c.limit(ctx)
	defer end()
	if isID(idOrName) {
		ok, err := c.experiments.ExperimentService.GetExperiment(es.NewGetExperimentParams().WithContext(ctx).WithExperimentID(idOrName))
		if err == nil {
			return experiment(ok.Payload), nil
		}
		return nil, c.wrap(err, "get experiment %s", idOrName)
	}
	e, err := c.experimentByName(ctx, idOrName)
	if err == nil && e == nil {
		err = c.missing("experiment", idOrName, "kfpgo experiments list shows those that are there")
	}
	return e, err
}

// ListExperiments returns one page of experiments.
func (c *Client) ListExperiments(ctx context.Context, o ListOptions) (list []*Experiment, next string, err error) {
	ctx, end := c.limit(ctx)
	defer end()
	f, err := o.filter(true)
	if err != nil {
		return nil, "", err
	}
	p := es.NewListExperimentsParams().WithContext(ctx).WithFilter(f).WithNamespace(opt(c.conf.Namespace)).
		WithPageSize(opt(o.size())).WithPageToken(opt(o.Page)).WithSortBy(opt(o.sort()))
	ok, err := c.experiments.ExperimentService.ListExperiments(p)
	if err != nil {
		return nil, "", c.wrap(err, "list experiments")
	}
	return each(ok.Payload.Experiments, experiment), ok.Payload.NextPageToken, nil
}

// Experiments returns all experiments that the options name, page by page.
func (c *Client) Experiments(ctx context.Context, o ListOptions) iter.Seq2[*Experiment, error] {
	return pages(ctx, o, c.ListExperiments)
}

// ArchiveExperiment archives an experiment with its runs, by id or name; it is
// still there.
func (c *Client) ArchiveExperiment(ctx context.Context, idOrName string) error {
	return c.with(ctx, "archive", "experiment", idOrName, c.experimentID, func(ctx context.Context, id string) error {
		_, err := c.experiments.ExperimentService.ArchiveExperiment(es.NewArchiveExperimentParams().WithContext(ctx).WithExperimentID(id))
		return err
	})
}

// UnarchiveExperiment takes an experiment back, without its runs.
func (c *Client) UnarchiveExperiment(ctx context.Context, idOrName string) error {
	return c.with(ctx, "unarchive", "experiment", idOrName, c.experimentID, func(ctx context.Context, id string) error {
		_, err := c.experiments.ExperimentService.UnarchiveExperiment(es.NewUnarchiveExperimentParams().WithContext(ctx).WithExperimentID(id))
		return err
	})
}

// DeleteExperiment deletes an experiment; its runs stay.
func (c *Client) DeleteExperiment(ctx context.Context, idOrName string) error {
	return c.with(ctx, "delete", "experiment", idOrName, c.experimentID, func(ctx context.Context, id string) error {
		_, err := c.experiments.ExperimentService.DeleteExperiment(es.NewDeleteExperimentParams().WithContext(ctx).WithExperimentID(id))
		return err
	})
}

func (c *Client) experimentID(ctx context.Context, idOrName string) (string, error) {
	if isID(idOrName) {
		return idOrName, nil
	}
	e, err := c.Experiment(ctx, idOrName)
	if err != nil {
		return "", err
	}
	return e.ID, nil
}
