package kfp

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/dsl"
)

type writeIn struct{ Text dsl.Param[string] }

type dataOut struct{ Data dsl.Dataset }

var write = dsl.Container("write", func(in writeIn, out dataOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "registry.local/busybox:1", Command: []string{"sh", "-ec", `mkdir -p "$2/sub"; printf %s "$1" >"$2/a"; printf b >"$2/sub/b"`, "-"},
		Args: dsl.Args(in.Text, out.Data.Path()),
	}
})

type upperIn struct{ Data dsl.Dataset }

type upperOut struct{ Model dsl.Model }

var upper = dsl.Container("upper", func(in upperIn, out upperOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "registry.local/busybox:1", Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$2")"; tr a-z A-Z <"$1/a" >"$2"`, "-"},
		Args: dsl.Args(in.Data.Path(), out.Model.Path()),
	}
})

var made = dsl.Pipeline("lineage-made", func(s *dsl.Scope, in writeIn) dsl.None {
	dsl.ParallelFor(s, dsl.Const([]string{"x"}), func(s *dsl.Scope, _ dsl.Param[string]) dsl.None {
		upper.Call(s, upperIn{write.Call(s, in).Out.Data})
		return dsl.None{}
	})
	return dsl.None{}
})

type usedIn struct{ URI dsl.Param[string] }

var used = dsl.Pipeline("lineage-used", func(s *dsl.Scope, in usedIn) dsl.None {
	upper.Call(s, upperIn{dsl.Import[dsl.Dataset](s, in.URI)})
	return dsl.None{}
})

// ended submits a pipeline and waits for its end.
func ended(t *testing.T, c *kfp.Client, d dsl.Definition, args any) *client.Run {
	t.Helper()
	var r *client.Run
	var err error
	switch in := args.(type) {
	case writeIn:
		r, err = client.Submit(t.Context(), c, made, in)
	case usedIn:
		r, err = client.Submit(t.Context(), c, used, in)
	}
	no(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	r, err = client.Wait(ctx, c, r.ID, client.WaitOptions{})
	no(t, err)
	if r.Err() != nil {
		var logs strings.Builder
		_ = c.Logs(ctx, r.ID, client.LogOptions{Out: &logs, All: true})
		pods, _ := c.Pods(ctx, r.ID)
		for _, p := range pods {
			logs.WriteString(p.Name + " of " + p.Task + " is " + p.Phase + ": " + p.Reason + "\n")
		}
		t.Fatalf("%v: %+v\n%s\n%s", r.Err(), r.Tasks, logs.String(), kubectl(t, "", "-n", "kubeflow", "get", "workflows", "-l", "pipeline/runid="+r.ID, "-o", `jsonpath={range .items[*].status.nodes.*}{.displayName}{" "}{.phase}{" "}{.message}{"\n"}{end}`))
	}
	return r
}

func has(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// relay is a pod that hands connections on to KFP's server, ML Metadata and the store,
// which are no pods here, and a Service in front of it.
const relay = `apiVersion: v1
kind: Pod
metadata: {name: relay, namespace: kubeflow, labels: {app: relay}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
  - {name: a, image: "registry.local/busybox:1", imagePullPolicy: IfNotPresent, command: [nc, -ll, -p, "8888", -e, nc, "10.250.0.1", "8888"], readinessProbe: {tcpSocket: {port: 8888}}}
  - {name: b, image: "registry.local/busybox:1", imagePullPolicy: IfNotPresent, command: [nc, -ll, -p, "8080", -e, nc, "10.250.0.1", "8080"], readinessProbe: {tcpSocket: {port: 8080}}}
  - {name: c, image: "registry.local/busybox:1", imagePullPolicy: IfNotPresent, command: [nc, -ll, -p, "9000", -e, nc, "10.250.0.1", "9000"], readinessProbe: {tcpSocket: {port: 9000}}}
---
apiVersion: v1
kind: Service
metadata: {name: relay, namespace: kubeflow}
spec: {selector: {app: relay}, ports: [{name: http, port: 8888}, {name: metadata, port: 8080}, {name: s3, port: 9000}]}
`

// kubectl returns what it says.
func kubectl(t *testing.T, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("./server", append([]string{"k"}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, b)
	}
	return string(b)
}

func replace(t *testing.T) {
	kubectl(t, "", "-n", "kubeflow", "delete", "pod", "relay", "--ignore-not-found", "--now")
	kubectl(t, relay, "apply", "-f", "-")
	kubectl(t, "", "-n", "kubeflow", "wait", "--for=condition=Ready", "pod/relay", "--timeout=180s")
}

// admin is the kubeconfig of the cluster that is up.
func admin(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("./server", "k", "config", "view", "--raw", "--flatten")
	b, err := cmd.Output()
	no(t, err)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	no(t, os.WriteFile(file, b, 0o600))
	return file
}

func withNode(t *testing.T) {
	c, err := net.DialTimeout("tcp", "127.0.0.1:8080", time.Second)
	if err != nil {
		t.Skip("runs end, and ML Metadata is there, where the server was started with NODE=1")
	}
	c.Close()
}

// TestLineage runs pipelines to their ends and asks ML Metadata and the store what was
// made, by a forwarded port through a Service whose pod is replaced meanwhile.
func TestLineage(t *testing.T) {
	withNode(t)
	ctx, direct := t.Context(), connect(t, kfp.Config{})
	text := "made at " + time.Now().Format("15.04.05.000")
	first := ended(t, direct, made, writeIn{dsl.Const(text)})

	replace(t)
	c, err := kfp.Connect(kfp.Config{
		Kubeconfig: admin(t), Via: "port-forward", Service: "relay.kubeflow", Metadata: "relay.kubeflow:8080", Store: "http://relay.kubeflow:9000",
	})
	no(t, err)
	_, err = c.Get(ctx, first.ID)
	no(t, err)

	g, err := c.Artifacts(ctx, lineage.Query{Run: first.ID})
	no(t, err)
	var data, model *lineage.Artifact
	for _, a := range g.Artifacts {
		switch a.Type {
		case "system.Dataset":
			data = a
		case "system.Model":
			model = a
		}
	}
	if data == nil || model == nil || len(g.Artifacts) != 2 || data.Run != first.ID || data.Name != "data" || !strings.HasPrefix(data.URI, "minio://mlpipeline/v2/artifacts/") {
		t.Fatalf("the artifacts are %+v", g.Artifacts)
	}
	has(t, data.Task, "for-loop-", "/0/write")
	var b strings.Builder
	no(t, lineage.Print(ctx, c.Files(ctx, model), &b))
	if b.String() != strings.ToUpper(text) {
		t.Errorf("the model is %q", b.String())
	}
	to := filepath.Join(t.TempDir(), "data")
	no(t, lineage.Save(ctx, c.Files(ctx, data), to))
	if got, err := os.ReadFile(filepath.Join(to, "sub", "b")); string(got) != "b" {
		t.Errorf("sub/b is %q, %v", got, err)
	}

	// An equal run takes all from the cache, and another imports what was made.
	second := ended(t, direct, made, writeIn{dsl.Const(text)})
	third := ended(t, direct, used, usedIn{dsl.Const(data.URI)})
	replace(t)
	_, err = c.Get(ctx, second.ID) // the pod that the connection led to is gone
	no(t, err)
	for _, ref := range []string{data.ID, data.URI, first.ID + "/" + data.Task + "/data"} {
		tr, err := c.Lineage(ctx, ref)
		no(t, err)
		has(t, tr.Tree(), "data (system.Dataset) "+tr.Artifact.ID,
			"made by "+first.ID+"/"+data.Task+", SUCCEEDED", "taken from the cache by "+second.ID+"/"+data.Task+", CACHED", "imported by "+third.ID+"/importer, ",
			"read by "+first.ID+"/"+model.Task+", SUCCEEDED", "read by "+second.ID+"/"+model.Task+", CACHED", "read by "+third.ID+"/upper, SUCCEEDED",
			"into model (system.Model) "+model.ID)
	}
	tr, err := c.Lineage(ctx, third.ID+"/upper/model")
	no(t, err)
	has(t, tr.Tree(), "from data (system.Dataset)", "made by "+first.ID+"/"+data.Task)
	g, err = c.Artifacts(ctx, lineage.Query{Type: "system.Model", Max: 2})
	no(t, err)
	if len(g.Artifacts) != 2 || g.Artifacts[0].Type != "system.Model" {
		t.Errorf("the newest models are %+v", g.Artifacts)
	}

	_, err = c.Lineage(ctx, "99999999")
	code(t, err, client.NotFound)
	_, err = c.Artifacts(ctx, lineage.Query{Run: "no-such-run"})
	code(t, err, client.NotFound)
	_, err = connect(t, kfp.Config{Metadata: "127.0.0.1:1", Timeout: time.Second}).Artifacts(ctx, lineage.Query{})
	code(t, err, client.Unavailable)
	_, err = direct.Artifacts(ctx, lineage.Query{})
	has(t, err.Error(), "give its address with --metadata HOST:PORT") // through KUBECONFIG, which leads to no pod of it

	// The command does the same.
	server := []string{"--on", "kfp", "--kubeconfig", admin(t), "--via", "port-forward", "--service", "relay.kubeflow", "--metadata", "relay.kubeflow:8080", "--store", "http://relay.kubeflow:9000"}
	for _, verb := range []struct {
		name string
		args []string
		want string
	}{
		{"artifacts get", []string{model.ID}, strings.ToUpper(text)},
		{"artifacts list", []string{"--run", first.ID}, model.URI},
		{"artifacts lineage", []string{data.ID, "--format", "txt"}, "made by " + first.ID},
	} {
		out, err := exec.Command(os.Getenv("KFPGO"), slices.Concat(strings.Fields(verb.name), verb.args, server)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), verb.want) {
			t.Errorf("kfpgo %s: %v\n%s", verb.name, err, out)
		}
	}
}

// TestForwardRefused: who may not forward ports is told which permission to ask for.
func TestForwardRefused(t *testing.T) {
	withNode(t)
	kubectl(t, relay, "apply", "-f", "-")
	kubectl(t, "", "-n", "kubeflow", "wait", "--for=condition=Ready", "pod/relay", "--timeout=180s")
	kubectl(t, "", "-n", "kubeflow", "delete", "sa", "forwarder", "--ignore-not-found")
	kubectl(t, "", "-n", "kubeflow", "create", "sa", "forwarder")
	token := strings.TrimSpace(kubectl(t, "", "-n", "kubeflow", "create", "token", "forwarder"))
	b, err := os.ReadFile(admin(t))
	no(t, err)
	text := string(b)
	user := text[strings.LastIndex(text, "users:"):]
	file := filepath.Join(t.TempDir(), "kubeconfig")
	name := strings.Fields(user[strings.Index(user, "- name:")+7:])[0]
	no(t, os.WriteFile(file, []byte(strings.Replace(text, user, "users:\n- name: "+name+"\n  user: {token: "+token+"}\n", 1)), 0o600))
	ask := func() string {
		c, err := kfp.Connect(kfp.Config{Kubeconfig: file, Via: "port-forward", Service: "relay.kubeflow", Timeout: 5 * time.Second})
		no(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err = c.Health(ctx); err == nil {
			t.Fatal("it was let in")
		}
		return err.Error()
	}
	has(t, ask(), "port-forward to service relay in namespace kubeflow, port 8888", "to create pods/portforward in namespace kubeflow")
	kubectl(t, "", "-n", "kubeflow", "delete", "role,rolebinding", "forwarder", "--ignore-not-found")
	kubectl(t, "", "-n", "kubeflow", "create", "role", "forwarder", "--verb=get,list", "--resource=services,pods")
	kubectl(t, "", "-n", "kubeflow", "create", "rolebinding", "forwarder", "--role=forwarder", "--serviceaccount=kubeflow:forwarder")
	has(t, ask(), "pod relay: ", "ask for the permission to create pods/portforward in namespace kubeflow")
	_, err = kfp.Connect(kfp.Config{Kubeconfig: file, Via: "magic"})
	has(t, err.Error(), `via "magic": say service-proxy or port-forward`)
	c, err := kfp.Connect(kfp.Config{Kubeconfig: admin(t), Via: "port-forward", Service: "ml-pipeline.kubeflow", Timeout: 5 * time.Second})
	no(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err = c.Health(ctx)
	has(t, err.Error(), "the service selects no pods")
}
