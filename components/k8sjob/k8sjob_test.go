package k8sjob_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Epochs dsl.Param[int] }

var pipeline = dsl.Pipeline("train-job", func(s *dsl.Scope, in pipelineIn) k8sjob.RunOut {
	return k8sjob.Run.Call(s, k8sjob.RunIn{
		Name: dsl.Const("train"),
		Pod:  dsl.Const(spec),
		Args: dsl.Items(dsl.Const("--epochs"), dsl.Sprintf("%v", in.Epochs)),
	}).Out
})

var spec = pod.Spec{
	Image: "ghcr.io/acme/train:3", Command: []string{"python", "/train.py"}, CPU: "4", Memory: "8Gi", GPUs: 1, Shm: "2Gi",
	Mounts:   []pod.Mount{pod.Claim("data", "/data"), pod.HostPath("/mnt/cache", "/cache"), pod.NFS("10.0.0.2", "/exports", "/nfs"), pod.Secret("token", "/secret"), pod.EmptyDir("/scratch")},
	Env:      map[string]string{"SEED": "7"},
	Tolerate: []string{"nvidia.com/gpu"}, NodeSelector: map[string]string{"gpu": "a100"}, ServiceAccount: "trainer", PullSecrets: []string{"registry"},
	Patch: map[string]any{"priorityClassName": "low"},
}

func jobIn() k8sjob.RunIn {
	return k8sjob.RunIn{Name: dsl.Const("train"), Pod: dsl.Const(spec), Args: dsl.Const([]string{"--epochs", "3"}), Env: dsl.Const(map[string]string{"LR": "0.1"})}
}

func condition(typ, reason, message string) map[string]any {
	return map[string]any{"conditions": []any{map[string]any{"type": typ, "status": "True", "reason": reason, "message": message}}}
}

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func TestRun(t *testing.T) {
	c := (&kubefake.Cluster{
		States: map[string][]map[string]any{"Job": {{}, {"active": 1}, condition("Complete", "", "")}},
	}).Start(t)
	out, err := k8sjob.Run.Run(t.Context(), jobIn())
	if err != nil {
		t.Fatal(err)
	}
	if out.Name.Get() != "train-x1" || out.Succeeded.Get() != 1 {
		t.Errorf("got %v", out)
	}
	tried.Sent(t, c, "job")
	if got := c.Done(); !slices.Equal(got, []string{"create Job train-x1"}) {
		t.Errorf("done: %q", got)
	}
}

// TestFails: a Job that fails tells its reason, what its pods say and the last
// events, and is deleted.
func TestFails(t *testing.T) {
	c := (&kubefake.Cluster{
		States: map[string][]map[string]any{"Job": {{}, condition("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit")}},
		Pods: []map[string]any{{
			"metadata": map[string]any{"name": "train-x1-abc"},
			"spec":     map[string]any{"containers": []any{map[string]any{"name": "main"}}},
			"status": map[string]any{"phase": "Failed", "containerStatuses": []any{map[string]any{
				"name": "main", "state": map[string]any{"terminated": map[string]any{"reason": "OOMKilled", "exitCode": 137}},
			}}},
		}},
		Logs:   map[string]string{"train-x1-abc": "loading\n"},
		Events: []map[string]any{{"type": "Warning", "reason": "BackoffLimitExceeded", "message": "no more tries"}},
	}).Start(t)
	_, err := k8sjob.Run.Run(t.Context(), jobIn())
	tried.Fails(t, err, "Job train-x1 in namespace team-a has failed: condition Failed; Failed=True BackoffLimitExceeded: Job has reached",
		"event Warning BackoffLimitExceeded: no more tries", "pod train-x1-abc: container main: OOMKilled, exit code 137")
	if got := c.Done(); !slices.Equal(got, []string{"create Job train-x1", "delete Job train-x1"}) {
		t.Errorf("done: %q", got)
	}
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestEnds: what is deleted by somebody, is never done, is cancelled or can't be
// made ends the step.
func TestEnds(t *testing.T) {
	running := map[string][]map[string]any{"Job": {{"active": 1}}}
	in := jobIn()
	in.Timeout = dsl.Const("1s")
	(&kubefake.Cluster{States: map[string][]map[string]any{"Job": {{}, nil}}}).Start(t)
	_, err := k8sjob.Run.Run(t.Context(), jobIn())
	tried.Fails(t, err, "Job train-x1 in namespace team-a was deleted while it was waited for")

	c := (&kubefake.Cluster{States: running}).Start(t)
	_, err = k8sjob.Run.Run(t.Context(), in)
	tried.Fails(t, err, "waiting for condition Complete of Job train-x1 in namespace team-a: its time of 1s is over")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left after its time: %q", left)
	}

	c = (&kubefake.Cluster{States: running}).Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err = k8sjob.Run.Run(ctx, jobIn())
	tried.Fails(t, err, "context canceled")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left after it was cancelled: %q", left)
	}

	in.Keep = dsl.Const(true)
	c = (&kubefake.Cluster{States: running}).Start(t)
	_, err = k8sjob.Run.Run(t.Context(), in)
	tried.Fails(t, err, "is over")
	if left := strings.Join(c.Objects(), ", "); left != "Job train-x1" {
		t.Errorf("left: %q", left)
	}

	(&kubefake.Cluster{Missing: []string{"Job"}}).Start(t)
	_, err = k8sjob.Run.Run(t.Context(), jobIn())
	tried.Fails(t, err, "the cluster has no kind Job in batch/v1")
}

func TestPod(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"Pod": {{"phase": "Pending"}, {"phase": "Succeeded"}}}}).Start(t)
	if _, err := k8sjob.RunPod.Run(t.Context(), k8sjob.PodIn{Name: dsl.Const("one"), Pod: dsl.Const(spec)}); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "pod")
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	twice := pod.Spec{Image: "x", Mounts: []pod.Mount{pod.Claim("a", "/d"), pod.Claim("b", "/d"), pod.Claim("c", "e")}}
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: dsl.Const("a"), Pod: dsl.Const(pod.Spec{})})                                               // want "input pod: no image; set Image"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: dsl.Const("a"), Pod: dsl.Const(twice)})                                                    // want "two mounts at /d" // want "a mount at .e., which is not an absolute path"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: dsl.Const("a"), Pod: dsl.Const(spec), Completions: dsl.Const(0)})                          // want "input completions: 0 is less than 1"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: dsl.Const("a"), Pod: dsl.Const(spec), Limits: work.Limits{Timeout: dsl.Const("one day")}}) // want "input timeout: .one day. is not a time such as 90m or 24h"
	k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: dsl.Const("a"), Pod: dsl.Const(spec), Restart: dsl.Const("Always")})                    // want "input restart is .Always.; there are Never and OnFailure"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "k8sjob_test.go", misused) }
