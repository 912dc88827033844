package vet_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/trainingoperator"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

// A making creates the object of its input, as a ready-made component of a user's own does.
type making struct {
	Object dsl.Param[map[string]any]
	work.Limits
}

var create = work.Step("create-object", func(ctx context.Context, in making, _ *dsl.None) error {
	_, err := work.Do(ctx, in.Limits, "", work.Object{Action: "create", Manifest: in.Object.Get()})
	return err
}, func(*work.Call) {}, work.Makes("", "persistentvolumeclaims"))

// An objectIn is inputs of which nothing is known.
type objectIn struct {
	Name    dsl.Param[string]
	Image   dsl.Param[string]
	Workers dsl.Param[int]
	Spec    dsl.Param[pod.Spec]
}

// TestObjects: a mistake is found in a ready-made component as it is in the manifest of
// what that makes, and nothing is found where only the run knows.
func TestObjects(t *testing.T) {
	type body = func(s *dsl.Scope, in objectIn)
	manifest := func(action dsl.Action, yaml string) body {
		return func(s *dsl.Scope, _ objectIn) {
			dsl.Resource("raw", func(dsl.None, dsl.None) dsl.ResourceSpec {
				return dsl.ResourceSpec{Action: action, Manifest: yaml}
			}).Call(s, dsl.None{})
		}
	}
	filled := func(yaml string) body { // with the inputs
		return func(s *dsl.Scope, in objectIn) {
			dsl.Resource("raw", func(in objectIn, _ dsl.None) dsl.ResourceSpec {
				return dsl.ResourceSpec{Action: dsl.Create, Manifest: fmt.Sprintf(yaml, in.Name, in.Image, in.Workers)}
			}).Call(s, in)
		}
	}
	onePod := func(spec pod.Spec) body {
		return func(s *dsl.Scope, _ objectIn) {
			k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: dsl.Const("train"), Pod: dsl.Const(spec)})
		}
	}
	job := func(workers func(objectIn) dsl.Param[int], spec pod.Spec) body {
		return func(s *dsl.Scope, in objectIn) {
			spec.Command = []string{"python", "/train.py"}
			volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: dsl.Const("train"), Workers: workers(in), Servers: dsl.Const(2), Pod: dsl.Const(spec)})
		}
	}
	server := func(placement pod.Placement) body {
		return func(s *dsl.Scope, _ objectIn) {
			kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: dsl.Import[dsl.Model](s, dsl.Const("s3://models/digits")), Placement: dsl.Const(placement)})
		}
	}
	volume := func(in k8s.CreatePVCIn) body {
		return func(s *dsl.Scope, _ objectIn) { k8s.CreatePVC.Call(s, in) }
	}
	two := func(objectIn) dsl.Param[int] { return dsl.Const(2) }
	makes := func(object map[string]any) body {
		return func(s *dsl.Scope, _ objectIn) { create.Call(s, making{Object: dsl.Const(object)}) }
	}
	const (
		podYAML   = "apiVersion: v1\nkind: Pod\nmetadata: {generateName: train-}\nspec: {containers: [{name: main, image: %s}]%s}"
		jobYAML   = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {generateName: train-}\nspec:\n  tasks:\n  - {name: chief, replicas: 1, template: &t {spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists}], containers: [{name: x, image: \"tf:2\", resources: {limits: {nvidia.com/gpu: 1}}}]}}}\n  - {name: worker, replicas: %v, template: *t}"
		modelYAML = "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: digits}\nspec: {predictor: {%s model: {modelFormat: {name: onnx}, storageUri: s3://models/digits, resources: {limits: {nvidia.com/gpu: %d}}}}}"
		claimYAML = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {generateName: data-}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"
	)
	gpus := pod.Spec{Image: "tf:2", GPUs: 1, Tolerate: []string{"nvidia.com/gpu"}}
	queue := quotas(t, "kind: Queue\nmetadata: {name: default}\nspec: {capability: {nvidia.com/gpu: 2}}")
	quota := quotas(t, "kind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {requests.nvidia.com/gpu: 2}}")
	const tolerations = "tolerations: [{key: nvidia.com/gpu, operator: Exists}],"
	with := func(spec pod.Spec, change func(*pod.Spec)) pod.Spec { change(&spec); return spec }
	unknown := map[string]body{
		"component": func(s *dsl.Scope, in objectIn) {
			k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: in.Name, Pod: in.Spec})
			spec := map[string]any{"image": in.Image, "mounts": []any{map[string]any{"path": "/data", "volume": map[string]any{"persistentVolumeClaim": map[string]any{"claimName": in.Name}}}}}
			k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: in.Name, Pod: dsl.As[pod.Spec](dsl.Values(spec))})
			job(func(in objectIn) dsl.Param[int] { return in.Workers }, gpus)(s, in)
		},
		"manifest": func(s *dsl.Scope, in objectIn) {
			filled("apiVersion: v1\nkind: Pod\nmetadata: {name: \"%[1]v\"}\nspec: {replicas: %[3]v, volumes: [{name: a, persistentVolumeClaim: {claimName: \"%[1]v\"}}], containers: [{name: main, image: \"%[2]v\", resources: {limits: {nvidia.com/gpu: %[3]v}}}]}")(s, in)
		},
	}
	for _, c := range []struct {
		name                string
		o                   vet.Options
		component, manifest body
		want                string // of the rule; empty: nothing is found
		says                string
	}{
		{"an image without a tag", vet.Options{}, onePod(pod.Spec{Image: "tensorflow/tensorflow"}), manifest(dsl.Create, fmt.Sprintf(podYAML, "tensorflow/tensorflow", "")),
			"image", "image tensorflow/tensorflow of its Pod has no tag"},
		{"an image with one", vet.Options{}, onePod(pod.Spec{Image: "tf:2"}), manifest(dsl.Create, fmt.Sprintf(podYAML, "'tf:2'", "")), "", ""},
		{"a GPU without a toleration", vet.Options{}, job(two, pod.Spec{Image: "tf:2", GPUs: 1, Tolerate: []string{"other"}}), manifest(dsl.Create, strings.ReplaceAll(fmt.Sprintf(jobYAML, 2), "nvidia.com/gpu, op", "other, op")),
			"toleration", "its Job asks for nvidia.com/gpu and tolerates no taint of that name"},
		{"more GPUs than the queue has", queue, job(two, gpus), manifest(dsl.Create, fmt.Sprintf(jobYAML, 2)),
			"quota", "it asks for 3 of nvidia.com/gpu, and queue default has 2: it never runs"},
		{"as many as it has", queue, job(func(objectIn) dsl.Param[int] { return dsl.Const(1) }, gpus), manifest(dsl.Create, fmt.Sprintf(jobYAML, 1)), "", ""},
		{"a TrainJob with more", queue, func(s *dsl.Scope, _ objectIn) {
			trainingoperator.TrainJob.Call(s, trainingoperator.TrainJobIn{Name: dsl.Const("train"), Nodes: dsl.Const(3), Pod: dsl.Const(pod.Spec{Image: "tf:2", GPUs: 1})})
		}, manifest(dsl.Create, "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {generateName: x-}\nspec: {trainer: {numNodes: 3, resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}}"),
			"quota", "it asks for 3 of nvidia.com/gpu"},
		{"more GPUs than the quota has", quota, job(two, gpus), manifest(dsl.Create, fmt.Sprintf(jobYAML, 2)),
			"quota", "it asks for 3 of requests.nvidia.com/gpu, and quota team has 2: it never runs"},
		{"a role with more", queue, func(s *dsl.Scope, _ objectIn) {
			trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{
				Workers: dsl.Const(1), Worker: dsl.Const(pod.Role{Placement: pod.Placement{GPUs: 4}}), JobIn: trainingoperator.JobIn{Name: dsl.Const("train"), Pod: dsl.Const(pod.Spec{Image: "tf:2"})},
			})
		}, manifest(dsl.Create, "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {generateName: train-}\nspec: {tfReplicaSpecs: {Worker: {replicas: 1, template: {spec: {"+tolerations+" containers: [{name: tensorflow, image: 'tf:2', resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}"),
			"quota", "it asks for 4 of nvidia.com/gpu"},
		{"a server with more", queue, server(pod.Placement{GPUs: 3}), manifest(dsl.Apply, fmt.Sprintf(modelYAML, tolerations, 3)),
			"quota", "it asks for 3 of nvidia.com/gpu"},
		{"a server without a toleration", queue, server(pod.Placement{GPUs: 1, Tolerate: []string{}}), manifest(dsl.Apply, fmt.Sprintf(modelYAML, "", 1)),
			"toleration", "its InferenceService asks for nvidia.com/gpu and tolerates no taint of that name"},
		{"one server of Seldon without a toleration", queue, func(s *dsl.Scope, _ objectIn) {
			seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("digits"), Model: dsl.Import[dsl.Model](s, dsl.Const("s3://models/digits")), Placement: dsl.Const(pod.Placement{GPUs: 1, Tolerate: []string{}})})
		}, manifest(dsl.Apply, "apiVersion: machinelearning.seldon.io/v1\nkind: SeldonDeployment\nmetadata: {name: digits}\nspec: {predictors: [{replicas: 1, componentSpecs: [{spec: {containers: [{name: x, resources: {limits: {nvidia.com/gpu: 1}}}]}}]}]}"),
			"toleration", "its SeldonDeployment asks for nvidia.com/gpu"},
		{"a server whose image has no tag", vet.Options{}, func(s *dsl.Scope, _ objectIn) {
			tfserving.Serve.Call(s, tfserving.ServeIn{Name: dsl.Const("digits"), URI: dsl.Const("s3://models/digits"), Image: dsl.Const("tensorflow/serving")})
		}, manifest(dsl.Apply, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: digits}\nspec: {template: {spec: {containers: [{name: server, image: tensorflow/serving}]}}}"),
			"image", "image tensorflow/serving of its Deployment has no tag"},
		{"a claim of a fixed name", vet.Options{}, volume(k8s.CreatePVCIn{Name: dsl.Const("data"), Size: dsl.Const("1Gi")}), manifest(dsl.Create, strings.ReplaceAll(claimYAML, "generateName: data-", "name: data")),
			"collide", "each run creates the "},
		{"a claim of the run that nobody deletes", vet.Options{}, volume(k8s.CreatePVCIn{NameSuffix: dsl.Const("-x"), Size: dsl.Const("1Gi")}), manifest(dsl.Create, claimYAML),
			"leak", "each run creates a claim, and nothing deletes it"},
		{"a fixed name", vet.Options{}, makes(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "train"}}), manifest(dsl.Create, "apiVersion: v1\nkind: Pod\nmetadata: {name: train}"),
			"collide", "each run creates the Pod train"},
		{"a claim that nobody deletes", vet.Options{}, makes(map[string]any{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": map[string]any{"generateName": "data-"}}), manifest(dsl.Create, claimYAML),
			"leak", "each run creates a claim, and nothing deletes it"},
		{"a claim that isn't there", vet.Options{There: []vet.There{{Kind: "PersistentVolumeClaim", Name: "other"}}}, onePod(pod.Spec{Image: "tf:2", Mounts: []pod.Mount{pod.Claim("data", "/data")}}),
			manifest(dsl.Create, fmt.Sprintf(podYAML, "'tf:2'", ", volumes: [{name: a, persistentVolumeClaim: {claimName: data}}]")),
			"missing", "its Pod needs the claim data"},
		{"a claim that is there", vet.Options{There: []vet.There{{Kind: "PersistentVolumeClaim", Name: "data"}}}, onePod(pod.Spec{Image: "tf:2", Mounts: []pod.Mount{pod.Claim("data", "/data")}}),
			manifest(dsl.Create, fmt.Sprintf(podYAML, "'tf:2'", ", volumes: [{name: a, persistentVolumeClaim: {claimName: data}}]")), "", ""},
		{"a secret that isn't there", vet.Options{}, onePod(with(pod.Spec{Image: "tf:2"}, func(s *pod.Spec) { s.PullSecrets = []string{"registry"} })),
			manifest(dsl.Create, fmt.Sprintf(podYAML, "'tf:2'", ", imagePullSecrets: [{name: registry}]")),
			"missing", "its Pod needs the secret registry"},
		{"the claim of a model", vet.Options{}, func(s *dsl.Scope, _ objectIn) {
			kserve.Serve.Call(s, kserve.ServeIn{Name: dsl.Const("digits"), Model: dsl.Import[dsl.Model](s, dsl.Const("pvc://models/digits"))})
		}, manifest(dsl.Apply, "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: digits}\nspec: {predictor: {model: {modelFormat: {name: onnx}, storageUri: pvc://models/digits}}}"),
			"missing", "its InferenceService needs the claim models"},
		{"the secret of a model", vet.Options{}, func(s *dsl.Scope, _ objectIn) {
			seldon.Serve.Call(s, seldon.ServeIn{Name: dsl.Const("digits"), Secret: dsl.Const("bucket"), Model: dsl.Import[dsl.Model](s, dsl.Const("s3://models/digits"))})
		}, manifest(dsl.Apply, "apiVersion: machinelearning.seldon.io/v1\nkind: SeldonDeployment\nmetadata: {name: digits}\nspec: {predictors: [{graph: {modelUri: s3://models/digits, envSecretRefName: bucket}}]}"),
			"missing", "its SeldonDeployment needs the secret bucket"},
		{"what only the run knows", queue, unknown["component"], unknown["manifest"], "", ""},
	} {
		for form, body := range map[string]body{"component": c.component, "manifest": c.manifest} {
			d := dsl.Pipeline("p", func(s *dsl.Scope, in objectIn) dsl.None { body(s, in); return dsl.None{} })
			o := c.o
			o.Steps = lowered.Plans(t, d)
			var got []string
			for _, f := range vet.Program(lowered.Program(t, d), o) {
				if f.Rule != "unused" && f.Rule != "branch" {
					got = append(got, f.String())
				}
			}
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("%s, %s: found %q", c.name, form, got)
			case c.want == "":
			case len(got) != 1 || !strings.Contains(got[0], c.says) || !strings.HasSuffix(got[0], "("+c.want+")"):
				t.Errorf("%s, %s: got %q, want %s: %s", c.name, form, got, c.want, c.says)
			}
		}
	}
}

// TestObjectDefaults: what a run with defaults makes counts, but for names.
func TestObjectDefaults(t *testing.T) {
	d := dsl.Pipeline("p", func(s *dsl.Scope, in objectIn) dsl.None {
		spec := map[string]any{"image": in.Image, "pullSecrets": []any{in.Name}}
		k8sjob.Run.Call(s, k8sjob.RunIn{Name: in.Name, Pod: dsl.As[pod.Spec](dsl.Values(spec)), Parallelism: in.Workers})
		return dsl.None{}
	}).Defaults(objectIn{Image: dsl.Const("tf"), Name: dsl.Const("train"), Workers: dsl.Const(3)})
	o := quotas(t, "kind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: 2}}")
	o.Steps = lowered.Plans(t, d)
	var rules []string
	for _, f := range vet.Program(lowered.Program(t, d), o) {
		rules = append(rules, f.Rule)
	}
	if got := strings.Join(rules, " "); got != "unused image quota" {
		t.Errorf("got %s", got)
	}
}
