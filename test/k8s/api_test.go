package k8s

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// client talks to the API of the cluster that is up, through the socket that it has
// in its folder: its own address is known in its network namespace only.
var client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 20,
	DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		root, err := os.ReadFile("/run/kfpgo-e2e.root")
		if err != nil {
			return nil, fmt.Errorf("no cluster is up: %w", err)
		}
		return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(strings.TrimSpace(string(root)), "api.sock"))
	}}}

const (
	workflows = "/apis/argoproj.io/v1alpha1/namespaces/default/workflows"
	pods      = "/api/v1/namespaces/default/pods"
	node      = "/api/v1/nodes/node1"
)

// try calls the API. The body is JSON, or a patch of the kind that is named.
func try(method, path, kind string, body []byte) ([]byte, error) {
	req, err := http.NewRequest(method, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if kind == "" {
		kind = "application/json"
	}
	req.Header.Set("Content-Type", kind)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, b)
	}
	return b, err
}

func call(t testing.TB, method, path, kind string, body []byte) []byte {
	t.Helper()
	b, err := try(method, path, kind, body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// get reads an object, and tries again while the server is busy.
func get(t testing.TB, path string, into any) {
	t.Helper()
	var b []byte
	var err error
	for range 5 {
		if b, err = try(http.MethodGet, path, "", nil); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A workflow is what Argo says of one.
type workflow struct {
	Metadata struct{ Name string }
	Status   struct {
		Phase, Message, FinishedAt string
		Nodes                      map[string]struct {
			ID, DisplayName, TemplateName, Type, Phase, Message string
			Outputs                                             struct {
				Parameters []struct{ Name, Value string }
			}
		}
	}
}

// patience is how long a Workflow may take.
const patience = 6 * time.Minute

// await polls a Workflow until it is as wanted, or has ended.
func await(t testing.TB, name string, wanted func(*workflow) bool) *workflow {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Second) {
		var wf workflow
		get(t, workflows+"/"+name, &wf)
		if wf.Status.FinishedAt != "" || wanted != nil && wanted(&wf) {
			return &wf
		}
		if time.Now().After(end) {
			t.Fatalf("%s is still %s after %v\n%s", name, wf.Status.Phase, patience, wf.why(t))
		}
	}
}

// outcome returns the state in KFP's words, and the outputs of the root's template.
func (w *workflow) outcome(t testing.TB) outcome {
	got := outcome{state: map[string]string{"Succeeded": "SUCCEEDED", "Failed": "FAILED", "Error": "FAILED"}[w.Status.Phase], outputs: map[string]any{}, ended: map[string]string{}}
	for _, n := range w.Status.Nodes {
		if n.Type == "Pod" || n.Type == "Skipped" {
			got.ended[n.DisplayName] = strings.ToUpper(n.Phase)
		}
	}
	for _, p := range w.Status.Nodes[w.Metadata.Name].Outputs.Parameters {
		if p.Value != "null" {
			got.outputs[p.Name] = value(t, p.Value)
		}
	}
	if got.state != "SUCCEEDED" {
		got.log = w.why(t)
	}
	return got
}

// why returns the messages and the last lines of what hasn't succeeded.
func (w *workflow) why(t testing.TB) string {
	text := w.Status.Phase + " " + w.Status.Message
	for _, n := range w.Status.Nodes {
		if n.Type != "Pod" && !strings.HasPrefix(n.Phase, "E") || n.Phase == "Succeeded" || n.Phase == "Omitted" {
			continue
		}
		text += fmt.Sprintf("\n%s %s: %s", n.DisplayName, n.Phase, n.Message)
		if n.Type == "Pod" {
			log, _ := try(http.MethodGet, pods+"/"+podName(w.Metadata.Name, n.TemplateName, n.ID)+"/log?container=main&tailLines=10", "", nil)
			text += "\n" + string(log)
		}
	}
	return text
}

// podName is the name that Argo gives the pod of a node.
func podName(workflow, template, id string) string {
	return workflow + "-" + template + "-" + id[strings.LastIndexByte(id, '-')+1:]
}
