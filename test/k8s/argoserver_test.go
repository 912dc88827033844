package k8s

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/testing/expect"
)

// someone is who has a token for the Argo server, and may do in the namespace default
// what its roles for users let them do.
const someone = `apiVersion: v1
kind: ServiceAccount
metadata: {name: someone, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: someone, namespace: default}
rules:
- {apiGroups: [argoproj.io], resources: [workflows, cronworkflows], verbs: [get, list, watch, create, update, patch, delete]}
- {apiGroups: [""], resources: [pods], verbs: [get, list, watch, delete]}
- {apiGroups: [""], resources: [pods/log], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: someone, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: someone}
subjects: [{kind: ServiceAccount, name: someone, namespace: default}]
`

// argoServer starts an Argo server, and returns its address here.
func argoServer(t *testing.T, mode, port string, args ...string) string {
	t.Helper()
	command(t, "", "./cluster", append([]string{"argoserver", mode, port}, args...)...)
	t.Cleanup(func() { exec.Command("./cluster", "halt", "argo-server-"+mode).Run() })
	return inside(t, "127.0.0.1:"+port)
}

// TestArgoServer goes through the real Argo server, with a token and with no access
// to Kubernetes.
func TestArgoServer(t *testing.T) {
	t.Parallel()
	ready(t)
	command(t, someone, "./cluster", "k", "apply", "-f", "-")
	token := strings.TrimSpace(command(t, "", "./cluster", "k", "create", "token", "someone", "--namespace", "default"))
	address := argoServer(t, "client", "2746")
	open := argoServer(t, "server", "2747", "--secure=false")
	connect := func(t *testing.T, o argo.Config) *argo.Client {
		t.Helper()
		if o.Server == "" {
			o.Server, o.Insecure = address, true
		}
		if o.Namespace == "" {
			o.Namespace = "default"
		}
		o.Timeout = 10 * time.Second
		c, err := argo.Connect(o)
		no(t, err)
		return c
	}
	c := connect(t, argo.Config{Token: token})
	t.Run("together", func(t *testing.T) {
		t.Run("command", func(t *testing.T) { t.Parallel(); byCommand(t, address, token) })
		t.Run("retry", func(t *testing.T) { t.Parallel(); serverRetry(t, c) })
		t.Run("terminate", func(t *testing.T) { t.Parallel(); serverTerminate(t, c) })
		t.Run("schedule", func(t *testing.T) { t.Parallel(); serverSchedule(t, c) })
	})
	for what, test := range map[string]struct {
		conf argo.Config
		code api.Code
		says string
	}{
		"wrong token":       {argo.Config{Token: "not-a-token"}, api.Unauthenticated, "sent was the bearer token (given)"},
		"no token":          {argo.Config{}, api.Unauthenticated, "sent was no credential"},
		"another namespace": {argo.Config{Token: token, Namespace: "kube-system"}, api.Denied, "the namespace is kube-system"},
		"no certificate":    {argo.Config{Token: token, Server: "https://" + address}, api.Invalid, "--ca"},
		"http for https":    {argo.Config{Token: token, Server: "http://" + address}, api.Invalid, "begins with https://"},
		"server mode":       {argo.Config{Server: "http://" + open}, "", ""},
	} {
		c := connect(t, test.conf)
		page, err := c.List(t.Context(), api.ListOptions{})
		if api.CodeOf(err) != test.code || test.code != "" && (!strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "not-a-token") || strings.Contains(err.Error(), token)) {
			t.Errorf("%s: %v", what, err)
		}
		if test.code == "" && (len(page.Runs) == 0 || page.Total < 3) {
			t.Errorf("%s: %d runs of %d", what, len(page.Runs), page.Total)
		}
	}
}

