package kfp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

func (c *Client) scheduleOf(ctx context.Context, r *RecurringRun) (*client.Schedule, error) {
	s := &client.Schedule{ID: r.ID, Name: r.Name, Paused: !r.Enabled, Problem: r.Error, Created: r.Created}
	a, _ := appliedOf(r)
	s.When, s.Pipeline, s.FireTime = a.when(), pipelineName(r.Spec), fireTimes(r)
	s.Args = maps.Clone(r.Args)
	maps.DeleteFunc(s.Args, func(name string, _ json.RawMessage) bool { return slices.Contains(s.FireTime, name) })
	p, err := c.List(ctx, client.ListOptions{Schedule: r.ID, Size: 100})
	if err != nil {
		return nil, err
	}
	for _, run := range p.Runs {
		if at := cmp.Or(run.Scheduled, run.Created); at.After(s.Last) {
			s.Last = at
		}
		if !run.State.Done() {
			s.Active = append(s.Active, run.ID)
		}
	}
	return s, nil
}

// Schedules returns the recurring runs that are schedules of kfpgo's, by name.
func (c *Client) Schedules(ctx context.Context) ([]*client.Schedule, error) {
	ctx, end := c.limit(ctx)
	defer end()
	byName := map[string]*kept{}
	for r, err := range c.RecurringRuns(ctx, "", ListOptions{}) {
		if err != nil {
			return nil, err
		}
		k := byName[r.Name]
		if k == nil {
			k = &kept{name: r.Name}
		}
		if k.add(r) {
			byName[r.Name] = k
		}
	}
	var all []*client.Schedule
	for _, k := range byName {
		k.sort()
		s, err := c.shown(ctx, k)
		if client.CodeOf(err) == client.NotFound {
			continue // deleted since it was listed
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *client.Schedule) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// shown returns a schedule as it is kept.
func (c *Client) shown(ctx context.Context, k *kept) (*client.Schedule, error) {
	s, err := c.scheduleOf(ctx, k.current())
	if err == nil && k.broken() {
		s.Problem = brokenOff
	}
	return s, err
}

// known returns the recurring runs of a schedule that must exist.
func (c *Client) known(ctx context.Context, op, name string) (*kept, error) {
	k, err := c.called(ctx, op, name)
	if err == nil && k.current() == nil {
		err = c.missing("schedule", name, "kfpgo schedule list --on kfp shows those that are there")
	}
	return k, err
}

// Schedule returns one.
func (c *Client) Schedule(ctx context.Context, name string) (*client.Schedule, error) {
	ctx, end := c.limit(ctx)
	defer end()
	k, err := c.known(ctx, "get schedule "+name, name)
	if err != nil {
		return nil, err
	}
	return c.shown(ctx, k)
}

// PauseSchedule disables a recurring run.
func (c *Client) PauseSchedule(ctx context.Context, name string) error {
	ctx, end := c.limit(ctx)
	defer end()
	k, err := c.known(ctx, "pause schedule "+name, name)
	if err != nil {
		return err
	}
	if len(k.all) == 0 { // the draft is all that there is
		return c.finish(ctx, k, false)
	}
	if err := c.discard(ctx, k); err != nil { // first, since it says that something is to be enabled
		return err
	}
	for _, r := range k.enabled() {
		if err := c.disable(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// ResumeSchedule enables a recurring run. It finishes an update that was broken off.
func (c *Client) ResumeSchedule(ctx context.Context, name string) error {
	ctx, end := c.limit(ctx)
	defer end()
	k, err := c.known(ctx, "resume schedule "+name, name)
	switch {
	case err != nil || len(k.enabled()) > 0:
		return err
	case len(k.drafts) > 0:
		return c.finish(ctx, k, true)
	}
	return c.EnableRecurringRun(ctx, k.current().ID)
}

// TriggerSchedule starts a run as if the schedule had fired at a time. The second
// time for one time gives the run of the first.
func (c *Client) TriggerSchedule(ctx context.Context, name string, at time.Time) (*client.Run, error) {
	ctx, end := c.limit(ctx)
	defer end()
	k, err := c.known(ctx, "trigger schedule "+name, name)
	if err != nil {
		return nil, err
	}
	r := k.current()
	args := map[string]json.RawMessage{}
	maps.Copy(args, r.Args)
	a, _ := appliedOf(r)
	zone, err := schedule.Zone(a.Zone)
	if err != nil {
		return nil, &client.Error{Op: "trigger schedule " + name, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	spec := r.Spec
	if in := fireTimes(r); len(in) > 0 {
		text := at.In(zone).Format(time.RFC3339)
		for _, in := range in {
			args[in], _ = json.Marshal(text)
		}
		if spec, err = fired(spec, text); err != nil {
			return nil, &client.Error{Op: "trigger schedule " + name, Code: client.Invalid, Msg: err.Error(), Err: err}
		}
	}
	s := client.Submission{
		Name: fmt.Sprintf("%s-%s", name, at.In(zone).Format("20060102-150405")), Args: args, ServiceAccount: r.ServiceAccount, ArtifactRoot: r.ArtifactRoot,
		Experiment: r.Experiment, Token: fmt.Sprintf("%s-%d", r.ID, at.Unix()),
	}
	run, err := c.createRun(ctx, s, spec, func(body *rm.V2beta1Run) {
		body.PipelineSpec, body.ExperimentID = spec, r.Experiment
	})
	if run != nil {
		run.Schedule, run.Scheduled = r.ID, at.In(zone)
	}
	return run, err
}

// DeleteSchedule deletes the recurring run. While one of its runs is running it is
// only disabled, because Kubernetes would delete that with it.
func (c *Client) DeleteSchedule(ctx context.Context, name string) error {
	ctx, end := c.limit(ctx)
	defer end()
	op := "delete schedule " + name
	k, err := c.known(ctx, op, name)
	if err != nil {
		return err
	}
	if err := c.discard(ctx, k); err != nil {
		return err
	}
	for _, r := range k.all {
		if err := c.retire(ctx, r); err != nil {
			return err
		}
	}
	left, err := c.called(ctx, op, name)
	if err != nil || len(left.all) == 0 {
		return err
	}
	active, err := c.active(ctx, left.all[0].ID)
	if err != nil {
		return err
	}
	return running(op, active)
}

var _ client.Scheduler = (*Client)(nil)
