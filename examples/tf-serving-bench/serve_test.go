package tfservingbench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
)

// TestDeploy: what a pod does, with a Kubernetes API in memory.
func TestDeploy(t *testing.T) {
	in := ServeIn{
		Name: dsl.Const("classifier-gpu1-batching"), Claim: dsl.Const("models"), Variant: dsl.Const(tfserving.GPU1), Batching: dsl.Const(true),
		CPUImage: dsl.Const("cpu"), GPUImage: dsl.Const("r.example.com/serving@sha256:1"), Model: dsl.Const(5),
	}
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"Deployment": {{"readyReplicas": 1, "updatedReplicas": 1}}}}).Start(t)
	s, err := deploy(t.Context(), in)
	if err != nil || s.URL != "http://classifier-gpu1-batching.team-a.svc:8501" || s.Missing != "" || s.What != "TensorFlow Serving, r.example.com/serving@sha256:1" {
		t.Errorf("%+v, %v", s, err)
	}
	sent := fmt.Sprintf("%s", c.Sent())
	for _, want := range []string{`"subPath":"classifier"`, `"nvidia.com/gpu":"1"`, `"--enable_batching=true"`, `"claimName":"models"`, `"image":"r.example.com/serving@sha256:1"`} {
		if !strings.Contains(sent, want) {
			t.Errorf("nothing that was sent has %s", want)
		}
	}

	// The standard image, if there is one.
	for image, want := range map[string]string{"r.example.com/serving@sha256:2": "", "": "a standard image wasn't built"} {
		in := in
		in.Standard, in.GPUStandard = dsl.Const(true), dsl.Const(image)
		c.Start(t)
		if s, err := deploy(t.Context(), in); err != nil || !strings.HasPrefix(s.Missing, want) || (s.Missing == "") != (want == "") || !strings.HasSuffix(s.What, ", "+image) {
			t.Errorf("%s: %+v, %v", image, s, err)
		}
	}

	// A server that doesn't come up is missing, for the reason that Kubernetes has.
	c = (&kubefake.Cluster{States: map[string][]map[string]any{"Deployment": {{"conditions": []any{
		map[string]any{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "Insufficient nvidia.com/gpu"},
	}}}}}).Start(t)
	s, err = deploy(t.Context(), in)
	if err != nil || s.URL != "" || !strings.Contains(s.Missing, "Insufficient nvidia.com/gpu") {
		t.Errorf("%+v, %v", s, err)
	}
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	in.Model = dsl.Const(0)
	if s, err = deploy(t.Context(), in); err != nil || !strings.Contains(s.Missing, "there is no model") {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestNotHere(t *testing.T) {
	if why := notHere(tfserving.GPU1, false); why == "" {
		t.Error("a GPU")
	}
	if why := notHere(tfserving.CPU1, true); why == "" {
		t.Error("a standard image")
	}
	if why := notHere(tfserving.CPU1, false); why != "" {
		t.Error(why)
	}
}
