package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	tfservingbench "github.com/kfpgo/kfpgo/examples/tf-serving-bench"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

func TestCompile(t *testing.T) {
	for name, target := range map[string]compiler.Target{"kfp": compiler.KFP, "argo": argo.Workflow} {
		if _, err := compiler.Compile(Pipeline, target, compiler.Image("ghcr.io/acme/steps:1")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPage: the page asks the servers that are up, and its objects stay.
func TestPage(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"Deployment": {{}, {"readyReplicas": 1, "updatedReplicas": 1}}}}).Start(t)
	in := PageIn{
		Image: dsl.Const("r.example.com/page:1"), Secret: dsl.Const("tf-serving-bench-page"), Servers: dsl.Const(tfservingbench.Cases()),
		Served: dsl.Const([]tfservingbench.Server{
			{Model: "classifier-cpu1", URL: "http://classifier-cpu1.team-a.svc:8501"}, {Model: "classifier-gpu1", Missing: "no GPU"},
			{Model: "classifier-cpu1-batching", URL: "http://b:8501"}, {Model: "classifier-cpu8-standard", URL: "http://s:8501"},
		}),
	}
	out, err := Page.Run(t.Context(), in)
	if err != nil || out.URL.Get() != "http://tf-serving-bench-page.team-a.svc" {
		t.Error(out, err)
	}
	tried.Sent(t, c, "page")
	if left := c.Objects(); !slices.Equal(left, []string{"Deployment tf-serving-bench-page", "Service tf-serving-bench-page"}) {
		t.Errorf("left: %q", left)
	}

	c = (&kubefake.Cluster{States: map[string][]map[string]any{"Deployment": {{"conditions": []any{
		map[string]any{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": `secret "tf-serving-bench-page" not found`},
	}}}}}).Start(t)
	in.Limits = work.Limits{}
	if _, err := Page.Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), `secret "tf-serving-bench-page" not found`) || len(c.Objects()) > 0 {
		t.Error(err, c.Objects())
	}
}
