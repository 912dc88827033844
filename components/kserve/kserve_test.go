package kserve_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ URI dsl.Param[string] }

type pipelineOut struct{ URL dsl.Param[string] }

var pipeline = dsl.Pipeline("serve-a-model", func(s *dsl.Scope, in pipelineIn) pipelineOut {
	model := dsl.Import[dsl.Model](s, in.URI)
	served := kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: model, Format: dsl.Const("sklearn")})
	return pipelineOut{URL: served.Out.URL}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func digits(uri string) kserve.ServeIn {
	return kserve.ServeIn{Name: dsl.Const("digits"), Model: dsl.File[dsl.Model](uri), Format: dsl.Const("sklearn"), ServiceAccount: dsl.Const("reader")}
}

func isReady(url string) map[string]any {
	return map[string]any{"url": url, "address": map[string]any{"url": "http://digits-predictor.team-a.svc"}, "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}
}

// TestServe: what is sent to the cluster, which test/systems decodes into KServe's
// own type, and what comes back.
func TestServe(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"InferenceService": {{}, {"url": "http://digits.team-a.example.org"}, isReady("http://digits.team-a.example.org")}}}).Start(t)
	out, err := kserve.Serve.Run(t.Context(), digits("s3://models/digits"))
	if got, want := out.URL.Get(), "http://digits-predictor.team-a.svc"; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	tried.Sent(t, c, "inferenceservice")

	c = (&kubefake.Cluster{States: map[string][]map[string]any{"InferenceService": {isReady("http://digits.team-a.example.org")}}}).Start(t)
	placed := digits("s3://models/digits")
	placed.Placement = dsl.Const(pod.Placement{GPUs: 1, Memory: "8Gi", NodeSelector: map[string]string{"gpu": "t4"}, Affinity: map[string]any{
		"podAntiAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": []any{map[string]any{
			"topologyKey": "kubernetes.io/hostname", "labelSelector": map[string]any{"matchLabels": map[string]any{"app": "digits"}},
		}}},
	}})
	if _, err := kserve.Serve.Run(t.Context(), placed); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "placed")
	if _, err := kserve.Remove.Run(t.Context(), kserve.RemoveIn{Name: dsl.Const("digits")}); err != nil {
		t.Error(err)
	}
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestFails: a model that can't be loaded is told with its reason, and what was made
// is deleted; a model that is a file of the step is no model for others.
func TestFails(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"InferenceService": {{"modelStatus": map[string]any{
		"transitionStatus": "BlockedByFailedLoad", "lastFailureInfo": map[string]any{"reason": "ModelLoadFailed", "message": "no such key"},
	}}}}}).Start(t)
	_, err := kserve.Serve.Run(t.Context(), digits("s3://models/digits"))
	tried.Fails(t, err, "InferenceService digits in namespace team-a has failed: status.modelStatus.transitionStatus", "ModelLoadFailed; no such key")
	if left := c.Objects(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	_, err = kserve.Serve.Run(t.Context(), digits("minio://mlpipeline/v2/artifacts/model"))
	tried.Fails(t, err, "the model is at minio://mlpipeline/v2/artifacts/model, and KServe reads gs://, s3://")
	_, err = kserve.Serve.Run(t.Context(), digits("/tmp/model"))
	tried.Fails(t, err, `the model is at "/tmp/model", which nothing but this step can read`)
}
