package vet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/trainingoperator"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

// TestQueues: a job is compared with the queue that the pipeline makes for it, by the pods
// that start together.
func TestQueues(t *testing.T) {
	train := pod.Spec{Image: "tf:2", Command: []string{"train"}, GPUs: 1, CPU: "500m"}
	limit := func(pairs ...string) dsl.Param[map[string]string] {
		all := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return dsl.Const(all)
	}
	with := func(in volcano.TensorFlowIn) func(*dsl.Scope, objectIn) {
		in.Name, in.Pod, in.Workers = dsl.Const("train"), dsl.Const(train), dsl.Const(3)
		return func(s *dsl.Scope, _ objectIn) { volcano.TensorFlow.Call(s, in) }
	}
	made := func(limit dsl.Param[map[string]string]) volcano.JobIn {
		return volcano.JobIn{Queue: dsl.Const("team"), QueueWeight: dsl.Const(1), QueueLimit: limit}
	}
	resource := func(s *dsl.Scope, name, manifest string) {
		dsl.Resource(name, func(dsl.None, dsl.None) dsl.ResourceSpec {
			return dsl.ResourceSpec{Action: dsl.Create, Manifest: manifest}
		}).Call(s, dsl.None{})
	}
	const queue = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: %s}\nspec: {capability: {nvidia.com/gpu: %s}}"
	gang := made(limit("nvidia.com/gpu", "2"))
	gang.MinAvailable = dsl.Const(2)
	gang3 := made(limit("nvidia.com/gpu", "2"))
	gang3.MinAvailable = dsl.Const(3)
	servers := volcano.TensorFlowIn{JobIn: gang3, Servers: dsl.Const(1)} // which have no GPU, and count first
	for _, c := range []struct {
		name string
		body func(*dsl.Scope, objectIn)
		want []string
	}{
		{"more GPUs", with(volcano.TensorFlowIn{JobIn: made(limit("nvidia.com/gpu", "3"))}), []string{"error: task volcano-tensorflow: it asks for 4 of nvidia.com/gpu, and queue team, which the pipeline makes, has 3: it never runs (quota)"}},
		{"as many", with(volcano.TensorFlowIn{JobIn: made(limit("nvidia.com/gpu", "4", "cpu", "2"))}), nil},
		{"more CPU", with(volcano.TensorFlowIn{JobIn: made(limit("nvidia.com/gpu", "4", "cpu", "1500m"))}), []string{"it asks for 2 of cpu, and queue team, which the pipeline makes, has 1500m"}},
		{"no limit", with(volcano.TensorFlowIn{JobIn: made(dsl.Param[map[string]string]{})}), nil},
		{"two start together", with(volcano.TensorFlowIn{JobIn: gang}), nil},
		{"three start together", with(volcano.TensorFlowIn{JobIn: gang3}), []string{"it asks for 3 of nvidia.com/gpu"}},
		{"three start together, and one needs none", with(servers), nil},
		{"another task makes it", func(s *dsl.Scope, _ objectIn) {
			resource(s, "queue", fmt.Sprintf(queue, "team", "1"))
			volcano.PyTorch.Call(s, volcano.PyTorchIn{Name: dsl.Const("train"), Pod: dsl.Const(train), JobIn: volcano.JobIn{Queue: dsl.Const("team")}})
		}, []string{"task volcano-pytorch: it asks for 2 of nvidia.com/gpu"}},
		{"another queue is made", func(s *dsl.Scope, _ objectIn) {
			resource(s, "queue", fmt.Sprintf(queue, "other", "1"))
			volcano.PyTorch.Call(s, volcano.PyTorchIn{Name: dsl.Const("train"), Pod: dsl.Const(train), JobIn: volcano.JobIn{Queue: dsl.Const("team")}})
		}, nil},
		{"the queue of a TFJob", func(s *dsl.Scope, _ objectIn) {
			resource(s, "queue", fmt.Sprintf(queue, "team", "1"))
			trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{JobIn: trainingoperator.JobIn{Name: dsl.Const("train"), Pod: dsl.Const(train), Queue: dsl.Const("team")}})
		}, []string{"task tfjob: it asks for 2 of nvidia.com/gpu"}},
		{"the queue of a pod", func(s *dsl.Scope, _ objectIn) {
			resource(s, "queue", fmt.Sprintf(queue, "team", "1"))
			resource(s, "pod", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-, annotations: {scheduling.volcano.sh/queue-name: team}}\nspec: {schedulerName: volcano, containers: [{name: a, image: \"b:1\", resources: {limits: {nvidia.com/gpu: 2}}}]}")
		}, []string{"task pod: it asks for 2 of nvidia.com/gpu"}},
		{"what only the run knows", func(s *dsl.Scope, in objectIn) {
			job := made(limit("nvidia.com/gpu", "1"))
			job.Queue = in.Name
			volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: in.Name, Pod: in.Spec, Workers: in.Workers, JobIn: job})
		}, nil},
	} {
		d := dsl.Pipeline("p", func(s *dsl.Scope, in objectIn) dsl.None { c.body(s, in); return dsl.None{} })
		var got []string
		for _, f := range vet.Program(lowered.Program(t, d), vet.Options{Steps: lowered.Plans(t, d)}) {
			if f.Rule == "quota" {
				got = append(got, f.String())
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
			continue
		}
		for i, w := range c.want {
			if !strings.Contains(got[i], w) {
				t.Errorf("%s: got %q, want %q", c.name, got[i], w)
			}
		}
	}
}
