package k8s

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	mlmd "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
)

// onServer is the command, in the mind of a user of KFP.
type onServer struct{ t *testing.T }

// ends runs a verb, which must end with an exit code, and returns what it wrote.
func (k onServer) ends(code int, args ...string) (out, said string) {
	k.t.Helper()
	ctx, stop := context.WithTimeout(k.t.Context(), 15*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, kfpgo, args...)
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = kfpEnv(), &stdout, &stderr
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code {
		k.t.Fatalf("kfpgo %q: exit code %d, want %d\n%s%s", args, got, code, stderr.String(), stdout.String())
	}
	return stdout.String(), stderr.String()
}

// try runs a verb for what it does.
func (k onServer) try(args ...string) {
	cmd := exec.Command(kfpgo, args...)
	cmd.Env = kfpEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		k.t.Logf("kfpgo %q: %v\n%s", args, err, out)
	}
}

// start starts a run of one of the suite's pipelines, and returns its id.
func (k onServer) start(args ...string) string {
	k.t.Helper()
	out, _ := k.ends(0, append([]string{"run", "--on", "kfp", "--image", "registry.local/suite:1", "--format", "json"}, args...)...)
	var r struct{ ID string }
	no(k.t, json.Unmarshal([]byte(out), &r))
	return r.ID
}

