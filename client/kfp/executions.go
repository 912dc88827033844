package kfp

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
)

// graph returns the executions that were read, without groups of tasks: they pass on
// the outputs of their tasks.
func (m *mlmd) graph() *lineage.Graph {
	b := lineage.NewBuilder()
	slices.SortFunc(m.events, func(x, y *pb.Event) int { // so that what is equal is in one order
		return cmp.Or(cmp.Compare(x.GetExecutionId(), y.GetExecutionId()), cmp.Compare(x.GetArtifactId(), y.GetArtifactId()), cmp.Compare(x.GetType(), y.GetType()))
	})
	for _, ev := range m.events {
		e, a := m.executions[ev.GetExecutionId()], m.artifacts[ev.GetArtifactId()]
		if e == nil || a == nil || e.GetType() == "system.DAGExecution" || isLog(a) && !m.logs {
			continue
		}
		kind := lineage.Read
		if writes(ev) {
			kind = lineage.Made
			switch {
			case e.GetLastKnownState() == pb.Execution_CACHED:
				kind = lineage.Reused
			case e.GetType() == "system.ImporterExecution":
				kind = lineage.Imported
			}
		}
		name, index := place(ev)
		b.Event(m.execution(e), kind, name, int(index), artifactOf(a))
	}
	for _, id := range slices.Sorted(maps.Keys(m.executions)) {
		if e := m.executions[id]; e.GetType() != "system.DAGExecution" && m.runs[id] != "" {
			b.Execution(m.execution(e))
		}
	}
	return b.Graph()
}

// hidden are properties of artifacts that KFP has for itself.
var hidden = []string{"display_name", "name", storeInfo, "payload_format", "state"}

// storeInfo is the property that says how the store of an artifact is reached.
const storeInfo = "store_session_info"

func artifactOf(a *pb.Artifact) lineage.Artifact {
	out := lineage.Artifact{ID: name64(a.GetId()), Type: a.GetType(), URI: a.GetUri(), Created: moment(a.GetCreateTimeSinceEpoch()), Name: a.CustomProperties["display_name"].GetStringValue()}
	for k, v := range a.CustomProperties {
		if slices.Contains(hidden, k) {
			continue
		}
		if out.Metadata == nil {
			out.Metadata = map[string]any{}
		}
		out.Metadata[k] = plainValue(v)
	}
	return out
}

func parent(e *pb.Execution) int64 { return e.CustomProperties["parent_dag_id"].GetIntValue() }

// statesOfExecutions are those of ML Metadata in KFP's words.
var statesOfExecutions = map[pb.Execution_State]client.State{
	pb.Execution_NEW: client.Pending, pb.Execution_RUNNING: client.Running, pb.Execution_COMPLETE: client.Succeeded, pb.Execution_FAILED: client.Failed,
	pb.Execution_CACHED: client.Cached, pb.Execution_CANCELED: client.Skipped,
}

func (m *mlmd) execution(e *pb.Execution) *lineage.Execution {
	state := statesOfExecutions[e.GetLastKnownState()]
	out := &lineage.Execution{
		ID: name64(e.GetId()), Run: m.runs[e.GetId()], Task: m.path(e), Kind: "container", State: string(state),
		Started: moment(e.GetCreateTimeSinceEpoch()), Inputs: fields(e, "inputs"), Outputs: fields(e, "outputs"),
	}
	if e.GetType() == "system.ImporterExecution" {
		out.Kind = "importer"
	}
	if state != client.Running && state != client.Pending {
		out.Ended = moment(e.GetLastUpdateTimeSinceEpoch())
	}
	return out
}

// path returns the path of a task: the names of its groups and its own.
func (m *mlmd) path(e *pb.Execution) string {
	var parts []string
	for n := 0; e != nil && n < maxDepth; n++ {
		up := m.executions[parent(e)]
		name := e.CustomProperties["task_name"].GetStringValue()
		if up == nil && (name == "" || e.GetType() == "system.DAGExecution") {
			break // the run itself
		}
		if i, ok := e.CustomProperties["iteration_index"]; ok {
			parts = append(parts, strconv.FormatInt(i.GetIntValue(), 10))
			if name == up.GetCustomProperties()["task_name"].GetStringValue() {
				name = ""
			}
		}
		if name != "" {
			parts = append(parts, name)
		}
		e = up
	}
	slices.Reverse(parts)
	return strings.Join(parts, "/")
}

// fields returns the parameters of an execution.
func fields(e *pb.Execution, of string) map[string]json.RawMessage {
	s := e.CustomProperties[of].GetStructValue()
	if len(s.GetFields()) == 0 {
		return nil
	}
	return values(s.AsMap())
}
