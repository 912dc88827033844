package dsl

import (
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// RunName is the name of the run, for the arguments of tasks and of containers, alone or
// in a [Sprintf], as are the functions below it. KFP's Python has
// PIPELINE_JOB_NAME_PLACEHOLDER.
//
//	Save.Call(s, SaveIn{Model: m, Tag: dsl.Sprintf("run-%s", dsl.RunName())})
func RunName() Param[string] { return ofRun[string]("pipeline_job_name") }

// RunID is the unique id of the run (PIPELINE_JOB_ID_PLACEHOLDER).
func RunID() Param[string] { return ofRun[string]("pipeline_job_uuid") }

// RunResource is the name of the run's object in the cluster, its Workflow
// (PIPELINE_JOB_RESOURCE_NAME_PLACEHOLDER).
func RunResource() Param[string] { return ofRun[string]("pipeline_job_resource_name") }

// RunCreated is when the run was started, in UTC (PIPELINE_JOB_CREATE_TIME_UTC_PLACEHOLDER).
func RunCreated() Param[time.Time] { return ofRun[time.Time]("pipeline_job_create_time_utc") }

// RunScheduled is the time of the schedule that started the run, in UTC, or else when it
// was started (PIPELINE_JOB_SCHEDULE_TIME_UTC_PLACEHOLDER). See [FireTime] for the exact
// one.
func RunScheduled() Param[time.Time] { return ofRun[time.Time]("pipeline_job_schedule_time_utc") }

// TaskName is the name of the task that gets it (PIPELINE_TASK_NAME_PLACEHOLDER).
func TaskName() Param[string] { return ofRun[string]("pipeline_task_name") }

// TaskID is the unique id of the task that gets it (PIPELINE_TASK_ID_PLACEHOLDER).
func TaskID() Param[string] { return ofRun[string]("pipeline_task_uuid") }

// ArtifactRoot is the URI of the folder for the run's artifacts (PIPELINE_ROOT_PLACEHOLDER).
func ArtifactRoot() Param[string] { return ofRun[string]("pipeline_root") }

// WorkspacePath is where tasks find the [Workspace] of the run. KFP calls it
// WORKSPACE_PATH_PLACEHOLDER.
//
//	Train.Call(s, TrainIn{Cache: dsl.Sprintf("%s/cache", dsl.WorkspacePath())})
func WorkspacePath() Param[string] { return ofRun[string](record.WorkspacePath) }

func ofRun[T any](name string) Param[T] {
	var p Param[T]
	p.bind(&record.Value{Kind: graph.Run, Name: name})
	return p
}
