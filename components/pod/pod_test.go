package pod_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/kfpgo/kfpgo/components/pod"
)

// TestPatch: lists whose elements can be told apart are merged, as Kubernetes does, so
// that a patch never takes away what a spec says; nor does it change the spec or itself.
func TestPatch(t *testing.T) {
	patch := map[string]any{
		"containers": []any{
			map[string]any{"name": "main", "securityContext": map[string]any{"runAsUser": 0}, "env": []any{map[string]any{"name": "B", "value": "2"}}},
			map[string]any{"name": "proxy", "image": "proxy:1"},
		},
		"volumes":      []map[string]any{{"name": "socket", "emptyDir": map[string]any{}}},
		"tolerations":  []any{map[string]any{"key": "spot", "operator": "Exists"}},
		"nodeSelector": map[string]any{"zone": "a"},
		"priority":     7,
	}
	before, _ := json.Marshal(patch)
	s := pod.Spec{
		Image: "train:3", Env: map[string]string{"A": "1"}, Mounts: []pod.Mount{pod.Claim("data", "/data")},
		Tolerate: []string{"gpu"}, NodeSelector: map[string]string{"gpu": "a100"}, Patch: patch,
	}
	if msgs := s.Check(); msgs != nil {
		t.Errorf("it is wrong: %q", msgs)
	}
	want := `{"spec":{"containers":[` +
		`{"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],"image":"train:3","name":"main","securityContext":{"runAsUser":0},"volumeMounts":[{"mountPath":"/data","name":"volume-1"}]},` +
		`{"image":"proxy:1","name":"proxy"}],` +
		`"nodeSelector":{"gpu":"a100","zone":"a"},"priority":7,"restartPolicy":"Never",` +
		`"tolerations":[{"key":"gpu","operator":"Exists"},{"key":"spot","operator":"Exists"}],` +
		`"volumes":[{"name":"volume-1","persistentVolumeClaim":{"claimName":"data"}},{"emptyDir":{},"name":"socket"}]}}`
	for range 2 {
		got, err := json.Marshal(s.Template("main", "Never"))
		if err != nil || string(got) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
	if after, _ := json.Marshal(patch); string(after) != string(before) || !maps.Equal(s.NodeSelector, map[string]string{"gpu": "a100"}) {
		t.Errorf("the patch was changed to %s", after)
	}
}

// TestTolerated: a pod that asks for a GPU tolerates the taint of its nodes, unless it
// says what it tolerates, which may be nothing: also after it was JSON.
func TestTolerated(t *testing.T) {
	for _, tt := range []struct {
		name string
		spec pod.Spec
		want string
	}{
		{"no GPU", pod.Spec{}, `null`},
		{"a GPU", pod.Spec{GPUs: 1}, `[{"key":"nvidia.com/gpu","operator":"Exists"}]`},
		{"another GPU", pod.Spec{GPUs: 2, GPU: "amd.com/gpu"}, `[{"key":"amd.com/gpu","operator":"Exists"}]`},
		{"others", pod.Spec{GPUs: 1, Tolerate: []string{"spot"}}, `[{"key":"spot","operator":"Exists"}]`},
		{"none", pod.Spec{GPUs: 1, Tolerate: []string{}}, `null`},
	} {
		var spec pod.Spec
		b, err := json.Marshal(tt.spec)
		if err == nil {
			err = json.Unmarshal(b, &spec)
		}
		got, _ := json.Marshal(spec.Template("main", "Never")["spec"].(map[string]any)["tolerations"])
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}