// byCommand is a user who knows an address and a token only.
func byCommand(t *testing.T, address, token string) {
	slots <- struct{}{}
	defer func() { <-slots }()
	dir := t.TempDir()
	run := func(code int, env []string, args ...string) string {
		t.Helper()
		cmd := exec.Command(kfpgo, args...)
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "KFPGO_HOME=" + dir, "KFPGO_CONFIG=" + filepath.Join(dir, "config.yaml"), "KUBECONFIG=/nonexistent"}, env...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code || strings.Contains(string(out), token) {
			t.Fatalf("kfpgo %q: exit code %d, want %d\n%s", args, got, code, out)
		}
		return string(out)
	}
	has := func(out string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	}
	vars := []string{"ARGO_SERVER=" + address, "ARGO_TOKEN=Bearer " + token, "ARGO_NAMESPACE=default", "ARGO_INSECURE_SKIP_VERIFY=true"}
	has(run(0, vars, "context", "test"), "bearer token (ARGO_TOKEN)", "version     v3.7", "access      ok, in namespace default")
	out := run(0, vars, "run", "../../examples/calc", "-p", "a=12", "--on", "argo", "--image", "registry.local/calc:1", "--wait")
	has(out, "add: succeeded", `"result":19`, `"quotient":2`)
	id := strings.Fields(out[strings.Index(out, "\nid "):])[1]

	// The same by a context, whose token is in a file.
	file := filepath.Join(dir, "token")
	no(t, os.WriteFile(file, []byte(token+"\n"), 0o600))
	run(0, nil, "context", "set", "argo", "--engine", "argo", "--argo-server", "https://"+address, "--namespace", "default", "--token-file", file, "--insecure-skip-tls-verify")
	has(run(0, nil, "context", "list"), "https://"+address, "token file")
	has(run(0, nil, "runs", "list", "--all"), id)
	has(run(0, nil, "runs", "get", id), "SUCCEEDED", "my-divmod")
	has(run(0, nil, "runs", "wait", id), "SUCCEEDED")
	if out := run(0, nil, "runs", "logs", id); out != "" {
		t.Errorf("the steps of calc write nothing, and their logs are\n%s", out)
	}
	has(run(0, nil, "runs", "logs", id, "--all"), "add: ", "my-divmod: ", "add-2: ")
	if out := run(0, nil, "runs", "logs", id, "--task", "add", "--all"); strings.Contains(out, "add: ") || out == "" {
		t.Errorf("the log of one task: %s", out)
	}
	has(run(1, nil, "runs", "describe", id), "the Argo server can't do it", "--kubeconfig FILE", "kfpgo runs get")
	has(run(1, nil, "runs", "retry", id), "only a run that has failed can be retried")
	run(0, nil, "artifacts", "list", "--on", "argo")
	run(0, nil, "runs", "delete", id, "--yes")
	has(run(1, nil, "runs", "get", id), "not found")
}

type laterIn struct{ Settings dsl.Param[string] }

// later fails while its ConfigMap isn't there.
var later = dsl.Pipeline("later", func(s *dsl.Scope, in laterIn) dsl.None {
	dsl.Container("look", func(laterIn, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "registry.local/busybox:1", Command: dsl.Args("sh", "-c", `echo it is "$THERE"; test -n "$THERE"`)}
	}).Call(s, in, k8s.ConfigMapEnv("THERE", in.Settings, "there", k8s.Optional()))
	return dsl.None{}
})

// serverRetry: a run fails, and goes on to its end when it is retried.
func serverRetry(t *testing.T, c *argo.Client) {
	slots <- struct{}{}
	defer func() { <-slots }()
	ctx := t.Context()
	settings := fmt.Sprint("later-", time.Now().UnixNano())
	submit := func() *api.Run {
		r, err := api.Submit(ctx, c, later, laterIn{Settings: dsl.Const(settings)}, api.Token(settings))
		no(t, err)
		return r
	}
	r := submit()
	if again := submit(); again.ID != r.ID {
		t.Errorf("a second run %s beside %s", again.ID, r.ID)
	}
	r, err := api.Wait(ctx, c, r.ID, api.WaitOptions{})
	no(t, err)
	if r.State != api.Failed || len(r.Tasks) != 1 || !strings.Contains(r.Tasks[0].Error, "exit code 1") {
		t.Errorf("%s, tasks %+v", r.State, r.Tasks)
	}
	var logs strings.Builder
	no(t, c.Logs(ctx, r.ID, api.LogOptions{Out: &logs, Task: "look", Tail: 5}))
	if !strings.Contains(logs.String(), "it is ") {
		t.Errorf("logs: %s", logs.String())
	}
	call(t, http.MethodPost, "/api/v1/namespaces/default/configmaps", "", []byte(`{"metadata":{"name":"`+settings+`"},"data":{"there":"now"}}`))
	no(t, c.Retry(ctx, r.ID))
	if r, err = api.Wait(ctx, c, r.ID, api.WaitOptions{}); err != nil || r.State != api.Succeeded {
		t.Errorf("retried: %+v, %v", r, err)
	}
}

var talks = dsl.Pipeline("talks", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.Container("talk", func(dsl.None, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "registry.local/busybox:1", Command: dsl.Args("sh", "-c", "trap 'exit 1' TERM; for i in $(seq 1000); do echo line $i; sleep 1; done")}
	}).Call(s, dsl.None{})
	return dsl.None{}
})

// A feed is what a log writes, while it is read.
type feed struct {
	mu   sync.Mutex
	text string
}

func (f *feed) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text += string(b)
	return len(b), nil
}

func (f *feed) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text
}

