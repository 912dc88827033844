package trainingoperator_test

import (
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/trainingoperator"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

var train = pod.Spec{Image: "ghcr.io/acme/train:3", Command: []string{"python", "/train.py"}, CPU: "2", GPUs: 1, Env: map[string]string{"SEED": "1"}}

func jobIn() trainingoperator.JobIn {
	return trainingoperator.JobIn{Name: dsl.Const("mnist"), Pod: dsl.Const(train), Args: dsl.Const([]string{"--epochs", "3"})}
}

var pipeline = dsl.Pipeline("operator", func(s *dsl.Scope, _ dsl.None) dsl.None {
	trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{Workers: dsl.Const(2), Servers: dsl.Const(2), JobIn: jobIn()})
	trainingoperator.PyTorchJob.Call(s, trainingoperator.PyTorchJobIn{Workers: dsl.Const(3), JobIn: jobIn()})
	trainingoperator.TrainJob.Call(s, trainingoperator.TrainJobIn{Name: dsl.Const("mnist"), Pod: dsl.Const(train), Nodes: dsl.Const(2)})
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func ended(kind, condition string) *kubefake.Cluster {
	is := func(typ string) map[string]any {
		return map[string]any{"conditions": []any{map[string]any{"type": typ, "status": "True", "reason": "Job" + typ, "message": "it is " + typ}}}
	}
	return &kubefake.Cluster{States: map[string][]map[string]any{kind: {is("Created"), is("Running"), is(condition)}}}
}

func TestRun(t *testing.T) {
	c := ended("TFJob", "Succeeded").Start(t)
	if out, err := trainingoperator.TFJob.Run(t.Context(), trainingoperator.TFJobIn{Workers: dsl.Const(2), Servers: dsl.Const(2), JobIn: jobIn()}); err != nil || out.Name.Get() != "mnist-x1" {
		t.Fatal(out, err)
	}
	tried.Sent(t, c, "tfjob")
	c = ended("PyTorchJob", "Succeeded").Start(t)
	in := jobIn()
	in.Queue = dsl.Const("training")
	if _, err := trainingoperator.PyTorchJob.Run(t.Context(), trainingoperator.PyTorchJobIn{Workers: dsl.Const(3), Procs: dsl.Const(8), JobIn: in}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "pytorchjob")
	c = ended("TrainJob", "Complete").Start(t)
	if _, err := trainingoperator.TrainJob.Run(t.Context(), trainingoperator.TrainJobIn{Name: dsl.Const("mnist"), Pod: dsl.Const(train), Nodes: dsl.Const(2)}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "trainjob")
}

// TestRoles: roles differ in what they have. Their containers have one name, so that a
// patch of Pod is for all of them, and that of a role for its own.
func TestRoles(t *testing.T) {
	in := jobIn()
	spec := train
	spec.GPUs = 0
	spec.Patch = map[string]any{"containers": []any{map[string]any{"name": "tensorflow", "tty": true}}}
	in.Pod = dsl.Const(spec)
	c := ended("TFJob", "Succeeded").Start(t)
	if _, err := trainingoperator.TFJob.Run(t.Context(), trainingoperator.TFJobIn{
		JobIn: in, Workers: dsl.Const(2), Servers: dsl.Const(1),
		Chief:  dsl.Const(pod.Role{Placement: pod.Placement{CPU: "1"}}),
		Worker: dsl.Const(pod.Role{Placement: pod.Placement{GPUs: 2}, Image: "ghcr.io/acme/train:3-gpu"}),
		Server: dsl.Const(pod.Role{
			Placement: pod.Placement{GPUs: 1, Memory: "8Gi"}, Ports: map[string]int{"tfjob-port": 2222},
			Patch: map[string]any{"containers": []any{map[string]any{"name": "tensorflow", "stdin": true}}},
		}),
	}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "tfjob-roles")
	c = ended("PyTorchJob", "Succeeded").Start(t)
	if _, err := trainingoperator.PyTorchJob.Run(t.Context(), trainingoperator.PyTorchJobIn{
		JobIn: jobIn(), Workers: dsl.Const(1), Procs: dsl.Const(1),
		Master: dsl.Const(pod.Role{Image: "ghcr.io/acme/train:4"}), Worker: dsl.Const(pod.Role{Placement: pod.Placement{CPU: "8"}}),
	}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "pytorchjob-roles")
}

// TestRetries: what the operator counts towards backoffLimit is how often containers
// start again, which those that never do can't reach.
func TestRetries(t *testing.T) {
	in := jobIn()
	for retries, want := range map[int]string{0: "Never", 2: "OnFailure"} {
		in.Retries = dsl.Const(retries)
		c := ended("PyTorchJob", "Succeeded").Start(t)
		if _, err := trainingoperator.PyTorchJob.Run(t.Context(), trainingoperator.PyTorchJobIn{Workers: dsl.Const(1), Procs: dsl.Const(1), JobIn: in}); err != nil {
			t.Fatal(err)
		}
		var job struct {
			Spec struct {
				PytorchReplicaSpecs map[string]struct{ RestartPolicy string }
				RunPolicy           struct{ BackoffLimit int }
			}
		}
		if err := json.Unmarshal(c.Sent()[0], &job); err != nil {
			t.Fatal(err)
		}
		if n := len(job.Spec.PytorchReplicaSpecs); n != 2 {
			t.Errorf("%d kinds of replicas, want 2", n)
		}
		for kind, replica := range job.Spec.PytorchReplicaSpecs {
			if got := replica.RestartPolicy; got != want {
				t.Errorf("%d retries: %s is restarted %v, want %s", retries, kind, got, want)
			}
		}
		if got := job.Spec.RunPolicy.BackoffLimit; got != retries {
			t.Errorf("backoffLimit %v, want %d", got, retries)
		}
	}
}

func TestFails(t *testing.T) {
	c := ended("TFJob", "Failed").Start(t)
	_, err := trainingoperator.TFJob.Run(t.Context(), trainingoperator.TFJobIn{JobIn: jobIn()})
	tried.Fails(t, err, "TFJob mnist-x1 in namespace team-a has failed: condition Failed; Failed=True JobFailed: it is Failed")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	(&kubefake.Cluster{Missing: []string{"TFJob"}}).Start(t)
	_, err = trainingoperator.TFJob.Run(t.Context(), trainingoperator.TFJobIn{JobIn: jobIn()})
	tried.Fails(t, err, "the cluster has no kind TFJob in kubeflow.org/v1")
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	mounted := pod.Spec{Image: "x", Mounts: []pod.Mount{pod.Claim("a", "/a")}}
	trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{Workers: dsl.Const(-2), JobIn: jobIn()})              // want "input workers: -2 is less than 0"
	trainingoperator.TrainJob.Call(s, trainingoperator.TrainJobIn{Name: dsl.Const("a"), Pod: dsl.Const(mounted)}) // want "input pod: a TrainJob takes Mounts from its runtime"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "trainingoperator_test.go", misused) }
