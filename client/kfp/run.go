package kfp

import (
	"cmp"
	"strings"

	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/client"
)

// state returns a state of the API in client's words.
func state(s rm.V2beta1RuntimeState) client.State {
	if s == rm.V2beta1RuntimeStateRUNTIMESTATEUNSPECIFIED {
		return ""
	}
	return client.State(s)
}

// run returns a run of the API.
func (c *Client) run(r *rm.V2beta1Run) *client.Run {
	out := &client.Run{
		ID: r.RunID, Name: r.DisplayName, State: state(r.State), Version: r.PipelineVersionID, Experiment: r.ExperimentID,
		Schedule: r.RecurringRunID, Archived: r.StorageState == rm.V2beta1RunStorageStateARCHIVED,
		Created: when(r.CreatedAt), Scheduled: when(r.ScheduledAt), Ended: when(r.FinishedAt), Pipeline: pipelineName(r.PipelineSpec),
		Namespace: c.conf.Namespace,
	}
	if ref := r.PipelineVersionReference; ref != nil {
		out.Version = cmp.Or(out.Version, ref.PipelineVersionID)
		out.Pipeline = cmp.Or(out.Pipeline, ref.PipelineID)
	}
	if r.Error != nil {
		out.Error = r.Error.Message
	}
	if r.RuntimeConfig != nil {
		out.Args = values(r.RuntimeConfig.Parameters)
	}
	if out.State == "" && len(r.StateHistory) > 0 { // it is absent for a moment after PENDING
		out.State = state(r.StateHistory[len(r.StateHistory)-1].State)
	}
	if out.State == "" && out.Ended.IsZero() {
		out.State = client.Pending
	}
	if !out.State.Done() {
		out.Ended = out.Ended.Truncate(0)
	}
	for _, h := range r.StateHistory {
		if h.State == rm.V2beta1RuntimeStateRUNNING && out.Started.IsZero() {
			out.Started = when(h.UpdateTime)
		}
	}
	if r.RunDetails != nil {
		out.Tasks = tasks(r.RunDetails.TaskDetails)
	}
	if c.conf.UI != "" {
		out.URL = strings.TrimRight(c.conf.UI, "/") + "/#/runs/details/" + r.RunID
	} else if !c.kube && strings.HasSuffix(c.base, "/pipeline") {
		out.URL = c.base + "/#/runs/details/" + r.RunID
	}
	return out
}
