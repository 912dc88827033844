package kfp

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/dsl"
)

func TestHealth(t *testing.T) {
	h, err := connect(t, kfp.Config{}).Health(t.Context())
	if err != nil || h.MultiUser {
		t.Errorf("%+v %v", h, err)
	}
}

// TestLarge uploads 3 MB and reads them back.
func TestLarge(t *testing.T) {
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	text := strings.Repeat("a line of a long text\n", 3<<20/22)
	step := dsl.Container("large", func(dsl.None, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "registry.local/busybox:1", Command: []string{"echo", text}}
	})
	spec := compile(t, dsl.Pipeline("large", func(s *dsl.Scope, _ dsl.None) dsl.None { step.Call(s, dsl.None{}); return dsl.None{} }))
	if len(spec) < 3<<20 {
		t.Fatalf("only %d bytes", len(spec))
	}
	v, change, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Spec: spec})
	no(t, err)
	if _, again, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Spec: spec}); err != nil || change != client.Created || again != client.Unchanged {
		t.Errorf("%s, %s, %v", change, again, err)
	}
	no(t, c.DeleteVersion(ctx, v.Pipeline, v.ID))
	no(t, c.DeletePipeline(ctx, name))
}

// TestPages goes through more than 1,000 runs.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it makes hundreds of runs")
	}
	t.Cleanup(func() { forget(t) })
	ctx, c, name := t.Context(), connect(t, kfp.Config{}), unique(t)
	n := many(1010, 410)
	v, _, err := c.Upload(ctx, kfp.Upload{Pipeline: name, Spec: compile(t, hello)})
	no(t, err)
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range n {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if _, err := c.SubmitVersion(ctx, kfp.VersionRef{Pipeline: v.Pipeline, Version: v.ID}, client.Submission{Name: fmt.Sprintf("%s-%04d", name, i), Experiment: name}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	last := ""
	for r, err := range client.Runs(ctx, c, client.ListOptions{Experiment: name, Sort: "name"}) {
		no(t, err)
		if seen[r.ID] || r.Name < last {
			t.Errorf("%s after %s, seen: %t", r.Name, last, seen[r.ID])
		}
		seen[r.ID], last = true, r.Name
	}
	if len(seen) != n {
		t.Errorf("%d runs, want %d", len(seen), n)
	}
	p, err := c.List(ctx, client.ListOptions{Experiment: name, Size: 7})
	no(t, err)
	if p.Total != n || len(p.Runs) != 7 || p.Next == "" {
		t.Errorf("%d of %d", len(p.Runs), p.Total)
	}
}

// forget deletes the Workflows of runs that wait, which Argo and KFP would go through
// again and again. The server keeps the runs.
func forget(t *testing.T) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "kubectl get workflows -n kubeflow -o name | grep /idle- | xargs -r -n 100 kubectl delete -n kubeflow --wait=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestKubernetesProxy reaches the server through the API of its cluster.
func TestKubernetesProxy(t *testing.T) {
	k := os.Getenv("KUBECONFIG")
	if k == "" {
		t.Fatal("KUBECONFIG must name the cluster's; test/kfp/server in does that")
	}
	c, err := kfp.Connect(kfp.Config{Kubeconfig: k})
	no(t, err)
	if _, err := c.Health(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := client.Submit(t.Context(), c, hello, helloIn{})
	no(t, err)
	if _, err := c.Pods(t.Context(), r.ID); err != nil {
		t.Error(err)
	}
	no(t, c.Terminate(t.Context(), r.ID))
}
