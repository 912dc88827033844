package kfp

import (
	"cmp"
	"slices"
	"strings"
	"time"

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

// tasks returns the tasks of a run in the order in which they began, without what
// KFP runs beside them: its drivers, and the nodes for their pods.
func tasks(ds []*rm.V2beta1PipelineTaskDetail) []client.Task {
	parent := map[string]*rm.V2beta1PipelineTaskDetail{}
	byID := map[string]*rm.V2beta1PipelineTaskDetail{}
	for _, d := range ds {
		byID[d.TaskID] = d
	}
	for _, d := range ds {
		if p := byID[d.ParentTaskID]; p != nil {
			parent[d.TaskID] = p
		}
		for _, ch := range d.ChildTasks {
			if ch.TaskID != "" && parent[ch.TaskID] == nil && byID[ch.TaskID] != nil {
				parent[ch.TaskID] = d
			}
		}
	}
	skipped := map[time.Time]bool{} // when the pods of cached tasks would have started
	for _, d := range ds {
		if d.DisplayName == "executor" && state(d.State) == client.Skipped && !when(d.StartTime).IsZero() {
			skipped[when(d.StartTime)] = true
		}
	}
	var list []client.Task
	for _, d := range ds {
		if beside(d.DisplayName) || whole(d) {
			continue
		}
		t := client.Task{
			ID: d.TaskID, State: state(d.State), Pod: d.PodName, Started: when(d.StartTime), Ended: when(d.EndTime),
		}
		// The server tells of a cached task that it has succeeded. Its pod was skipped, in
		// the moment in which the task began and ended; one with a pod takes longer.
		if t.State == client.Succeeded && t.Started.Equal(t.Ended) && skipped[t.Started] && len(d.ChildTasks) > 0 {
			t.State = client.Cached
		}
		names := []string{d.DisplayName}
		for p, n := parent[d.TaskID], 0; p != nil && n < 100; p, n = parent[p.TaskID], n+1 {
			if !beside(p.DisplayName) && !whole(p) {
				names = append([]string{p.DisplayName}, names...)
			}
		}
		t.Path = strings.Join(names, "/")
		if d.Error != nil {
			t.Error = d.Error.Message
		}
		for _, ch := range d.ChildTasks {
			t.Pod = cmp.Or(t.Pod, ch.PodName)
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b client.Task) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Path, b.Path))
	})
	return list
}

// whole reports whether a task stands for the whole Workflow: it is called as that,
// and so are the beginnings of its nodes' names.
func whole(d *rm.V2beta1PipelineTaskDetail) bool {
	for _, ch := range d.ChildTasks {
		if strings.HasPrefix(ch.PodName, d.DisplayName+"-") {
			return true
		}
	}
	return false
}

// beside reports whether a name is of what KFP runs for itself.
func beside(name string) bool {
	return name == "" || name == "root" || name == "executor" || name == "driver" || strings.HasSuffix(name, "-driver") ||
		strings.HasPrefix(name, "root.") || strings.HasPrefix(name, "executor(")
}
