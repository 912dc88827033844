package kfp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-openapi/strfmt"
	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/runpods"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestTasks: of the nodes that the server tells, those of the user's tasks are left.
func TestTasks(t *testing.T) {
	child := func(pod string) []*rm.PipelineTaskDetailChildTask {
		return []*rm.PipelineTaskDetailChildTask{{PodName: pod}}
	}
	got := tasks([]*rm.V2beta1PipelineTaskDetail{
		{TaskID: "1", DisplayName: "calc-nl2qg", State: "RUNNING", ChildTasks: child("calc-nl2qg-3120620930")},
		{TaskID: "2", DisplayName: "root-driver", State: "SUCCEEDED"},
		{TaskID: "3", DisplayName: "root", State: "RUNNING"},
		{TaskID: "4", DisplayName: "train-driver", State: "SUCCEEDED"},
		{TaskID: "5", DisplayName: "train", State: "RUNNING", ParentTaskID: "3"},
		{TaskID: "6", DisplayName: "executor", State: "SKIPPED"},
		{TaskID: "7", DisplayName: "for-loop-1", State: "RUNNING"},
		{TaskID: "8", DisplayName: "step", State: "PENDING", ParentTaskID: "7"},
	})
	var paths []string
	for _, task := range got {
		paths = append(paths, task.Path)
	}
	if len(paths) != 3 || paths[0] != "for-loop-1" || paths[1] != "for-loop-1/step" || paths[2] != "train" {
		t.Errorf("got %q", paths)
	}
}

// TestCached: KFP 2.0 says of a cached task that it has succeeded, and of its pod that
// it was skipped.
func TestCached(t *testing.T) {
	at := func(second int) strfmt.DateTime {
		return strfmt.DateTime(time.Date(2026, 3, 1, 0, 0, second, 0, time.UTC))
	}
	child := []*rm.PipelineTaskDetailChildTask{{PodName: "hello-ngbch-3245265871"}}
	got := tasks([]*rm.V2beta1PipelineTaskDetail{
		{TaskID: "1", DisplayName: "first", State: "SUCCEEDED", StartTime: at(17), EndTime: at(17), ChildTasks: child},
		{TaskID: "2", DisplayName: "executor", State: "SKIPPED", StartTime: at(17), EndTime: at(17)},
		{TaskID: "3", DisplayName: "second", State: "SUCCEEDED", StartTime: at(17), EndTime: at(25), ChildTasks: child},
		{TaskID: "4", DisplayName: "executor", State: "SUCCEEDED", StartTime: at(17), EndTime: at(25)},
	})
	if len(got) != 2 || got[0].State != client.Cached || got[1].State != client.Succeeded {
		t.Errorf("%+v", got)
	}
}

// TestStep: which task a pod is of follows from the name of its node.
func TestStep(t *testing.T) {
	for node, want := range map[string]string{
		"calc-x.root-driver": "", "calc-x.root.train-driver": "", "calc-x.root.train.executor": "train", "calc-x.root.loop.loop-driver(0)": "", "": "",
		"calc-x.root.for-loop-1.iteration(0:0).step.executor": "step",
	} {
		if got := step(&runpods.Pod{Notes: map[string]string{"workflows.argoproj.io/node-name": node}}); got != want {
			t.Errorf("%s: got %q, want %q", node, got, want)
		}
	}
}

// TestRecorded: the tasks of runs as servers reported them, by their paths, with the states of those whose driver failed.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/runs/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var r rm.V2beta1Run
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, task := range tasks(r.RunDetails.TaskDetails) {
			fmt.Fprintln(&got, strings.TrimSpace(fmt.Sprintf("%s %s %s", task.Path, task.State, task.Error)))
		}
		golden.Check(t, strings.TrimSuffix(file, "json")+"txt", []byte(got.String()))
	}
}
