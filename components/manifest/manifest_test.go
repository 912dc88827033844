package manifest_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/components/manifest"
	"github.com/kfpgo/kfpgo/dsl"
	_ "github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type in struct {
	Name     dsl.Param[string]
	Replicas dsl.Param[int]
}

type out struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

const deploymentYAML = `apiVersion: apps/v1
kind: Deployment
metadata: {name: "%[1]v"}
spec:
  replicas: %[2]v
  selector: {matchLabels: {app: "%[1]v"}}
  template:
    metadata: {labels: {app: "%[1]v"}}
    spec:
      containers: [{name: main, image: nginx, resources: {limits: {cpu: 1}}, ports: [{containerPort: 80}]}]
`

var deploy = dsl.Resource("deploy", func(in in, _ out) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Manifest: manifest.Strict(fmt.Sprintf(deploymentYAML, in.Name, in.Replicas), appsv1.Deployment{}), Success: "status.readyReplicas > 0"}
})

var run = dsl.Resource("run", func(in in, _ out) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action: dsl.Create, Success: "status.succeeded > 0", Failure: "status.failed > 0",
		Manifest: manifest.Of(&batchv1.Job{
			TypeMeta:   metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
			ObjectMeta: metav1.ObjectMeta{GenerateName: in.Name.String() + "-"},
			Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "main", Image: "busybox"}},
			}}},
		}),
	}
})

type pipelineIn struct{ Name dsl.Param[string] }

var pipeline = dsl.Pipeline("manifests", func(s *dsl.Scope, p pipelineIn) dsl.None {
	d := deploy.Call(s, in{Name: p.Name, Replicas: dsl.Const(2)})
	run.Call(s, in{Name: p.Name, Replicas: dsl.Const(1)}, dsl.After(d))
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func TestMistakes(t *testing.T) {
	for yaml, want := range map[string]string{
		"apiVersion: apps/v1\nkind: Deployment\nspec:\n  replica: 1":                                     "line 4: spec has no field replica; did you mean replicas?",
		"kind: Deployment\nspec: {template: {spec: {containers: [{name: a, imagePullpolicy: Always}]}}}": "spec.template.spec.containers[] has no field imagePullpolicy; did you mean imagePullPolicy?",
		"kind: Deployment\nspec: {template: {spec: {containers: {name: a}}}}":                            "containers is an object, and a slice belongs there",
		"a: b: c": "manifest: yaml:",
		"":        "manifest: it is empty",
	} {
		c := dsl.Resource("bad", func(dsl.None, dsl.None) dsl.ResourceSpec {
			return dsl.ResourceSpec{Action: dsl.Apply, Manifest: manifest.Strict(yaml, appsv1.Deployment{})}
		})
		tried.Fails(t, c.Check(), want)
	}
	none := dsl.Resource("none", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Apply, Manifest: manifest.Of(corev1.Pod{})}
	})
	tried.Fails(t, none.Check(), "the v1.Pod has no apiVersion; set its TypeMeta")
}
