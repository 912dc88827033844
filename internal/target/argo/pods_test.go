package argo_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type podsIn struct {
	Name       dsl.Param[string]
	Selector   dsl.Param[map[string]string]
	Toleration dsl.Param[map[string]any]
	Many       dsl.Param[[]map[string]any] `kfp:",optional"`
	Affinity   dsl.Param[map[string]any]
	N          dsl.Param[int]
}

var podStep = dsl.Container("pod-step", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"true"}}
})

// pods has all options of package k8s, and several kinds of device.
var pods = dsl.Pipeline("pods", func(s *dsl.Scope, in podsIn) dsl.None {
	podStep.Call(s, dsl.None{},
		dsl.Env("FIRST", "1"), k8s.SecretEnv("A", "creds", "a"), k8s.SecretEnv("B", in.Name, "b", k8s.Optional()),
		k8s.ConfigMapEnv("C", "settings", "c", k8s.Optional()), k8s.FieldEnv("POD", "metadata.name"),
		k8s.SecretVolume("certs", "/certs"), k8s.SecretVolume(in.Name, "/more", k8s.Optional()), k8s.ConfigMapVolume(in.Name, "/files"),
		k8s.EmptyDir("scratch", "/scratch", k8s.SizeLimit("1Gi")), k8s.EmptyDir("mem", "/mem", k8s.InMemory()), k8s.SharedMemory("2Gi"),
		k8s.MountPVC("data", "/data"), k8s.MountPVC("data", "/sub", k8s.SubPath("x")), k8s.MountPVC(in.Name, "/claim"),
		k8s.EphemeralVolume("big", "/big", k8s.Claim{Size: "100Gi", StorageClass: new("fast"), Labels: map[string]string{"a": "b"}}),
		k8s.PullSecret("registry"), k8s.PullSecret(in.Name), k8s.Pull(k8s.PullIfNotPresent),
		k8s.RunAsUser(1000), k8s.RunAsNonRoot(true), dsl.Timeout(time.Minute))
	podStep.Call(s, dsl.None{},
		k8s.NodeSelector("disk", "ssd"),
		k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "disk", Operator: k8s.In, Values: []string{"ssd"}}}}),
		k8s.NodeAffinity(k8s.NodeTerm{Fields: []k8s.Requirement{{Key: "metadata.name", Operator: k8s.NotIn, Values: []string{"n1"}}}, Weight: 5}),
		k8s.PodAffinity(k8s.PodTerm{TopologyKey: "zone", Labels: map[string]string{"app": "db"}, Weight: 1}),
		k8s.PodAntiAffinity(k8s.PodTerm{TopologyKey: "kubernetes.io/hostname", Expressions: []k8s.Requirement{{Key: "app", Operator: k8s.Exists}}}),
		k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: k8s.Exists}),
		k8s.TolerationJSON(dsl.Const([]map[string]any{{"key": "a", "effect": "NoExecute", "tolerationSeconds": 5}})),
		dsl.Accelerator("tencent.com/vcuda-core", 50), dsl.Accelerator("tencent.com/vcuda-memory", in.N))
	podStep.Call(s, dsl.None{},
		k8s.NodeSelectorJSON(in.Selector), k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: k8s.Exists}),
		k8s.TolerationJSON(in.Toleration), k8s.TolerationJSON(in.Many), k8s.NodeAffinityJSON(in.Affinity), dsl.Accelerator(in.Name, in.N))
	return dsl.None{}
})

