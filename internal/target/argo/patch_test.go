package argo_test

import (
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

// patched has fields of pods that no option sets, beside options that make a
// patch too.
var patched = dsl.Pipeline("patched", func(s *dsl.Scope, in podsIn) dsl.None {
	podStep.Call(s, dsl.None{},
		dsl.CPU(in.Name), k8s.PullSecret("registry"), k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: k8s.Exists}),
		pod.Patch(func(spec *corev1.PodSpec) {
			spec.PriorityClassName = "urgent"
			spec.HostAliases = []corev1.HostAlias{{IP: "10.0.0.1", Hostnames: []string{"db"}}}
			spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "other"}}
			spec.Tolerations = []corev1.Toleration{{Key: "spot", Operator: corev1.TolerationOpExists}}
			spec.Volumes = []corev1.Volume{{Name: "nfs", VolumeSource: corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{Server: "files", Path: "/{{x}}"}}}}
			spec.InitContainers = []corev1.Container{{Name: "prepare", Image: "busybox:1", Command: []string{"sh", "-c", "echo {{x}} $(A) $$"}}}
			spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "nfs", MountPath: "/files"}}
			spec.Containers[0].Env = []corev1.EnvVar{{Name: "NODE", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu"}}}}
			spec.Containers = append(spec.Containers, corev1.Container{Name: "proxy", Image: "envoy:1", Command: []string{"envoy", "{{=1+1}}"}})
		}))
	return dsl.None{}
})

// TestPodPatch merges the patch into the pod as Argo does.
func TestPodPatch(t *testing.T) {
	w := workflow(t, patched, options)
	tpl := w.Spec.Templates[1]
	if len(tpl.Sidecars) != 1 || tpl.Sidecars[0].Name != "proxy" || len(tpl.InitContainers) != 1 || tpl.InitContainers[0].Name != "prepare" || len(tpl.Tolerations) != 2 {
		t.Errorf("template %+v", tpl)
	}
	sim := newSim(t, w, nil)
	inputs := map[string]string{}
	for _, p := range tpl.Inputs.Parameters {
		inputs[p.Name] = `"500m"`
	}
	full := sim.filled(&tpl, inputs)
	spec := corev1.PodSpec{
		Containers:     []corev1.Container{{Name: "wait", Image: "argoexec"}, *full.Container},
		InitContainers: []corev1.Container{{Name: "init", Image: "argoexec"}},
		Volumes:        []corev1.Volume{{Name: "var-run-argo"}},
		Tolerations:    full.Tolerations,
	}
	spec.Containers[1].Name = "main"
	for _, c := range full.Sidecars {
		spec.Containers = append(spec.Containers, c.Container)
	}
	for _, c := range full.InitContainers {
		spec.InitContainers = append(spec.InitContainers, c.Container)
	}
	before, _ := json.Marshal(spec)
	after, err := strategicpatch.StrategicMergePatch(before, []byte(full.PodSpecPatch), corev1.PodSpec{})
	if err != nil {
		t.Fatalf("%v: %s", err, full.PodSpecPatch)
	}
	var got corev1.PodSpec
	if err := json.Unmarshal(after, &got); err != nil {
		t.Fatal(err)
	}
	byName := func(list []corev1.Container, name string) corev1.Container {
		for _, c := range list {
			if c.Name == name {
				return c
			}
		}
		t.Errorf("no container %s", name)
		return corev1.Container{}
	}
	main := byName(got.Containers, "main")
	if got.PriorityClassName != "urgent" || len(got.Tolerations) != 2 || len(got.ImagePullSecrets) != 2 || len(got.Volumes) != 2 || len(got.HostAliases) != 1 ||
		main.Resources.Limits.Cpu().String() != "500m" || len(main.VolumeMounts) != 1 || len(main.Env) != 1 || main.Command[0] != "true" || len(got.Containers) != 3 {
		t.Errorf("pod %s", after)
	}
	// Texts of the patch are as they were written.
	if c := byName(got.InitContainers, "prepare"); strings.Join(c.Command, " ") != "sh -c echo {{x}} $(A) $$" || got.InitContainers[0].Name != "init" {
		t.Errorf("init containers %+v", got.InitContainers)
	}
	if c := byName(got.Containers, "proxy"); strings.Join(c.Command, " ") != "envoy {{=1+1}}" || c.Image != "envoy:1" {
		t.Errorf("sidecar %+v", c)
	}
}

// TestPodPatchClashes: two options that set one thing are told.
func TestPodPatchClashes(t *testing.T) {
	for want, opts := range map[string][]dsl.Option{
		"volume empty-dir-0 is one of another option": {k8s.EmptyDir("a", "/a"), pod.Patch(func(spec *corev1.PodSpec) { spec.Volumes = []corev1.Volume{{Name: "empty-dir-0"}} })},
		"container a is one of another option": {k8s.Sidecar(k8s.Container{Name: "a", Image: "x"}), pod.Patch(func(spec *corev1.PodSpec) {
			spec.InitContainers = []corev1.Container{{Name: "a", Image: "x"}}
		})},
	} {
		d := dsl.Pipeline("p", func(s *dsl.Scope, in podsIn) dsl.None {
			podStep.Call(s, dsl.None{}, opts...)
			return dsl.None{}
		})
		if _, err := argo.Write(lowered.Program(t, d), options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	d := dsl.Pipeline("p", func(s *dsl.Scope, in podsIn) dsl.None {
		podStep.Call(s, dsl.None{}, k8s.NodeSelectorJSON(in.Selector), pod.Patch(func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"a": "b"} }))
		return dsl.None{}
	})
	if _, err := argo.Write(lowered.Program(t, d), options); err == nil || !strings.Contains(err.Error(), "nodeSelector is set by another option of the task, to a value that is known only at run time") {
		t.Errorf("got %v", err)
	}
}