// until describes a run until that holds a text.
func (k onServer) until(want string, args ...string) {
	k.t.Helper()
	for end := time.Now().Add(10 * time.Minute); ; time.Sleep(2 * time.Second) {
		out, _ := k.ends(0, args...)
		if strings.Contains(out, want) {
			return
		}
		if time.Now().After(end) {
			k.t.Fatalf("kfpgo %q: no %q in\n%s", args, want, out)
		}
	}
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// withKFP is how a test of KFP begins: in parallel with others.
func withKFP(t *testing.T) onServer {
	if os.Getenv("KFPGO_TEST_KFP") == "" {
		t.Skip("KFPGO_TEST_KFP names no server; make e2e-kfp starts one")
	}
	t.Parallel()
	ready(t)
	kfpSlots <- struct{}{}
	t.Cleanup(func() { <-kfpSlots })
	return onServer{t}
}

func kfpEnv() []string {
	return append(os.Environ(), "KFPGO_CONFIG="+filepath.Join(home, "config.yaml"), "KF_PIPELINES_ENDPOINT="+os.Getenv("KFPGO_TEST_KFP"))
}

// TestKFPRetry: a step fails, which is told with its reason; once it can succeed, a
// retry runs it and what comes after it, and not what has succeeded before.
func TestKFPRetry(t *testing.T) {
	k := withKFP(t)
	file := "retry-" + filepath.Base(home)
	_, said := k.ends(1, "run", "./suite#Asks", "--on", "kfp", "--wait", "--no-cache", "--image", "registry.local/suite:1", "--run-name", file, "-p", "text=http://s3.default:9000/artifacts/"+file)
	has(t, said, "echo: succeeded", "ask: started") // the server tells the last states of tasks after that of the run
	id := k.named(file)
	out, _ := k.ends(0, "runs", "describe", id)
	has(t, out, "state       FAILED", "asked in vain: 404", "of task ask: Failed")
	command(t, "there", "./cluster", "put", file)
	// KFP 2.0.5 deletes the pods that failed by the names that Argo before 3.4 gave
	// them. With a later one they stay, and the new ones, of the same names, are
	// taken for them, so that the run never ends.
	command(t, "", "./cluster", "k", "delete", "pod", "-n", "kubeflow", "-l", "pipeline/runid="+id, "--field-selector=status.phase=Failed")
	k.ends(0, "runs", "retry", id)
	k.ends(0, "runs", "wait", id, "--wait-timeout", "5m")
	r, err := recordOf(t.Context(), id)
	no(t, err)
	n := map[string]int{}
	for _, x := range r {
		if x.state == mlmd.Execution_COMPLETE {
			n[x.name]++
		}
	}
	if n["echo"] != 1 || n["ask"] != 1 || n["echo-2"] != 1 {
		t.Errorf("executions that are complete: %v", n)
	}
}

// named returns the id of the run with a name.
func (k onServer) named(name string) string {
	k.t.Helper()
	out, _ := k.ends(0, "runs", "list", "--name", name, "--format", "json")
	var runs []struct{ ID string }
	no(k.t, json.Unmarshal([]byte(out), &runs))
	if len(runs) != 1 {
		k.t.Fatalf("%d runs are called %s", len(runs), name)
	}
	return runs[0].ID
}

// TestKFPLogs follows what a step writes, while it does.
func TestKFPLogs(t *testing.T) {
	k := withKFP(t)
	id := k.start("./suite#Chats", "-p", "n=12", "--no-cache")
	out, _ := k.ends(0, "runs", "logs", id, "-f")
	has(t, out, "chat: said 0\n", "chat: said 11\n")
	out, _ = k.ends(0, "runs", "logs", id, "--task", "chat")
	has(t, out, "said 11\n")
	k.ends(0, "runs", "wait", id)
}

// TestKFPTerminate ends a run in the middle of a step.
func TestKFPTerminate(t *testing.T) {
	k := withKFP(t)
	id := k.start("./suite#Chats", "-p", "n=600", "--no-cache")
	k.until("chat: RUNNING", "runs", "get", id)
	k.ends(0, "runs", "terminate", id)
	began := time.Now()
	k.ends(1, "runs", "wait", id)
	if took := time.Since(began); took > 5*time.Minute {
		t.Errorf("it took %v to end", took)
	}
}

// TestKFPPending: why a pod doesn't start is told.
func TestKFPPending(t *testing.T) {
	k := withKFP(t)
	image, devices := k.start("./suite#NoImageEver", "--no-cache"), k.start("./suite#Wants", "--no-cache")
	k.until("ImagePull", "runs", "describe", image) // ErrImagePull, and later ImagePullBackOff
	out, _ := k.ends(0, "runs", "describe", image)
	has(t, out, "registry.local/no-such:1")
	k.until("Insufficient nvidia.com/gpu", "runs", "describe", devices)
	for _, id := range []string{image, devices} {
		k.ends(0, "runs", "terminate", id)
		k.ends(1, "runs", "wait", id)
	}
}

// TestKFPCache runs the same twice: the second time nothing is carried out.
func TestKFPCache(t *testing.T) {
	k := withKFP(t)
	args := []string{"../../examples/hello#Pipeline", "--image", "registry.local/hello:1", "-p", "name=" + filepath.Base(home)}
	first := k.start(args...)
	k.ends(0, "runs", "wait", first)
	second := k.start(args...)
	k.ends(0, "runs", "wait", second)
	for id, want := range map[string]mlmd.Execution_State{first: mlmd.Execution_COMPLETE, second: mlmd.Execution_CACHED} {
		r, err := recordOf(t.Context(), id)
		no(t, err)
		for _, x := range r {
			if x.parent != 0 && x.state != want {
				t.Errorf("run %s: %s is %s, want %s", id, x.name, x.state, want)
			}
		}
	}
	k.until("CACHED", "runs", "get", second) // tasks are reported after the end of the run
}

// TestKFPTwice runs pipelines twice, as users do, with the cache: the second run, whose
// steps may come from there, is equal to the first.
func TestKFPTwice(t *testing.T) {
	k := withKFP(t)
	<-kfpSlots // this one only waits for others
	defer func() { kfpSlots <- struct{}{} }()
	rows := map[string][]string{
		"2.0.5": {`Filter texts="[\"abc\", \"\", \"ab\"]"`},
		"2.17":  {`Branch n="99"`, `Both n="-1"`, `Loops`},
	}[version]
	t.Run("all", func(t *testing.T) {
		for _, p := range pipelines {
			if !slices.Contains(rows, p.String()) {
				continue
			}
			rows = slices.DeleteFunc(rows, func(row string) bool { return row == p.String() })
			p.cached = true
			t.Run(p.String(), func(t *testing.T) {
				t.Parallel()
				kfpSlots <- struct{}{}
				defer func() { <-kfpSlots }()
				for _, which := range []string{"first", "second"} {
					if got := p.onKFP(t, k); p.differs(t, got) != "" {
						t.Errorf("%s, the %s time: %s\n%s", p, which, p.differs(t, got), got.log)
					}
				}
			})
		}
	})
	if len(rows) > 0 {
		t.Errorf("not run: %q", rows)
	}
}
