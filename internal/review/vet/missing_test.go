package vet_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
	"github.com/kfpgo/kfpgo/internal/review/vet"
)

// TestLacking: what the options of tasks name and nothing says is there is reported once;
// what the pipeline makes or takes as an input isn't.
func TestLacking(t *testing.T) {
	with := func(opts ...dsl.Option) func(*dsl.Scope, in) {
		return func(s *dsl.Scope, _ in) { job.Call(s, dsl.None{}, opts...) }
	}
	nested := dsl.Pipeline("nested", func(s *dsl.Scope, in struct{ Claim dsl.Param[string] }) dsl.None {
		job.Call(s, dsl.None{}, k8s.MountPVC(in.Claim, "/data"))
		return dsl.None{}
	})
	type nestedIn = struct{ Claim dsl.Param[string] }
	there := vet.Options{There: []vet.There{{Kind: "PersistentVolumeClaim", Name: "data"}, {Kind: "Secret", Name: "tokens"}}}
	for _, c := range []struct {
		name string
		o    vet.Options
		body func(*dsl.Scope, in)
		want []string
	}{
		{"a claim", vet.Options{}, with(k8s.MountPVC("data", "/data")), []string{"note: task job: it needs the claim data, which the pipeline neither makes nor takes as an input"}},
		{"a claim in several folders", vet.Options{}, with(k8s.MountPVC("data", "/a", k8s.SubPath("a")), k8s.MountPVC("data", "/b", k8s.SubPath("b"))), []string{"task job: it needs the claim data"}},
		{"a claim of several tasks", vet.Options{}, func(s *dsl.Scope, in in) {
			mount := k8s.MountPVC("data", "/data")
			job.Call(s, dsl.None{}, mount)
			dsl.If(s, dsl.True(in.Flag), func(s *dsl.Scope) { job.Call(s, dsl.None{}, mount) })
		}, []string{"task job: it needs the claim data"}},
		{"a claim in a branch", vet.Options{}, func(s *dsl.Scope, in in) {
			dsl.If(s, dsl.True(in.Flag), func(s *dsl.Scope) { job.Call(s, dsl.None{}, k8s.MountPVC("data", "/data")) })
		}, []string{"task condition-1/job: it needs the claim data"}},
		{"a constant for a pipeline in it", vet.Options{}, func(s *dsl.Scope, _ in) { nested.Call(s, nestedIn{Claim: dsl.Const("data")}) }, []string{"task nested/job: it needs the claim data"}},
		{"an input for a pipeline in it", vet.Options{}, func(s *dsl.Scope, in in) { nested.Call(s, nestedIn{Claim: in.Env}) }, nil},
		{"a secret for a variable", vet.Options{}, with(k8s.SecretEnv("TOKEN", "tokens", "hub")), []string{"it needs the secret tokens"}},
		{"a secret as files", vet.Options{}, with(k8s.SecretVolume("certs", "/certs")), []string{"it needs the secret certs"}},
		{"a secret for the registry", vet.Options{}, with(k8s.PullSecret("registry")), []string{"it needs the secret registry"}},
		{"optional secrets", vet.Options{}, with(k8s.SecretEnv("TOKEN", "tokens", "hub", k8s.Optional()), k8s.SecretVolume("certs", "/certs", k8s.Optional())), nil},
		{"a patch", vet.Options{}, with(pod.Patch(func(spec *corev1.PodSpec) {
			spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
			spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "registry"}}
		})), []string{"it needs the secret registry", "it needs the claim data"}},
		{"they are there", there, with(k8s.MountPVC("data", "/data"), k8s.SecretEnv("TOKEN", "tokens", "hub")), nil},
		{"others are there", there, with(k8s.MountPVC("other", "/data"), k8s.SecretEnv("TOKEN", "data", "hub")), []string{"it needs the claim other", "it needs the secret data"}},
		{"an input", vet.Options{}, func(s *dsl.Scope, in in) {
			job.Call(s, dsl.None{}, k8s.MountPVC(in.Env, "/data"), k8s.SecretEnv("TOKEN", in.Env, "hub"), k8s.SecretVolume(in.Env, "/certs"), k8s.PullSecret(in.Env))
		}, nil},
		{"a claim that is made", vet.Options{}, func(s *dsl.Scope, _ in) {
			made := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: dsl.Const("data"), Size: dsl.Const("1Gi")})
			job.Call(s, dsl.None{}, k8s.MountPVC("data", "/a"), dsl.After(made))
			job.Call(s, dsl.None{}, k8s.MountPVC(made.Out.Name, "/b"))
		}, nil},
		{"a claim of the run", vet.Options{}, func(s *dsl.Scope, _ in) {
			k8s.RunVolume(s, k8s.CreatePVCIn{Size: dsl.Const("1Gi")}, func(s *dsl.Scope, claim dsl.Param[string]) {
				job.Call(s, dsl.None{}, k8s.MountPVC(claim, "/data"))
			})
		}, nil},
	} {
		got := rulesIn(t, "missing", c.o, c.body)
		if len(got) != len(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
			continue
		}
		for i, w := range c.want {
			if !strings.Contains(got[i], w) {
				t.Errorf("%s: got %q, want %q", c.name, got[i], w)
			}
		}
	}
}
