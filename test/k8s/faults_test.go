package k8s

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A fault is what goes wrong on a cluster while a pipeline runs. The table of
// docs/guides/targets.md says how the run ends.
type fault struct {
	what  string
	p     pipeline
	do    func(t *testing.T, wf *workflow) // when the step runs, or is pending
	says  string                           // or, with bars between, one of them; in the message of the step or of the run
	here  bool                             // this machine knows the fault too
	alone bool                             // it concerns the whole cluster
}

var faults = []fault{
	{"a pod deleted in the middle", pipeline{name: "Slowly", params: map[string]string{"n": "60"}, state: "FAILED"}, killPod, "deleted|got SIGTERM", false, false},
	{"a pod deleted, and a retry", pipeline{name: "SlowlyAgain", params: map[string]string{"n": "25"}, want: map[string]string{"n": "26"}}, killPod, "", false, false},
	{"an image that doesn't exist", pipeline{name: "NoImage", state: "FAILED"}, nil, "deadline", false, false},
	{"a step out of memory", pipeline{name: "Eats", params: map[string]string{"n": "200"}, state: "FAILED"}, nil, "OOMKilled (exit code 137)", false, false},
	{"a step within its memory", pipeline{name: "Eats", params: map[string]string{"n": "8"}, want: map[string]string{"n": "8"}}, nil, "", true, false},
	{"a step past its timeout", pipeline{name: "TooLong", state: "FAILED"}, nil, "Pod was active on the node longer than the specified deadline", true, false},
	{"a step that fails", pipeline{name: "Breaks", state: "FAILED"}, nil, "exit code 7", true, false},
	{"a step killed", pipeline{name: "Dies", state: "FAILED"}, nil, "exit code 137", true, false},
	{"the controller restarted", pipeline{name: "Slowly", params: map[string]string{"n": "10"}, want: map[string]string{"n": "11"}}, restart, "", false, true},
	{"a node drained", pipeline{name: "Slowly", params: map[string]string{"n": "60"}, state: "FAILED"}, drain, "deleted|got SIGTERM", false, true},
	{"a node drained, and a retry", pipeline{name: "SlowlyAgain", params: map[string]string{"n": "25"}, want: map[string]string{"n": "26"}}, drain, "", false, true},
}

// TestFaults makes things go wrong.
func TestFaults(t *testing.T) {
	t.Parallel()
	ready(t)
	for _, f := range faults {
		if !f.alone {
			t.Run(f.what, func(t *testing.T) { t.Parallel(); f.run(t) })
		}
	}
}

// TestFaultsAlone is what would disturb other tests.
func TestFaultsAlone(t *testing.T) {
	ready(t)
	for _, f := range faults {
		if f.alone {
			t.Run(f.what, f.run)
		}
	}
}

func (f fault) run(t *testing.T) {
	name := f.p.submit(t)
	if f.do != nil {
		wf := await(t, name, func(wf *workflow) bool { return slowPod(wf) != "" })
		if f.says+f.what != "the controller restarted" {
			time.Sleep(young)
		}
		f.do(t, wf)
	}
	wf := await(t, name, nil)
	got := wf.outcome(t)
	if f.p.state == "" {
		f.p.state = "SUCCEEDED"
	}
	if got.state != f.p.state {
		t.Errorf("it ended as %s, want %s: %s", got.state, f.p.state, got.log)
	}
	for out, text := range f.p.want {
		if got.outputs[out] != value(t, text) {
			t.Errorf("%s is %v, want %s", out, got.outputs[out], text)
		}
	}
	if !slices.ContainsFunc(strings.Split(f.says, "|"), func(text string) bool { return strings.Contains(got.log, text) }) {
		t.Errorf("it doesn't say %q: %s", f.says, got.log)
	}
	here := "-"
	if f.here {
		if here = f.p.onLocal(t).state; here != f.p.state {
			t.Errorf("here it ended as %s, want %s", here, f.p.state)
		}
	}
	fmt.Printf("%-32s argo %-9s local %-9s %.120s\n", f.what, got.state, here, strings.ReplaceAll(got.log, "\n", " | "))
}

