package k8s

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// coins are the games of ten seeds: the branch that ran is the one that the coin
// chose, and what it said is true.
func coins() (all []pipeline) {
	for seed := range 10 {
		all = append(all, pipeline{name: "../../examples/flipcoin#Pipeline", params: map[string]string{"seed": strconv.Itoa(seed), "games": "1"}, check: func(_ *testing.T, here, there outcome) error {
			if fmt.Sprint(here.outputs) != fmt.Sprint(there.outputs) {
				return fmt.Errorf("here %v, there %v", here.outputs, there.outputs)
			}
			flips, _ := there.outputs["flips"].([]any)
			results, _ := there.outputs["results"].([]any)
			if len(flips) != 1 || len(results) != 1 {
				return fmt.Errorf("one game has %v", there.outputs)
			}
			var number, middle int
			var relation string
			if _, err := fmt.Sscanf(results[0].(string), flips[0].(string)+" and %d %s %d", &number, &relation, &middle); err != nil {
				return fmt.Errorf("the coin fell %v, but the branch said %q", flips[0], results[0])
			}
			if (number > middle) != (relation == ">") {
				return fmt.Errorf("%q is not so", results[0])
			}
			return nil
		}})
	}
	return all
}

// mirror serves the four files of MNIST in the cluster, in place of the web.
const mirror = `apiVersion: v1
kind: Pod
metadata: {name: mirror, labels: {app: mirror}}
spec:
  containers:
  - {name: httpd, image: "registry.local/mirror:1", imagePullPolicy: IfNotPresent, command: [httpd, -f, -p, "80", -h, /data], readinessProbe: {tcpSocket: {port: 80}}}
---
apiVersion: v1
kind: Service
metadata: {name: mirror}
spec: {selector: {app: mirror}, ports: [{port: 80}]}
`

// mirrored serves the four files of MNIST in the cluster, and returns their folder here.
func mirrored(t *testing.T) string {
	t.Helper()
	data := os.Getenv("KFPGO_MNIST")
	if data == "" {
		t.Fatal("KFPGO_MNIST names the folder with the four files of MNIST; make e2e sets it")
	}
	tar := filepath.Join(home, "mirror.tar")
	args := []string{"run", "./mkimg", "-o", tar, "-t", "registry.local/mirror:1"}
	busybox := strings.TrimSpace(command(t, "", "sh", "-c", "command -v busybox"))
	args = append(args, busybox+"=/bin/busybox", "applets=/bin")
	for _, f := range []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"} {
		args = append(args, filepath.Join(data, f+".gz")+"=/data/"+f+".gz")
	}
	command(t, "", "go", args...)
	command(t, "", "./cluster", "load", tar)
	command(t, mirror, "./cluster", "k", "apply", "-f", "-")
	return data
}

// TestMNIST runs examples/mnist from the download to the server, and asks the
// server through its Service.
func TestMNIST(t *testing.T) {
	ready(t)
	data := mirrored(t)

	const sweep = `[{"epochs": 1, "rate": 0.05}, {"epochs": 1, "rate": 0.2}]`
	p := pipeline{name: "../../examples/mnist#Pipeline", role: true, params: map[string]string{
		"source": "http://mirror", "storage_class": "host-path", "sweep": sweep, "threshold": "0.9",
	}}
	began := time.Now()
	wf := await(t, p.submit(t), nil)
	if got := wf.outcome(t); got.state != "SUCCEEDED" {
		t.Fatalf("on Argo it is %s: %s", got.state, got.log)
	}
	there := map[string]any{}
	for _, n := range wf.Status.Nodes {
		for _, o := range n.Outputs.Parameters {
			if n.Type == "Pod" && o.Name == "accuracy" && (n.TemplateName == "evaluate" || n.TemplateName == "query") {
				there[n.TemplateName] = value(t, o.Value)
			}
		}
	}
	took := time.Since(began)

	p.params["source"] = "file://" + data
	here := p.onLocal(t)
	if here.state != "SUCCEEDED" {
		t.Fatalf("here it is %s: %s", here.state, here.log)
	}
	accuracy := map[string]any{}
	for _, task := range here.tasks {
		if task.Name == "evaluate" || task.Name == "query" {
			accuracy[task.Name] = value(t, string(task.Outputs["accuracy"]))
		}
	}
	if fmt.Sprint(there) != fmt.Sprint(accuracy) || len(there) != 2 {
		t.Errorf("accuracies %v there, %v here", there, accuracy)
	}

	// The server stays, and answers through the Service.
	var status struct {
		Versions []struct{ State string } `json:"model_version_status"`
	}
	get(t, "/api/v1/namespaces/default/services/mnist:8501/proxy/v1/models/mnist", &status)
	if len(status.Versions) != 1 || status.Versions[0].State != "AVAILABLE" {
		t.Errorf("the server says %+v", status)
	}
	blank := make([]float64, 28*28)
	for i := 5; i < 23; i++ { // a stroke from top to bottom is a one
		blank[i*28+14], blank[i*28+13] = 1, 0.8
	}
	body, err := json.Marshal(map[string]any{"instances": [][]float64{blank}})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Predictions [][]float64 }
	if err := json.Unmarshal(call(t, http.MethodPost, "/api/v1/namespaces/default/services/mnist:8501/proxy/v1/models/mnist:predict", "", body), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Predictions) != 1 || len(answer.Predictions[0]) != 10 {
		t.Fatalf("the server answers %v", answer)
	}
	best := 0
	for digit, p := range answer.Predictions[0] {
		if p > answer.Predictions[0][best] {
			best = digit
		}
	}
	if best != 1 {
		t.Errorf("a stroke from top to bottom is taken for a %d: %v", best, answer.Predictions[0])
	}
	fmt.Printf("mnist: %d pods in %.0f s; accuracy %v of 10,000, %v through the Service; here the same; a stroke is a %d\n", len(podsOf(wf)), took.Seconds(), there["evaluate"], there["query"], best)
}

func podsOf(wf *workflow) (all []string) {
	for _, n := range wf.Status.Nodes {
		if n.Type == "Pod" {
			all = append(all, n.DisplayName)
		}
	}
	return all
}
