package lower_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

type podIn struct {
	Name     dsl.Param[string]
	Selector dsl.Param[map[string]string]
}

var podStep = dsl.Func("pod-step", func(context.Context, dsl.None, *dsl.None) error { return nil })

// TestPod reports options of a task that don't go together, at its line.
func TestPod(t *testing.T) {
	beside := func(name, volume string) dsl.Option {
		return k8s.Sidecar(k8s.Container{Name: name, Image: "x", Mounts: []k8s.VolumeMount{{Name: volume, Path: "/x"}}})
	}
	for _, tt := range []struct {
		options func(in podIn) []dsl.Option
		want    string // "" if they do
	}{
		{func(in podIn) []dsl.Option {
			return []dsl.Option{k8s.NodeSelector("a", "b"), k8s.NodeSelectorJSON(in.Selector)}
		}, "both k8s.NodeSelector and k8s.NodeSelectorJSON, which is the whole selector; use one"},
		{func(in podIn) []dsl.Option {
			return []dsl.Option{k8s.EmptyDir("a", "/a"), k8s.SecretVolume(in.Name, "/a")}
		}, "the EmptyDir a and the secret  are both mounted at /a"},
		{func(podIn) []dsl.Option {
			return []dsl.Option{k8s.EmptyDir("a", "/a"), k8s.EphemeralVolume("a", "/b", k8s.Claim{Size: "1Gi"})}
		}, "two volumes are named a"},
		{func(in podIn) []dsl.Option {
			return []dsl.Option{k8s.MountPVC(in.Name, "/p"), beside("proxy", "shared")}
		}, "container proxy mounts the volume shared, which the task doesn't have; mount it in the task too"},
		{func(podIn) []dsl.Option {
			return []dsl.Option{k8s.EmptyDir("a", "/a"), beside("proxy", "a"), beside("proxy", "a")}
		}, "two containers are named proxy"},
		{func(podIn) []dsl.Option {
			return []dsl.Option{
				k8s.MountPVC("p", "/p"), k8s.MountPVC("p", "/q"), k8s.SecretVolume("s", "/s"), k8s.ConfigMapVolume("c", "/c"),
				beside("a", "p"), beside("b", "s"), beside("c", "c"),
			}
		}, ""},
	} {
		p := dsl.Pipeline("pod", func(s *dsl.Scope, in podIn) dsl.None {
			podStep.Call(s, dsl.None{}, tt.options(in)...)
			return dsl.None{}
		})
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		g := recorded.Graph(p)
		_, err := lower.Lower(g, g.Component(1))
		switch {
		case tt.want == "" && err != nil:
			t.Error(err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "pod_test.go:")):
			t.Errorf("no %q in %v", tt.want, err)
		}
	}
}
