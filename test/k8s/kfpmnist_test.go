package k8s

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestKFPMNIST trains and evaluates on the real digits, as far as the KFP goes. 2.0 runs
// a part: in a volume, with an artifact between steps. All of examples/mnist needs a
// newer server, which is reported before anything is sent.
func TestKFPMNIST(t *testing.T) {
	k := withKFP(t)
	data := mirrored(t)
	if version != "2.0.5" {
		k.mnist(data)
		return
	}
	p := pipeline{name: "./straight#Pipeline", role: true, params: map[string]string{"source": "file://" + data, "storage_class": "host-path"},
		there: map[string]string{"source": "http://mirror.default"}, kfp: []string{"--kfp-version", "2.0"},
		check: func(_ *testing.T, here, there outcome) error {
			if a, ok := there.outputs["accuracy"].(float64); !ok || a < 0.85 || a != here.outputs["accuracy"] {
				return fmt.Errorf("here %v, there %v", here.outputs, there.outputs)
			}
			return nil
		}}
	line, _, _ := p.everywhere(t, k)
	fmt.Println(line)
	_, said := k.ends(1, "run", "../../examples/mnist#Pipeline", "--on", "kfp", "--kfp-version", "2.0", "--image", "registry.local/mnist:1")
	has(t, said, "KFP 2.0 has no final status; it came with 2.14", "KFP 2.0 has no output of a branch or of a pipeline called in a pipeline, as an input")
	_, said = k.ends(1, "run", "../../examples/mnist#Pipeline", "--on", "kfp", "--image", "registry.local/mnist:1")
	has(t, said, "KFP 2.0 has no final status; it came with 2.14")
}

// mnist runs all of examples/mnist: download, a sweep in a claim, evaluation, the server
// and a query through its Service, with the accuracies that it has here.
func (k onServer) mnist(data string) {
	t := k.t
	p := pipeline{name: "../../examples/mnist#Pipeline", kfp: []string{}, params: map[string]string{
		"source": "file://" + data, "storage_class": "host-path", "sweep": `[{"epochs": 1, "rate": 0.05}, {"epochs": 1, "rate": 0.2}]`, "threshold": "0.9",
	}, there: map[string]string{"source": "http://mirror.default"}}
	got := p.onKFP(t, k)
	if got.state != "SUCCEEDED" {
		t.Fatalf("on KFP it is %s: %s", got.state, got.log)
	}
	here := p.onLocal(t)
	if here.state != "SUCCEEDED" {
		t.Fatalf("here it is %s: %s", here.state, here.log)
	}
	accuracies := func(tasks []task) string {
		all := map[string]any{}
		for _, task := range tasks {
			if v, ok := task.Outputs["accuracy"]; ok && (task.Name == "evaluate" || task.Name == "query") {
				all[task.Name] = value(t, string(v))
			}
		}
		if len(all) != 2 {
			t.Errorf("%d of the accuracies of evaluate and query: %v", len(all), all)
		}
		b, err := json.Marshal(all)
		no(t, err)
		return string(b)
	}
	if a, b := accuracies(got.tasks), accuracies(here.tasks); a != b {
		t.Errorf("accuracies %s on KFP, %s here", a, b)
	} else {
		fmt.Println("mnist on KFP: accuracies", a, "of 10,000 and through the Service; here the same")
	}
}
