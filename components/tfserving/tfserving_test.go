package tfserving_test

import (
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Images dsl.Param[string] }

var pipeline = dsl.Pipeline("three-servers", func(s *dsl.Scope, in pipelineIn) dsl.None {
	images := dsl.Import[dsl.Dataset](s, in.Images)
	for _, v := range tfserving.Variants() {
		served := tfserving.Serve.Call(s, tfserving.ServeIn{
			Name: dsl.Const("resnet-" + string(v)), Claim: dsl.Const("models"), Path: dsl.Const("/resnet"), Variant: dsl.Const(v), Batching: dsl.Const(v == tfserving.GPU1),
		})
		asked := tfserving.Predict.Call(s, query.In{URL: served.Out.URL, Model: dsl.Const("resnet-" + string(v)), Instances: images})
		tfserving.Remove.Call(s, tfserving.RemoveIn{Name: dsl.Const("resnet-" + string(v))}, dsl.After(asked))
	}
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func up() *kubefake.Cluster {
	return &kubefake.Cluster{States: map[string][]map[string]any{
		"Deployment": {{"readyReplicas": 0}, {"readyReplicas": 1, "updatedReplicas": 1}},
		"Service":    {{}, {"loadBalancer": map[string]any{"ingress": []any{map[string]any{"ip": "192.0.2.7"}}}}},
	}}
}

func TestServe(t *testing.T) {
	for _, tt := range []struct {
		name, url string
		in        tfserving.ServeIn
	}{
		{"cpu1", "http://resnet.team-a.svc:8501", tfserving.ServeIn{Claim: dsl.Const("models"), Path: dsl.Const("/resnet")}},
		{"cpu8", "http://resnet.team-a.svc:8501", tfserving.ServeIn{URI: dsl.Const("s3://models/resnet"), Variant: dsl.Const(tfserving.CPU8), Service: dsl.Const(tfserving.NodePort), Env: dsl.Const(map[string]string{"S3_ENDPOINT": "minio:9000"})}},
		{"gpu1", "http://192.0.2.7:8501", tfserving.ServeIn{Claim: dsl.Const("models"), Variant: dsl.Const(tfserving.GPU1), Batching: dsl.Const(true), Service: dsl.Const(tfserving.LoadBalancer)}},
		{"placed", "http://resnet.team-a.svc:8501", tfserving.ServeIn{
			Claim: dsl.Const("models"), Variant: dsl.Const(tfserving.GPU1), Placement: dsl.Const(pod.Placement{
				CPU: "4", GPUs: 2, GPU: "tencent.com/vcuda-core", NodeSelector: map[string]string{"gpu": "p4"}, Tolerate: []string{"nvidia.com/gpu", "team-a"},
			}),
		}},
	} {
		tt.in.Name = dsl.Const("resnet")
		c := up()
		c.Pods = []map[string]any{{"metadata": map[string]any{"name": "resnet-x1"}, "status": map[string]any{"phase": "Pending"}}}
		c.Events = []map[string]any{
			{"involvedObject": map[string]any{"fieldPath": "spec.containers{proxy}"}, "message": `Successfully pulled image "b" in 30s (30s including waiting). Image size: 9 bytes.`},
			{"involvedObject": map[string]any{"fieldPath": "spec.containers{server}"}, "message": `Successfully pulled image "a" in 2.5s (3s including waiting). Image size: 188000000 bytes.`},
			{"involvedObject": map[string]any{"fieldPath": "spec.containers{server}"}, "message": `Container image "a" already present on machine`},
		}
		c.Start(t)
		out, err := tfserving.Serve.Run(t.Context(), tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if out.URL.Get() != tt.url {
			t.Errorf("%s: URL %s, want %s", tt.name, out.URL.Get(), tt.url)
		}
		if pull, size := out.PullSeconds.Get(), out.ImageBytes.Get(); pull != 2.5 || size != 188_000_000 {
			t.Errorf("%s: %d bytes were pulled in %v seconds", tt.name, size, pull)
		}
		tried.Sent(t, c, tt.name)
		if _, err := tfserving.Remove.Run(t.Context(), tfserving.RemoveIn{Name: dsl.Const("resnet")}); err != nil {
			t.Error(err)
		}
		if left := c.Objects(); len(left) > 0 {
			t.Errorf("%s: left: %q", tt.name, left)
		}
	}
}

func TestFails(t *testing.T) {
	c := (&kubefake.Cluster{States: map[string][]map[string]any{"Deployment": {{"conditions": []any{
		map[string]any{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "it has timed out progressing"},
	}}}}}).Start(t)
	_, err := tfserving.Serve.Run(t.Context(), tfserving.ServeIn{Name: dsl.Const("resnet"), Claim: dsl.Const("models"), Batching: dsl.Const(true)})
	tried.Fails(t, err, "Deployment resnet in namespace team-a has failed: condition Progressing=False; Progressing=False ProgressDeadlineExceeded: it has timed out")
	want := []string{"apply ConfigMap resnet-batching", "apply Deployment resnet", "delete Deployment resnet", "delete ConfigMap resnet-batching"}
	if got := c.Done(); !slices.Equal(got, want) {
		t.Errorf("done %q, want %q", got, want)
	}
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	claim := dsl.Const("models")
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a")})                                                                                                     // want "no model; set Claim and Path, or URI"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a"), Claim: claim, URI: dsl.Const("s3://x")})                                                             // want "both Claim and URI are set"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a"), Claim: claim, Variant: dsl.Const(tfserving.Variant("cpu2"))})                                        // want "input variant is .cpu2.; there are cpu1, cpu8 and gpu1"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a"), Claim: claim, Service: dsl.Const(tfserving.ServiceType("ExternalName"))})                            // want "input service is .ExternalName."
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a"), Claim: claim, Placement: dsl.Const(pod.Placement{GPUs: 1})})                                         // want "input placement: 1 GPUs, and the server of variant cpu1 uses none; choose gpu1"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a"), Claim: claim, Memory: dsl.Const("1Gi"), Placement: dsl.Const(pod.Placement{Memory: "2Gi"})})         // want "input placement: Memory is set, and input memory too"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("a"), Claim: claim, Placement: dsl.Const(pod.Placement{NodeSelector: map[string]string{"gpu": "a100!"}})}) // want "input placement: NodeSelector: .a100!. is not the value of a label"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "tfserving_test.go", misused) }
