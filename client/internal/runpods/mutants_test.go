package runpods

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// answers is a cluster that says one thing.
type answers struct{ text []byte }

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(string(a.text))), Request: r}, nil
}

// TestMutants: any list of pods or events is read for what it says, or is an error.
func TestMutants(t *testing.T) {
	a := &answers{}
	run := &Run{API: &kubeapi.Client{Base: "http://cluster", HTTP: &http.Client{Transport: a}}}
	read := func(b []byte) []*Pod {
		a.text = b
		pods, err := run.list(t.Context())
		if err != nil {
			pods = []*Pod{{Pod: client.Pod{Name: "p"}}}
		}
		_ = run.describe(t.Context(), pods)
		return pods
	}
	const good = `{"kind": "List", "apiVersion": "v1", "items": [{"metadata": {"name": "p", "labels": {"a": "b"}, "annotations": {"a": "b"}, "creationTimestamp": "2026-01-01T00:00:00Z"},
		"involvedObject": {"kind": "Pod", "name": "p"}, "type": "Warning", "reason": "r", "message": "m", "count": 2, "lastTimestamp": "2026-01-01T00:00:00Z", "eventTime": null,
		"spec": {"nodeName": "n", "containers": [{"name": "main"}]}, "status": {"phase": "Pending", "reason": "r", "message": "m", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "r", "message": "m"}],
		"containerStatuses": [{"name": "main", "state": {"waiting": {"reason": "r", "message": "m"}, "terminated": {"reason": "r", "message": "m", "exitCode": 1}}}], "initContainerStatuses": [{"name": "init"}]}}]}`
	if pods := read([]byte(good)); len(pods) != 1 || len(pods[0].Events) != 1 || len(pods[0].Waits) != 2 {
		t.Errorf("%+v", pods[0])
	}
	mutants.Each(t, []byte(good), func(bad []byte) { read(bad) })
}
