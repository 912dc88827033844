package dsl

import (
	"time"

	"github.com/kfpgo/kfpgo/internal/graph"
	"github.com/kfpgo/kfpgo/internal/record"
)

// What a run knows of itself, for the arguments of tasks and of containers, alone
// or in a [Sprintf]. KFP's Python has constants for them, such as
// PIPELINE_JOB_NAME_PLACEHOLDER.
//
//	Save.Call(s, SaveIn{Model: m, Tag: dsl.Sprintf("run-%s", dsl.RunID())})
func RunName() Param[string]         { return ofRun[string]("pipeline_job_name") }                 // the name of the run
func RunID() Param[string]           { return ofRun[string]("pipeline_job_uuid") }                 // its unique id
func RunResource() Param[string]     { return ofRun[string]("pipeline_job_resource_name") }        // the name of its object in the cluster
func RunCreated() Param[time.Time]   { return ofRun[time.Time]("pipeline_job_create_time_utc") }   // when it was started
func RunScheduled() Param[time.Time] { return ofRun[time.Time]("pipeline_job_schedule_time_utc") } // the time of its schedule
func TaskName() Param[string]        { return ofRun[string]("pipeline_task_name") }                // the name of the task that gets it
func TaskID() Param[string]          { return ofRun[string]("pipeline_task_uuid") }                // the unique id of that task
func ArtifactRoot() Param[string]    { return ofRun[string]("pipeline_root") }                     // the folder of the run's artifacts, a URI

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
