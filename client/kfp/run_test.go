package kfp

import (
	"testing"

	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/internal/kubepods"
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

// TestStep: which task a pod is of follows from the name of its node.
func TestStep(t *testing.T) {
	for node, want := range map[string]string{
		"calc-x.root-driver": "", "calc-x.root.train-driver": "", "calc-x.root.train.executor": "train", "calc-x.root.loop.loop-driver(0)": "", "": "",
		"calc-x.root.for-loop-1.iteration(0:0).step.executor": "step",
	} {
		if got := step(&kubepods.Pod{Notes: map[string]string{"workflows.argoproj.io/node-name": node}}); got != want {
			t.Errorf("%s: got %q, want %q", node, got, want)
		}
	}
}
