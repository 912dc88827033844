package suite

import (
	"bytes"
	"context"
	"os"
	"strings"

	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/dsl"
	eciimagenet "github.com/kfpgo/kfpgo/examples/eci-imagenet"
	gpupod "github.com/kfpgo/kfpgo/examples/gpu-pod"
	volcanomnist "github.com/kfpgo/kfpgo/examples/volcano-mnist"
)

// Pipelines of examples, run as they are: the suite's image has their steps too.
var (
	ECI     = eciimagenet.Pipeline
	GPUPod  = gpupod.Pipeline
	Volcano = volcanomnist.Pipeline
)

// ServedIn is a model and what to ask it.
type ServedIn struct {
	Model     dsl.Param[string] `default:"s3://artifacts/models/linear"`
	Instances dsl.Param[string] `default:"s3://artifacts/models/instances.jsonl"`
	Labels    dsl.Param[string] `default:"s3://artifacts/models/labels.txt"`
	Ingress   dsl.Param[string] `default:"http://istio-ingressgateway.istio-system"`
}

// Answers are what came back, in one line.
type Answers struct{ Answers dsl.Param[string] }

// SeenIn is the file of predictions of a query.
type SeenIn struct{ Predictions dsl.Dataset }

// Seen returns what a server answered.
var Seen = dsl.Func("seen", func(_ context.Context, in SeenIn, out *Answers) error {
	b, err := os.ReadFile(in.Predictions.Path())
	if err != nil {
		return err
	}
	text := string(bytes.ReplaceAll(bytes.TrimSpace(b), []byte("\n"), []byte(" ")))
	out.Answers.Set(strings.ReplaceAll(text, ", ", ","))
	return nil
}, dsl.NoCache())

// TFServing serves a model from a claim on one CPU, eight and a GPU, and asks each.
var TFServing = dsl.Pipeline("tfserving", func(s *dsl.Scope, in ServedIn) Three {
	instances, labels := dsl.Import[dsl.Dataset](s, in.Instances), dsl.Import[dsl.Dataset](s, in.Labels)
	var all []dsl.Param[string]
	types := []tfserving.ServiceType{tfserving.ClusterIP, tfserving.NodePort, tfserving.ClusterIP}
	for i, v := range tfserving.Variants() {
		name := dsl.Const("linear-" + string(v))
		serve := tfserving.ServeIn{
			Name: name, Claim: dsl.Const("models"), Path: dsl.Const("/linear"), Variant: dsl.Const(v),
			Service: dsl.Const(types[i]), Batching: dsl.Const(v == tfserving.GPU1), Memory: dsl.Const("2Gi"),
		}
		serve.Timeout = dsl.Const("5m")
		served := tfserving.Serve.Call(s, serve, dsl.Named("serve "+string(v)))
		asked := tfserving.Predict.Call(s, query.In{URL: served.Out.URL, Model: name, Instances: instances, Labels: labels, Batch: dsl.Const(2), Accuracy: dsl.Const(1.0)}, dsl.Named("ask "+string(v)))
		seen := Seen.Call(s, SeenIn{Predictions: asked.Out.Predictions}, dsl.Named("seen "+string(v)))
		tfserving.Remove.Call(s, tfserving.RemoveIn{Name: name}, dsl.Named("remove "+string(v)), dsl.After(asked))
		all = append(all, seen.Out.Answers)
	}
	return Three{all[0], all[1], all[2]}
})

// Three are the answers of three servers.
type Three struct{ CPU1, CPU8, GPU1 dsl.Param[string] }

// Seldon serves a model with Seldon and asks it through an ingress, in both versions
// of its protocol.
var Seldon = dsl.Pipeline("seldon", func(s *dsl.Scope, in ServedIn) Two {
	serve := seldon.ServeIn{Name: dsl.Const("linear"), Model: dsl.Import[dsl.Model](s, in.Model), Secret: dsl.Const("rclone")}
	serve.Timeout = dsl.Const("5m")
	served := seldon.Serve.Call(s, serve)
	ask := query.In{
		URL: dsl.Sprintf("%s/seldon/%s/linear", in.Ingress, served.Out.Namespace), Instances: dsl.Import[dsl.Dataset](s, in.Instances),
		Labels: dsl.Import[dsl.Dataset](s, in.Labels), Accuracy: dsl.Const(1.0),
	}
	first := seldon.Query.Call(s, ask)
	ask.Version = dsl.Const("v0.1")
	second := seldon.Query.Call(s, ask)
	seldon.Remove.Call(s, seldon.RemoveIn{Name: served.Out.Name}, dsl.After(first, second))
	return Two{Seen.Call(s, SeenIn{Predictions: first.Out.Predictions}).Out.Answers, Seen.Call(s, SeenIn{Predictions: second.Out.Predictions}).Out.Answers}
})

// Two are the answers to two questions.
type Two struct{ First, Second dsl.Param[string] }

// KServe serves a model with KServe and asks it in the protocols V1 and V2.
var KServe = dsl.Pipeline("kserve", func(s *dsl.Scope, in ServedIn) Two {
	serve := kserve.ServeIn{Name: dsl.Const("linear-k"), Model: dsl.Import[dsl.Model](s, in.Model), Format: dsl.Const("tensorflow"), ServiceAccount: dsl.Const("reader")}
	serve.Timeout = dsl.Const("5m")
	served := kserve.Serve.Call(s, serve)
	ask := query.In{
		URL: served.Out.URL, Model: dsl.Const("linear-k"), Instances: dsl.Import[dsl.Dataset](s, in.Instances),
		Labels: dsl.Import[dsl.Dataset](s, in.Labels), Accuracy: dsl.Const(1.0),
	}
	first, second := kserve.Query.Call(s, ask), kserve.QueryV2.Call(s, ask)
	kserve.Remove.Call(s, kserve.RemoveIn{Name: dsl.Const("linear-k")}, dsl.After(first, second))
	return Two{Seen.Call(s, SeenIn{Predictions: first.Out.Predictions}).Out.Answers, Seen.Call(s, SeenIn{Predictions: second.Out.Predictions}).Out.Answers}
})

// Unloadable serves what isn't there.
var Unloadable = dsl.Pipeline("unloadable", func(s *dsl.Scope, in ServedIn) kserve.ServeOut {
	serve := kserve.ServeIn{Name: dsl.Const("none-k"), Model: dsl.Import[dsl.Model](s, in.Model), Format: dsl.Const("no-such-format")}
	serve.Timeout = dsl.Const("2m")
	return kserve.Serve.Call(s, serve).Out
})