// beside has an init container and a sidecar, which share volumes with the step.
var beside = dsl.Pipeline("beside", func(s *dsl.Scope, _ dsl.None) dsl.None {
	podStep.Call(s, dsl.None{}, k8s.EmptyDir("shared", "/shared"), k8s.MountPVC("models", "/models"),
		k8s.InitContainer(k8s.Container{
			Name: "prepare", Image: "busybox:1", Command: []string{"sh", "-c"}, Args: []string{"echo $(TEXT) '{{x}}' > /data/ready"},
			Env:    []k8s.EnvVar{{Name: "TEXT", Value: "yes"}},
			Mounts: []k8s.VolumeMount{{Name: "shared", Path: "/data"}, {Name: "models", Path: "/models"}},
		}),
		k8s.Sidecar(k8s.Container{
			Name: "proxy", Image: "envoy:1", Limits: map[string]string{"memory": "128Mi"}, Requests: map[string]string{"cpu": "100m"},
			Mounts: []k8s.VolumeMount{{Name: "shared", Path: "/shared"}},
		}))
	return dsl.None{}
})

// TestSidecarMount: a sidecar with a volume mount has it, and the volume is declared.
//
// Reported as hera#930.
func TestSidecarMount(t *testing.T) {
	b, err := argo.Write(lowered.Program(t, beside), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, tpl := range strict(t, b).Spec.Templates {
		if tpl.Container == nil {
			continue
		}
		volumes := map[string]bool{}
		for _, v := range tpl.Volumes {
			volumes[v.Name] = v.EmptyDir != nil || v.PersistentVolumeClaim != nil
		}
		if len(tpl.InitContainers) != 2 {
			t.Fatalf("%d init containers", len(tpl.InitContainers))
		}
		for i, mounts := range []int{2, 1} {
			c := tpl.InitContainers[i]
			if len(c.VolumeMounts) != mounts {
				t.Errorf("%s has the mounts %v", c.Name, c.VolumeMounts)
			}
			for _, m := range c.VolumeMounts {
				if !volumes[m.Name] {
					t.Errorf("%s mounts %s, which the template doesn't declare", c.Name, m.Name)
				}
			}
			if sidecar := c.RestartPolicy != nil && *c.RestartPolicy == "Always"; sidecar != (c.Name == "proxy") {
				t.Errorf("%s: restart policy %v", c.Name, c.RestartPolicy)
			}
		}
	}
}

// TestPatch evaluates the patch of a pod whose placement only the run knows.
func TestPatch(t *testing.T) {
	b, err := argo.Write(lowered.Program(t, pods), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		many string
		want int // tolerations
	}{{"null", 2}, {"[]", 2}, {`[{"key":"m1"},{"key":"m2","tolerationSeconds":300}]`, 4}} {
		w := strict(t, b)
		sim := newSim(t, w, nil)
		for _, tpl := range w.Spec.Templates {
			if !strings.Contains(tpl.PodSpecPatch, "tolerations") {
				continue
			}
			inputs := map[string]string{}
			for _, p := range tpl.Inputs.Parameters {
				switch {
				case strings.HasPrefix(p.Name, "kfpgo-node-selector"):
					inputs[p.Name] = `{"disk":"it's {\u007b ssd"}`
				case p.Name == "kfpgo-toleration-1":
					inputs[p.Name] = `{"key":"one","operator":"Exists"}`
				case p.Name == "kfpgo-toleration-2":
					inputs[p.Name] = tt.many
				case p.Name == "kfpgo-node-affinity":
					inputs[p.Name] = `{"preferredDuringSchedulingIgnoredDuringExecution":[]}`
				default:
					inputs[p.Name] = `"x.com/y"`
				}
			}
			var spec struct {
				NodeSelector map[string]string
				Tolerations  []map[string]any
				Affinity     struct{ NodeAffinity map[string]any }
				Containers   []struct {
					Resources struct{ Limits map[string]string }
				}
			}
			text := sim.filled(&tpl, inputs).PodSpecPatch
			if err := json.Unmarshal([]byte(text), &spec); err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if len(spec.Tolerations) != tt.want || spec.NodeSelector["disk"] != "it's {{ ssd" || len(spec.Affinity.NodeAffinity) != 1 || spec.Containers[0].Resources.Limits["x.com/y"] == "" {
				t.Errorf("%s: %s", tt.many, text)
			}
		}
	}
}
