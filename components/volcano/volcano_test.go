package volcano_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

var train = pod.Spec{Image: "tensorflow/tensorflow:2.16.1", Command: []string{"python", "/train.py"}, GPUs: 1, Mounts: []pod.Mount{pod.Claim("mnist", "/data")}}

func tensorFlow() volcano.TensorFlowIn {
	return volcano.TensorFlowIn{
		Name: dsl.Const("mnist"), Pod: dsl.Const(train), Workers: dsl.Const(2), Servers: dsl.Const(2),
		JobIn: volcano.JobIn{
			Queue: dsl.Const("training"), QueueWeight: dsl.Const(4), QueueLimit: dsl.Const(map[string]string{"nvidia.com/gpu": "8"}),
			Args: dsl.Const([]string{"--epochs", "3"}),
		},
	}
}

var pipeline = dsl.Pipeline("volcano", func(s *dsl.Scope, _ dsl.None) volcano.JobOut {
	return volcano.TensorFlow.Call(s, tensorFlow()).Out
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func completed() *kubefake.Cluster {
	state := func(phase string) map[string]any {
		return map[string]any{"state": map[string]any{"phase": phase}, "succeeded": 5}
	}
	return &kubefake.Cluster{ClusterKinds: []string{"Queue"}, States: map[string][]map[string]any{"Job": {state("Pending"), state("Running"), state("Completed")}}}
}

func TestShapes(t *testing.T) {
	c := completed().Start(t)
	out, err := volcano.TensorFlow.Run(t.Context(), tensorFlow())
	if err != nil {
		t.Fatal(err)
	}
	if out.Name.Get() != "mnist-x1" || out.Succeeded.Get() != 5 {
		t.Errorf("got %v", out)
	}
	tried.Sent(t, c, "tensorflow")

	c = completed().Start(t)
	c.Put("/apis/scheduling.volcano.sh/v1beta1/queues/default", "Queue", map[string]any{})
	if _, err := volcano.PyTorch.Run(t.Context(), volcano.PyTorchIn{Name: dsl.Const("bert"), Pod: dsl.Const(train), Workers: dsl.Const(3), JobIn: volcano.JobIn{Retries: dsl.Const(2)}}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "pytorch")

	c = completed().Start(t)
	c.Put("/apis/scheduling.volcano.sh/v1beta1/queues/default", "Queue", map[string]any{})
	if _, err := volcano.MPI.Run(t.Context(), volcano.MPIIn{Name: dsl.Const("ring"), Pod: dsl.Const(train), JobIn: volcano.JobIn{Priority: dsl.Const("high"), MinAvailable: dsl.Const(2)}}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "mpi")
}

// TestRoles: roles differ in what they have, and a patch that names the container of one
// of them is for that one only.
func TestRoles(t *testing.T) {
	in := tensorFlow()
	spec := train
	spec.GPUs = 0
	spec.Patch = map[string]any{"containers": []any{map[string]any{"name": "chief", "tty": true}}, "priorityClassName": "low"}
	in.Pod = dsl.Const(spec)
	in.Chief = dsl.Const(pod.Role{Placement: pod.Placement{CPU: "1"}})
	in.Worker = dsl.Const(pod.Role{Placement: pod.Placement{GPUs: 2, NodeSelector: map[string]string{"gpu": "a100"}}, Image: "tensorflow/tensorflow:2.16.1-gpu"})
	in.Server = dsl.Const(pod.Role{
		Placement: pod.Placement{GPUs: 1, Memory: "8Gi"}, Ports: map[string]int{"tfjob-port": 2222},
		Patch: map[string]any{"containers": []any{map[string]any{"name": "ps", "stdin": true}}, "priorityClassName": "high"},
	})
	c := completed().Start(t)
	if _, err := volcano.TensorFlow.Run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "roles")

	c = completed().Start(t)
	c.Put("/apis/scheduling.volcano.sh/v1beta1/queues/default", "Queue", map[string]any{})
	if _, err := volcano.MPI.Run(t.Context(), volcano.MPIIn{
		Name: dsl.Const("ring"), Pod: dsl.Const(train),
		Launcher: dsl.Const(pod.Role{Placement: pod.Placement{CPU: "1"}}), Worker: dsl.Const(pod.Role{Placement: pod.Placement{GPUs: 8}}),
	}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "mpi-roles")

	c = completed().Start(t)
	c.Put("/apis/scheduling.volcano.sh/v1beta1/queues/default", "Queue", map[string]any{})
	if _, err := volcano.PyTorch.Run(t.Context(), volcano.PyTorchIn{
		Name: dsl.Const("bert"), Pod: dsl.Const(train),
		Master: dsl.Const(pod.Role{Image: "pytorch/pytorch:2.5.1"}), Worker: dsl.Const(pod.Role{Placement: pod.Placement{Tolerate: []string{"spot"}}}),
	}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "pytorch-roles")
}

func TestFails(t *testing.T) {
	(&kubefake.Cluster{ClusterKinds: []string{"Queue"}}).Start(t)
	in := tensorFlow()
	in.QueueWeight = dsl.Param[int]{}
	in.QueueLimit = dsl.Param[map[string]string]{}
	_, err := volcano.TensorFlow.Run(t.Context(), in)
	tried.Fails(t, err, "can't find Queue training: NotFound")

	c := (&kubefake.Cluster{ClusterKinds: []string{"Queue"}, States: map[string][]map[string]any{
		"Job": {{"state": map[string]any{"phase": "Aborted", "reason": "PodFailed", "message": "task worker failed"}}},
	}}).Start(t)
	_, err = volcano.TensorFlow.Run(t.Context(), tensorFlow())
	tried.Fails(t, err, "Job mnist-x1 in namespace team-a has failed: status.state.phase in (Failed", "Aborted PodFailed task worker failed")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestTFConfig runs the command of each of the five pods with the files and
// variables that Volcano's svc and env plugins give it, and compares TF_CONFIG
// with what TensorFlow's documentation says that it must be.
func TestTFConfig(t *testing.T) {
	c := completed().Start(t)
	if _, err := volcano.TensorFlow.Run(t.Context(), tensorFlow()); err != nil {
		t.Fatal(err)
	}
	var job struct {
		Spec struct {
			Tasks []struct {
				Name     string
				Replicas int
				Template struct {
					Spec struct {
						Containers []struct {
							Command []string
							Env     []struct{ Name, Value string }
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(c.Sent()[1], &job); err != nil {
		t.Fatal(err)
	}
	dir, pods := t.TempDir(), 0
	for _, task := range job.Spec.Tasks { // as the svc plugin writes them: a line a pod
		var hosts []string
		for i := range task.Replicas {
			hosts = append(hosts, fmt.Sprintf("mnist-x1-%s-%d.mnist-x1", task.Name, i))
		}
		if err := os.WriteFile(filepath.Join(dir, task.Name+".host"), []byte(strings.Join(hosts, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, task := range job.Spec.Tasks {
		for i := range task.Replicas {
			pods++
			k := task.Template.Spec.Containers[0]
			cmd := exec.Command(k.Command[0], append(k.Command[1:len(k.Command)-2:len(k.Command)-2], "sh", "-c", `printf %s "$TF_CONFIG"`)...)
			cmd.Env = append(os.Environ(), "VC_HOSTS="+dir, fmt.Sprintf("VC_TASK_INDEX=%d", i))
			for _, e := range k.Env {
				cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
			}
			got, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			want := fmt.Sprintf(`
cluster:
  chief: ["mnist-x1-chief-0.mnist-x1:2222"]
  worker: ["mnist-x1-worker-0.mnist-x1:2222", "mnist-x1-worker-1.mnist-x1:2222"]
  ps: ["mnist-x1-ps-0.mnist-x1:2222", "mnist-x1-ps-1.mnist-x1:2222"]
task: {type: %s, index: %d}
`, task.Name, i)
			var have, expected any
			if err := json.Unmarshal(got, &have); err != nil {
				t.Fatalf("%v: %s", err, got)
			}
			if err := yaml.Unmarshal([]byte(want), &expected); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(expected, have); diff != "" {
				t.Errorf("%s %d:\n%s", task.Name, i, diff)
			}
		}
	}
	if pods != 5 {
		t.Errorf("%d pods, want 5", pods)
	}
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	bare, few, limit := tensorFlow(), tensorFlow(), tensorFlow()
	bare.Pod = dsl.Const(pod.Spec{Image: "x"})
	few.MinAvailable = dsl.Const(6)
	limit.QueueWeight = dsl.Param[int]{}
	volcano.TensorFlow.Call(s, bare)                                                                                // want "input pod: no command; the job's pods start it"
	volcano.TensorFlow.Call(s, few)                                                                                 // want "input min_available is 6, and the job has 5 pods"
	volcano.TensorFlow.Call(s, limit)                                                                               // want "input queue_limit: it is of a queue that is created; give queue_weight too"
	volcano.PyTorch.Call(s, volcano.PyTorchIn{Name: dsl.Const("a"), Pod: dsl.Const(train), Workers: dsl.Const(-1)}) // want "input workers: -1 is less than 0"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "volcano_test.go", misused) }
