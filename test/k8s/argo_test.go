package k8s

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// onArgo submits a pipeline and waits for its end.
func onArgo(t *testing.T, kfpgo string, p pipeline) outcome {
	image := "registry.local/suite:1"
	if strings.Contains(p.name, "calc#") {
		image = "registry.local/calc:1"
	}
	if p.name == "Volume" {
		image = "registry.local/root:1"
	}
	args := []string{"compile", p.ref(), "-t", "argo", "--image", image}
	switch p.name {
	case "Volume", "Object":
		args = append(args, "--service-account", strings.ToLower(p.name))
	}
	w := map[string]any{}
	if err := yaml.Unmarshal([]byte(command(t, "", kfpgo, args...)), &w); err != nil {
		t.Fatal(err)
	}
	submit(t, w, p.params)
	b, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSpace(command(t, string(b), "./cluster", "k", "create", "-f", "-", "-o", "jsonpath={.metadata.name}"))
	var wf workflow
	for end := time.Now().Add(patience); ; time.Sleep(time.Second) {
		out := command(t, "", "./cluster", "k", "get", "workflow", name, "-o", "json")
		wf = workflow{}
		if err := json.Unmarshal([]byte(out), &wf); err != nil {
			t.Fatal(err)
		}
		if wf.Status.FinishedAt != "" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %s is still %s after %v\n%s", p, name, wf.Status.Phase, patience, out)
		}
	}
	return wf.outcome(t, name)
}

// submit sets the arguments of a Workflow, as argo submit -p does.
func submit(t *testing.T, w map[string]any, params map[string]string) {
	t.Helper()
	spec := w["spec"].(map[string]any)
	arguments, _ := spec["arguments"].(map[string]any)
	all, _ := arguments["parameters"].([]any)
	for name, v := range params {
		found := false
		for _, a := range all {
			if a := a.(map[string]any); a["name"] == name {
				found = true
				if a["value"] == "null" { // an optional input is JSON
					v = quote(v)
				}
				a["value"] = v
			}
		}
		if !found {
			t.Fatalf("the Workflow has no parameter %s", name)
		}
	}
}

type workflow struct {
	Status struct {
		Phase, Message, FinishedAt string
		Nodes                      map[string]struct {
			DisplayName, Type, Phase, Message string
			Outputs                           struct {
				Parameters []struct{ Name, Value string }
			}
		}
	}
}

// outcome returns the state in KFP's words, and the outputs of the root's template.
func (w workflow) outcome(t *testing.T, name string) outcome {
	got := outcome{state: map[string]string{"Succeeded": "SUCCEEDED", "Failed": "FAILED"}[w.Status.Phase], outputs: map[string]any{}}
	if got.state == "" {
		got.state = w.Status.Phase
	}
	for _, p := range w.Status.Nodes[name].Outputs.Parameters {
		if p.Value != "null" {
			got.outputs[p.Name] = value(t, p.Value)
		}
	}
	got.log = w.Status.Message
	for _, n := range w.Status.Nodes {
		if n.Type == "Pod" && n.Phase != "Succeeded" {
			got.log += fmt.Sprintf("\n%s %s: %s", n.DisplayName, n.Phase, n.Message)
		}
	}
	if got.state != "SUCCEEDED" {
		logs, _ := exec.Command("./cluster", "k", "logs", "--prefix", "--tail=20", "-c", "main", "-l", "workflows.argoproj.io/workflow="+name).CombinedOutput()
		got.log += "\n" + string(logs)
	}
	return got
}
