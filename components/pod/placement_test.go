package pod_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/components/kaniko"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

// where sets all that a placement has, for tasks: they take affinity to nodes only.
var where = pod.Placement{
	CPU: "4", Memory: "8Gi", GPUs: 2, NodeSelector: map[string]string{"accelerator": "t4", "zone": "a"},
	Affinity: map[string]any{"nodeAffinity": map[string]any{"preferredDuringSchedulingIgnoredDuringExecution": []any{
		map[string]any{"weight": 1, "preference": map[string]any{"matchExpressions": []any{map[string]any{"key": "spot", "operator": "DoesNotExist"}}}},
	}}},
}

// placed is tasks that are pods themselves.
var placed = dsl.Pipeline("placed", func(s *dsl.Scope, in struct {
	Context dsl.Param[string]
}) dsl.None {
	gpucheck.Check.Call(s, gpucheck.In{}, where.Option())
	kaniko.Build.Call(s, kaniko.In{Context: dsl.Import[dsl.Any](s, in.Context), Destination: dsl.Const("ghcr.io/acme/train:4")},
		pod.Placement{Memory: "4Gi", Tolerate: []string{"builds"}}.Option())
	return dsl.None{}
})

func TestOption(t *testing.T) { tried.Compiled(t, placed) }

// TestOver: what is set replaces that of a spec, and the rest stays; a spec is placed as
// the same placement says to a server.
func TestOver(t *testing.T) {
	spec := pod.Spec{Image: "x", CPU: "1", Memory: "2Gi", GPUs: 1, GPU: "amd.com/gpu", NodeSelector: map[string]string{"a": "b"}, Tolerate: []string{"c"}}
	for _, tt := range []struct {
		name string
		p    pod.Placement
		want string
	}{
		{"nothing", pod.Placement{}, `{"cpu":"1","memory":"2Gi","gpus":1,"gpu":"amd.com/gpu","nodeSelector":{"a":"b"},"tolerate":["c"]}`},
		{"memory", pod.Placement{Memory: "4Gi"}, `{"cpu":"1","memory":"4Gi","gpus":1,"gpu":"amd.com/gpu","nodeSelector":{"a":"b"},"tolerate":["c"]}`},
		{"GPUs of the usual kind", pod.Placement{GPUs: 2}, `{"cpu":"1","memory":"2Gi","gpus":2,"nodeSelector":{"a":"b"},"tolerate":["c"]}`},
		{"nothing is tolerated", pod.Placement{Tolerate: []string{}}, `{"cpu":"1","memory":"2Gi","gpus":1,"gpu":"amd.com/gpu","nodeSelector":{"a":"b"},"tolerate":[]}`},
		{"all", where, ""},
	} {
		s := tt.p.Over(spec)
		got, _ := json.Marshal(pod.Placement{CPU: s.CPU, Memory: s.Memory, GPUs: s.GPUs, GPU: s.GPU, NodeSelector: s.NodeSelector, Tolerate: s.Tolerate, Affinity: s.Affinity})
		if tt.name == "all" {
			all := where
			all.Tolerate = []string{"c"} // which it leaves as it is
			b, _ := json.Marshal(all)
			tt.want = string(b)
		}
		if string(got) != tt.want || s.Image != "x" {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	s := where.Over(pod.Spec{Image: "x"})
	template := s.Template("main", "Never")["spec"].(map[string]any)
	for field, want := range where.Fields() {
		if got, want := marshal(template[field]), marshal(want); got != want {
			t.Errorf("%s: a spec has %s, and a server %s", field, got, want)
		}
	}
	if got, want := marshal(s.Resources()), marshal(where.Resources()); got != want {
		t.Errorf("a spec has %s, and a server %s", got, want)
	}
}

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// TestRole: a role replaces what it sets and merges its patch; neither changes what they
// are made of. A patch about containers of other roles adds none of them.
func TestRole(t *testing.T) {
	chief := map[string]any{"name": "chief", "securityContext": map[string]any{"runAsUser": 0}}
	base := pod.Spec{Image: "train:3", CPU: "2", Patch: map[string]any{
		"containers": []any{chief, map[string]any{"name": "proxy", "image": "proxy:1"}}, "priorityClassName": "low",
	}}
	role := pod.Role{
		Placement: pod.Placement{GPUs: 1}, Image: "serve:1", Ports: map[string]int{"tf": 2222},
		Patch: map[string]any{"containers": []any{map[string]any{"name": "proxy", "args": []any{"-v"}}}, "priorityClassName": "high"},
	}
	before := marshal(base) + marshal(role)
	for _, tt := range []struct {
		name, container string
		spec            pod.Spec
		want            string
	}{
		{"the spec", "chief", base.Without("worker"), `{"containers":[` +
			`{"image":"train:3","name":"chief","resources":{"limits":{"cpu":"2"},"requests":{"cpu":"2"}},"securityContext":{"runAsUser":0}},` +
			`{"image":"proxy:1","name":"proxy"}],"priorityClassName":"low"}`},
		{"a role", "worker", role.Over(base).Without("chief"), `{"containers":[` +
			`{"image":"serve:1","name":"worker","ports":[{"containerPort":2222,"name":"tf"}],"resources":{"limits":{"cpu":"2","nvidia.com/gpu":"1"},"requests":{"cpu":"2","nvidia.com/gpu":"1"}}},` +
			`{"args":["-v"],"image":"proxy:1","name":"proxy"}],"priorityClassName":"high","tolerations":[{"key":"nvidia.com/gpu","operator":"Exists"}]}`},
		{"nothing is left", "main", pod.Spec{Image: "x", Patch: map[string]any{"containers": []any{maps.Clone(chief)}}}.Without("chief"), `{"containers":[{"image":"x","name":"main"}]}`},
	} {
		for range 2 {
			if got := marshal(tt.spec.Template(tt.container, "")["spec"]); got != tt.want {
				t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
			}
		}
	}
	if after := marshal(base) + marshal(role); after != before {
		t.Errorf("they were changed to %s", after)
	}
}