// young is how long a pod may take to be more than started: one that is deleted in its
// first 10 s, Argo starts again.
const young = 15 * time.Second

// slowPod is the name of the pod of the step slow, if that runs.
func slowPod(wf *workflow) string {
	for _, n := range wf.Status.Nodes {
		if n.Type == "Pod" && strings.HasPrefix(n.TemplateName, "slow") && n.Phase == "Running" {
			return podName(wf.Metadata.Name, n.TemplateName, n.ID)
		}
	}
	return ""
}

func killPod(t *testing.T, wf *workflow) {
	call(t, http.MethodDelete, pods+"/"+slowPod(wf), "", nil)
}

func restart(t *testing.T, _ *workflow) { command(t, "", "./cluster", "restart") }

// drain takes the node out of use and evicts the pod, as kubectl drain does, and
// brings the node back.
func drain(t *testing.T, wf *workflow) {
	pod := slowPod(wf)
	cordon := func(on bool) {
		call(t, http.MethodPatch, node, "application/merge-patch+json", []byte(fmt.Sprintf(`{"spec": {"unschedulable": %t}}`, on)))
	}
	cordon(true)
	defer cordon(false)
	uid := uidOf(pod)
	body := fmt.Sprintf(`{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": %q, "namespace": "default"}}`, pod)
	call(t, http.MethodPost, pods+"/"+pod+"/eviction", "", []byte(body))
	for end := time.Now().Add(patience); uidOf(pod) == uid; time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatalf("pod %s is still there a minute after its eviction", pod)
		}
	}
}

// uidOf returns the UID of a pod, if there is one of the name.
func uidOf(pod string) string {
	var p struct{ Metadata struct{ UID string } }
	b, err := try(http.MethodGet, pods+"/"+pod, "", nil)
	if err != nil || json.Unmarshal(b, &p) != nil {
		return ""
	}
	return p.Metadata.UID
}

// TestPending: a task that asks for more devices than there are waits, and its
// Workflow says why; so does one whose image isn't there.
func TestPending(t *testing.T) {
	t.Parallel()
	ready(t)
	for name, says := range map[string][]string{
		"Greedy":      {"Unschedulable", "Insufficient nvidia.com/gpu"},
		"NoImageEver": {"ImagePull", "registry.local/no-such:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wf := pipeline{name: name}.submit(t)
			got := await(t, wf, func(wf *workflow) bool { return strings.Contains(pending(wf), says[0]) })
			for _, text := range says {
				if !strings.Contains(pending(got), text) {
					t.Errorf("%s says %q, want %q", got.Status.Phase, pending(got), text)
				}
			}
			if told := describe(t, wf); !strings.Contains(told, says[1]) {
				t.Errorf("kfpgo runs describe doesn't say %q:\n%s", says[1], told)
			}
			fmt.Printf("%-12s is pending: %s\n", name, pending(got))
			call(t, http.MethodPatch, workflows+"/"+wf, "application/merge-patch+json", []byte(`{"spec": {"shutdown": "Terminate"}}`))
			if end := await(t, wf, nil); end.Status.Phase != "Failed" {
				t.Errorf("stopped, it is %s", end.Status.Phase)
			}
		})
	}
}

// describe returns what the command says of a run, from inside of the cluster's network.
func describe(t *testing.T, wf string) string {
	t.Helper()
	root, err := os.ReadFile("/run/kfpgo-e2e.root")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"KFPGO_CONFIG=" + filepath.Join(home, "contexts-"+wf), "KUBECONFIG=" + filepath.Join(strings.TrimSpace(string(root)), "admin.kubeconfig")}
	inside := func(args ...string) string {
		return command(t, "", "nsenter", append(append([]string{"--net=/run/netns/kfpgo-e2e", "env"}, env...), append([]string{kfpgo}, args...)...)...)
	}
	inside("context", "set", "e2e", "--engine", "argo")
	return inside("runs", "describe", wf, "--context", "e2e")
}

// pending is the message of a pod that waits.
func pending(wf *workflow) string {
	var all []string
	for _, n := range wf.Status.Nodes {
		if n.Type == "Pod" && n.Phase == "Pending" {
			all = append(all, n.Message)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}
