package operators

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	volcanomnist "github.com/kfpgo/kfpgo/examples/volcano-mnist"
	"github.com/kfpgo/kfpgo/test/operators/suite"
)

func volcanoIn(epochs int) volcanomnist.In { return volcanomnist.In{Epochs: dsl.Const(epochs)} }

// What is asked of the model y = x W, and its answers, by hand.
const (
	instances = "[1, 0, 0, 0]\n[0, 1, 0, 0]\n[0, 0, 1, 0]\n[1, 1, 1, 2]\n"
	labels    = "0\n0\n1\n1\n"
	answers   = "[1.0,-1.0] [2.0,0.0] [0.0,3.0] [1.0,3.0]"
)

// models puts the SavedModel and the questions into the store and into a claim.
func models(t testing.TB) {
	model := filepath.Join(cacheDir(), "model")
	dir := fillClaim(t, "models", nil)
	eachFile(t, model, func(name string, text []byte) {
		put(t, "models/linear/"+name, text)
		write(t, dir, "linear/"+name, string(text))
	})
	put(t, "models/instances.jsonl", []byte(instances))
	put(t, "models/labels.txt", []byte(labels))
	kube.applyText(t, fmt.Sprintf(`apiVersion: v1
kind: Secret
metadata: {name: rclone, namespace: %[1]s}
stringData: {RCLONE_CONFIG_S3_TYPE: s3, RCLONE_CONFIG_S3_ACCESS_KEY_ID: a, RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: b, RCLONE_CONFIG_S3_ENDPOINT: "http://s3.default:9000"}
---
apiVersion: v1
kind: Secret
metadata:
  name: kserve-s3
  namespace: %[1]s
  annotations: {serving.kserve.io/s3-endpoint: "s3.default:9000", serving.kserve.io/s3-usehttps: "0", serving.kserve.io/s3-region: us-east-1}
stringData: {AWS_ACCESS_KEY_ID: a, AWS_SECRET_ACCESS_KEY: b}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: reader, namespace: %[1]s}
secrets: [{name: kserve-s3}]
`, namespace))
}

// put stores an object in the bucket artifacts.
func put(t testing.TB, key string, text []byte) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPut, os.Getenv("S3")+"/artifacts/"+key, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", key, resp.Status)
	}
}

// runtimes are KServe's own for TensorFlow, and its storage initializer, with the
// versions of the images that are stood in for.
func runtimes(t testing.TB, m map[string]string) {
	for _, o := range files(t, m["KSERVE"]+"/config/runtimes/kserve-tensorflow-serving.yaml") {
		o["spec"].(object)["containers"].([]any)[0].(object)["image"] = "tensorflow/serving:2.6.2"
		apply(t, o)
	}
	for _, o := range files(t, m["KSERVE"]+"/config/storagecontainers/default.yaml") {
		c := o["spec"].(object)["container"].(object)
		c["image"], c["command"] = "kserve/storage-initializer:v0.15.2", []any{"/bin/storage-initializer"}
		apply(t, o)
	}
}

// served runs a pipeline that serves the model and asks it.
func served[Out any](t *testing.T, p *dsl.Component[suite.ServedIn, Out]) run {
	t.Helper()
	ready(t)
	return ended(t, start(t, p, suite.ServedIn{}), 2*patience)
}

func TestTFServing(t *testing.T) {
	r := served(t, suite.TFServing)
	l := line{system: "three TensorFlow servers", applied: "3 Deployments, 3 Services, a ConfigMap", ran: r.ran(t, "linear-"), want: "SUCCEEDED, 3 of 3 answer " + answers}
	same := 0
	for _, name := range []string{"cpu1", "cpu8", "gpu1"} {
		if r.output(name) == answers {
			same++
		}
	}
	l.result = fmt.Sprintf("%s, %d of 3 answer %s", r.State, same, r.output("cpu1"))
	l.cleaned = gone(t, "apps/v1", "Deployment", "linear-cpu") + ", " + gone(t, "v1", "Service", "linear-cpu") + ", " + gone(t, "apps/v1", "Deployment", "linear-gpu")
	tell(t, l, why(r))
}

// why is the log of a run that failed.
func why(r run) error {
	if r.State == "SUCCEEDED" {
		return nil
	}
	return fmt.Errorf("%s\n%s", r.Error, r.log)
}

func TestSeldon(t *testing.T) {
	r := served(t, suite.Seldon)
	l := line{system: "Seldon", applied: "SeldonDeployment linear", ran: r.ran(t, "linear-default"), want: "SUCCEEDED, v1.0 " + answers + ", v0.1 " + answers}
	l.result = fmt.Sprintf("%s, v1.0 %s, v0.1 %s", r.State, r.output("first"), r.output("second"))
	l.cleaned = gone(t, "machinelearning.seldon.io/v1", "SeldonDeployment", "linear")
	tell(t, l, why(r))
}

func TestKServe(t *testing.T) {
	r := served(t, suite.KServe)
	l := line{system: "KServe", applied: "InferenceService linear-k", ran: r.ran(t, "linear-k"), want: "SUCCEEDED, V1 " + answers + ", V2 " + answers}
	l.result = fmt.Sprintf("%s, V1 %s, V2 %s", r.State, r.output("first"), r.output("second"))
	l.cleaned = gone(t, "serving.kserve.io/v1beta1", "InferenceService", "linear-k")
	tell(t, l, why(r))
}

func TestKServeFails(t *testing.T) {
	ready(t)
	failing(t, "KServe, no runtime for a format", start(t, suite.Unloadable, suite.ServedIn{}), "serving.kserve.io/v1beta1", "InferenceService", "none-k", "InferenceService none-k in namespace "+namespace, "no runtime found")
}

func TestECI(t *testing.T) {
	ready(t)
	r := ended(t, start(t, suite.ECI, eciIn()), patience)
	l := line{system: "serverless GPU pod (examples/eci-imagenet)", applied: "ImageCache imagenet, Pod " + r.output("name"), ran: r.ran(t, "imagenet-"), want: "SUCCEEDED, cache 30% 75% Ready 100%, trained on Tesla T4 with --epochs 3, snapshot imc-2ze5tm5gehgtiiga"}
	snapshot := ""
	for _, p := range kube.list(t, "v1", "Pod", "kfpgo.dev/pod=imagenet") {
		snapshot = p.GetAnnotations()["k8s.aliyun.com/eci-image-snapshot-id"]
	}
	l.result = fmt.Sprintf("%s, cache %s, %s, snapshot %s", r.State, strings.Join(found(r.log, `ImageCache imagenet: (?:Creating )?(\d\d%|Ready 100%)`), " "), strings.Join(found(r.log, `(trained on .*)`), " "), snapshot)
	l.cleaned = deleted(t, "v1", "Pod", "imagenet-") + ", " + deleted(t, "eci.alibabacloud.com/v1", "ImageCache", "imagenet")
	tell(t, l, why(r))
}
