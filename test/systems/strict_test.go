// Package systems checks the objects that the packages below components make
// against the Go types of the systems' own APIs.
package systems

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	kserve "github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
	volcano "volcano.sh/apis/pkg/apis/batch/v1alpha1"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

// types are the kinds that components make.
var types = map[string]func() any{
	"v1 Pod":                                     func() any { return &corev1.Pod{} },
	"v1 Service":                                 func() any { return &corev1.Service{} },
	"v1 ConfigMap":                               func() any { return &corev1.ConfigMap{} },
	"v1 PersistentVolume":                        func() any { return &corev1.PersistentVolume{} },
	"v1 PersistentVolumeClaim":                   func() any { return &corev1.PersistentVolumeClaim{} },
	"apps/v1 Deployment":                         func() any { return &appsv1.Deployment{} },
	"apps/v1 DaemonSet":                          func() any { return &appsv1.DaemonSet{} },
	"batch/v1 Job":                               func() any { return &batchv1.Job{} },
	"batch.volcano.sh/v1alpha1 Job":              func() any { return &volcano.Job{} },
	"scheduling.volcano.sh/v1beta1 Queue":        func() any { return &scheduling.Queue{} },
	"kubeflow.org/v1 TFJob":                      func() any { return &kubeflow.TFJob{} },
	"kubeflow.org/v1 PyTorchJob":                 func() any { return &kubeflow.PyTorchJob{} },
	"trainer.kubeflow.org/v1alpha1 TrainJob":     func() any { return &trainer.TrainJob{} },
	"serving.kserve.io/v1beta1 InferenceService": func() any { return &kserve.InferenceService{} },
}

// noTypes are kinds whose types no Go module that is served has, each with the reason.
var noTypes = map[string]string{
	"machinelearning.seldon.io/v1 SeldonDeployment": "Seldon's operator is no Go module at a version",
	"eci.alibabacloud.com/v1 ImageCache":            "Alibaba Cloud publishes its CRD only",
}

// TestStrict: each object of each golden file is decoded strictly into its type;
// so is what the examples have by hand, and what must be in the cluster for them.
func TestStrict(t *testing.T) {
	files, err := filepath.Glob("../../components/*/testdata/objects/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no objects: ", err)
	}
	for _, name := range []string{"*/byhand.yaml", "*/cluster.yaml", "*/*/testdata/objects/*.yaml"} {
		more, err := filepath.Glob("../../examples/" + name)
		if err != nil || len(more) == 0 {
			t.Fatalf("no examples/%s: %v", name, err)
		}
		files = append(files, more...)
	}
	ok, all, seen := 0, 0, map[string]bool{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(data, []byte("---\n")) {
			all++
			var head struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal(doc, &head); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			kind := head.APIVersion + " " + head.Kind
			seen[kind] = true
			if why, ok := noTypes[kind]; ok {
				t.Logf("%s: %s not checked: %s", f, kind, why)
				continue
			}
			make := types[kind]
			if make == nil {
				t.Errorf("%s: no type for %s", f, kind)
				continue
			}
			if err := yaml.UnmarshalStrict(doc, make()); err != nil {
				t.Errorf("%s: %s: %v", f, kind, err)
				continue
			}
			ok++
		}
	}
	for kind := range types {
		if !seen[kind] {
			t.Errorf("no component makes a %s", kind)
		}
	}
	t.Logf("objects that their systems' types take, strictly: %d/%d", ok, all)
}