// serverTerminate: a log is followed, and ends with the run, which is terminated.
func serverTerminate(t *testing.T, c *argo.Client) {
	slots <- struct{}{}
	defer func() { <-slots }()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	r, err := api.Submit(ctx, c, talks, dsl.None{})
	no(t, err)
	var log feed
	done := make(chan error, 1)
	go func() { done <- c.Logs(ctx, r.ID, api.LogOptions{Out: &log, Follow: true}) }()
	for !strings.Contains(log.String(), "talk: line 2\n") && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	if err := c.Delete(ctx, r.ID); api.CodeOf(err) != api.Precondition {
		t.Errorf("deleted while it runs: %v", err)
	}
	no(t, c.Terminate(ctx, r.ID))
	no(t, <-done)
	if strings.Count(log.String(), "talk: line 2\n") != 1 {
		t.Errorf("the log:\n%s", log.String())
	}
	if r, err = api.Wait(ctx, c, r.ID, api.WaitOptions{}); err != nil || r.State != api.Cancelled {
		t.Errorf("%+v, %v", r, err)
	}
	no(t, c.Delete(ctx, r.ID))
}

// serverSchedule is the life of a CronWorkflow.
func serverSchedule(t *testing.T, c *argo.Client) {
	ctx := t.Context()
	name := fmt.Sprintf("server-%d", time.Now().Unix())
	yaml, err := compiler.Compile(expect.Days, c.Target())
	no(t, err)
	spec := api.ScheduleSpec{Name: name, When: dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zurich"}, Pipeline: api.Submission{Spec: yaml}, FireTime: []string{"day"}}
	apply := func(want api.Change) *api.Schedule {
		t.Helper()
		s, change, err := c.ApplySchedule(ctx, spec)
		if err != nil || change != want {
			t.Fatalf("%v, %v; want %v", change, err, want)
		}
		return s
	}
	apply(api.Created)
	apply(api.Unchanged)
	spec.When.Cron = "30 4 * * *"
	if s := apply(api.Updated); s.When != spec.When || s.Paused {
		t.Errorf("%+v", s)
	}
	no(t, c.PauseSchedule(ctx, name))
	if s, err := c.Schedule(ctx, name); err != nil || !s.Paused {
		t.Errorf("%+v, %v", s, err)
	}
	spec.When.Cron = "30 5 * * *"
	if s := apply(api.Updated); !s.Paused {
		t.Error("an update resumes what was paused by hand")
	}
	before := time.Now().Add(-2 * time.Second)
	no(t, c.ResumeSchedule(ctx, name))
	if s, err := c.Schedule(ctx, name); err != nil || s.Paused || s.Last.Before(before) {
		t.Errorf("%+v, %v", s, err)
	}
	all, err := c.Schedules(ctx)
	no(t, err)
	found := 0
	for _, s := range all {
		if s.Name == name {
			found++
		}
	}
	at := time.Date(2027, 3, 28, 3, 30, 0, 0, time.UTC)
	first, err := c.TriggerSchedule(ctx, name, at)
	no(t, err)
	again, err := c.TriggerSchedule(ctx, name, at)
	no(t, err)
	page, err := c.List(ctx, api.ListOptions{Schedule: name})
	no(t, err)
	if found != 1 || first.ID != again.ID || len(page.Runs) != 1 || !page.Runs[0].Scheduled.Equal(at) {
		t.Errorf("%d schedules; runs %s and %s, %+v", found, first.ID, again.ID, page.Runs)
	}
	no(t, c.Terminate(ctx, first.ID))

	// What the controller has started belongs to the CronWorkflow, and stays when that goes.
	var cron struct {
		Metadata struct{ UID string }
	}
	no(t, json.Unmarshal(call(t, http.MethodGet, strings.Replace(workflows, "/workflows", "/cronworkflows/", 1)+name, "", nil), &cron))
	call(t, http.MethodPost, workflows, "", fmt.Appendf(nil, `{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "metadata": {"name": "%s-own", "ownerReferences": [{"apiVersion": "argoproj.io/v1alpha1", "kind": "CronWorkflow", "name": %q, "uid": %q, "controller": true}]},
		"spec": {"suspend": true, "entrypoint": "e", "templates": [{"name": "e", "suspend": {}}]}}`, name, name, cron.Metadata.UID))
	no(t, c.DeleteSchedule(ctx, name))
	if _, err := c.Schedule(ctx, name); err != nil && api.CodeOf(err) != api.NotFound {
		t.Error(err)
	}
	time.Sleep(5 * time.Second)
	if r, err := c.Get(ctx, name+"-own"); err != nil || r.State.Done() {
		t.Errorf("a run of a schedule that is deleted: %+v, %v", r, err)
	}
	no(t, c.Terminate(ctx, name+"-own"))

	spec.When.MaxConcurrency = 3
	_, _, err = c.ApplySchedule(ctx, spec)
	if api.CodeOf(err) != api.Unsupported || !strings.Contains(err.Error(), "ConfigMap") || !strings.Contains(err.Error(), "--kubeconfig") {
		t.Errorf("more runs at once: %v", err)
	}
}
