package k8s

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/client/lineage"
)

// relay is a pod that hands connections on to the store of the cluster, which itself
// is no pod, and a Service in front of it.
const relay = `apiVersion: v1
kind: Pod
metadata: {name: relay, labels: {app: relay}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
  - {name: nc, image: "registry.local/busybox:1", imagePullPolicy: IfNotPresent, command: [nc, -ll, -p, "9000", -e, nc, "10.250.0.1", "9000"], ports: [{name: s3, containerPort: 9000}], readinessProbe: {tcpSocket: {port: 9000}}}
---
apiVersion: v1
kind: Service
metadata: {name: relay}
spec: {selector: {app: relay}, ports: [{port: 80, targetPort: s3}]}
`

// content returns an artifact that is a file, by a forwarded port.
func content(ctx context.Context, t *testing.T, c *argo.Client, a *lineage.Artifact) string {
	t.Helper()
	var b strings.Builder
	no(t, lineage.Print(ctx, c.Files(ctx, a), &b))
	return b.String()
}

func named(t *testing.T, g *lineage.Graph, task, name string) *lineage.Artifact {
	t.Helper()
	for _, a := range g.Artifacts {
		if strings.HasSuffix(a.Task, task) && a.Name == name {
			return a
		}
	}
	t.Fatalf("no artifact %s of task %s in %+v", name, task, g.Artifacts)
	return nil
}

// TestLineage: what Workflows have made and read, through loops, lists and imports,
// and its content out of the repository, through a Service of the cluster that only
// pods reach.
func TestLineage(t *testing.T) {
	t.Parallel()
	ready(t)
	ctx := t.Context()
	command(t, relay, "./cluster", "k", "apply", "-f", "-")
	imported := pipeline{name: "Imported", params: map[string]string{"text": "hello"}}.submit(t)
	gathered := pipeline{name: "Gathered"}.submit(t)
	for _, name := range []string{imported, gathered} {
		if got := await(t, name, nil).outcome(t); got.state != "SUCCEEDED" {
			t.Fatalf("%s: %s", got.state, got.log)
		}
	}
	command(t, "", "./cluster", "k", "wait", "--for=condition=Ready", "pod/relay", "--timeout=120s")
	c, err := argo.Connect(argo.Config{Endpoint: opened(t).URL, Namespace: "default", Timeout: 20 * time.Second, Store: "http://relay.default:80"})
	no(t, err)

	g, err := c.Artifacts(ctx, lineage.Query{Run: imported})
	no(t, err)
	file, folder := named(t, g, "write", "data"), named(t, g, "write-dir", "data")
	if got := content(ctx, t, c, file); got != "hello" {
		t.Errorf("the content is %q", got)
	}
	to := filepath.Join(t.TempDir(), "folder")
	no(t, lineage.Save(ctx, c.Files(ctx, folder), to))
	if b, err := os.ReadFile(filepath.Join(to, "sub", "b")); string(b) != "b" {
		t.Errorf("sub/b is %q, %v", b, err)
	}

	// The file was imported again by its URI, and read after that.
	tr, err := c.Lineage(ctx, imported+"/write/data")
	no(t, err)
	for _, want := range []string{"made by " + imported + "/write, SUCCEEDED", "imported by " + imported + "/importer, SUCCEEDED", "read by " + imported + "/read, SUCCEEDED", "read by " + imported + "/label, SUCCEEDED"} {
		if !strings.Contains(tr.Tree(), want) {
			t.Errorf("no %q in\n%s", want, tr.Tree())
		}
	}
	if file.Type != "system.Dataset" {
		t.Errorf("its type is %q", file.Type)
	}

	// A list out of loops in loops: each of its artifacts is read by the task that gets
	// the list, and by one iteration of the loop over it.
	g, err = c.Artifacts(ctx, lineage.Query{Run: gathered})
	no(t, err)
	if len(g.Artifacts) != 3 {
		t.Errorf("%d artifacts", len(g.Artifacts))
	}
	texts := ""
	for _, a := range g.Artifacts {
		texts += content(ctx, t, c, a)
		tr, err := c.Lineage(ctx, a.ID)
		no(t, err)
		all, one := 0, 0
		for _, e := range tr.Down.Executions {
			if e.Task == "read-all" {
				all++
			} else if strings.HasPrefix(e.Task, "for-loop-") && strings.HasSuffix(e.Task, "/read") {
				one++
			}
		}
		if all != 1 || one != 1 || a.Metadata["length"] != 1.0 {
			t.Errorf("artifact %s with metadata %v is read so:\n%s", a.URI, a.Metadata, tr.Tree())
		}
	}
	if len(texts) != 3 || strings.Trim(texts, "abc") != "" {
		t.Errorf("the contents are %q", texts)
	}

	_, err = c.Lineage(ctx, "nothing")
	if api.CodeOf(err) != api.NotFound {
		t.Error(err)
	}
	// The pod behind the Service is replaced, and the next read goes to the new one.
	command(t, "", "./cluster", "k", "delete", "pod", "relay", "--now")
	if err := lineage.Print(ctx, c.Files(ctx, file), &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "port-forward to service relay in namespace default, port 80: no pod of the service (app=relay) is ready: there is none") {
		t.Errorf("without a pod: %v", err)
	}
	command(t, relay, "./cluster", "k", "apply", "-f", "-")
	command(t, "", "./cluster", "k", "wait", "--for=condition=Ready", "pod/relay", "--timeout=120s")
	if got := content(ctx, t, c, file); got != "hello" {
		t.Errorf("the content is %q", got)
	}
}
