package argo_test

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	argodsl "github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

// shown has an option for each setting of a task.
var shown = map[string]dsl.Option{
	"Image": dsl.Image("busybox:2"), "CPULimit": dsl.CPU("1"), "CPURequest": dsl.CPURequest("1"), "MemoryLimit": dsl.Memory("1Gi"), "MemoryRequest": dsl.MemoryRequest("1Gi"),
	"Accelerators": dsl.GPU(1), "Env": dsl.Env("A", "b"), "TimeoutSecs": dsl.Timeout(time.Minute), "Retry": dsl.Retry(2), "NoCache": dsl.NoCache(), "CacheKey": dsl.CacheKey("a"),
	"NodeSelector": k8s.NodeSelector("a", "b"), "NodeSelectorJSON": k8s.NodeSelectorJSON(dsl.Const(map[string]string{"a": "b"})),
	"NodeAffinity": k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "a", Operator: k8s.Exists}}}),
	"PodAffinity":  k8s.PodAffinity(k8s.PodTerm{TopologyKey: "zone", Labels: map[string]string{"a": "b"}}),
	"Tolerations":  k8s.Tolerate(k8s.Toleration{Key: "a", Operator: k8s.Exists}),
	"PVCMounts":    k8s.MountPVC("claim", "/data"), "EphemeralVolumes": k8s.EphemeralVolume("v", "/v", k8s.Claim{Size: "1Gi"}),
	"EmptyDirs": k8s.EmptyDir("e", "/e"), "SharedMemory": k8s.SharedMemory("1Gi"),
	"SecretEnv": k8s.SecretEnv("A", "s", "k"), "SecretVolumes": k8s.SecretVolume("s", "/s"), "ConfigMapEnv": k8s.ConfigMapEnv("A", "c", "k"), "ConfigMapVolumes": k8s.ConfigMapVolume("c", "/c"),
	"FieldEnv": k8s.FieldEnv("A", "metadata.name"), "Labels": k8s.Label("a", "b"), "Annotations": k8s.Annotation("a", "b"),
	"PullSecrets": k8s.PullSecret("s"), "PullPolicy": k8s.Pull(k8s.PullAlways), "SecurityContext": k8s.RunAsUser(1),
	"HostAliases": k8s.HostAliases("10.1.2.3", "db"),
	"Mutexes":     argodsl.Mutex("m"), "Semaphores": argodsl.Semaphore("c", "k"), "DatabaseSemaphores": argodsl.DatabaseSemaphore("k"),
	"InitContainers": k8s.InitContainer(k8s.Container{Name: "i", Image: "busybox:1"}),
	"PodPatch":       pod.Patch(func(spec *corev1.PodSpec) { spec.HostNetwork = true }),
}

// TestOptions: each setting that a task can have changes what is written, or is an
// error. None is dropped.
func TestOptions(t *testing.T) {
	write := func(opts ...dsl.Option) ([]byte, error) {
		d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
			kept.Call(s, keptIn{Text: in.Text}, opts...)
			return dsl.None{}
		}, argodsl.Config{CacheFor: time.Hour})
		return argo.Write(lowered.Program(t, d), options)
	}
	base, err := write()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[program.Settings]()) {
		if f.Anonymous || f.Name == "Store" { // of imports: see TestStores
			continue
		}
		option, ok := shown[f.Name]
		if !ok {
			t.Errorf("no option here sets program.Settings.%s", f.Name)
			continue
		}
		if got, err := write(option); err == nil && bytes.Equal(got, base) {
			t.Errorf("%s is dropped", f.Name)
		}
	}
}

// configs are the options of a pipeline as a whole.
type configs struct {
	dsl.Config
	Argo argodsl.Config
}

// TestConfigOptions is TestOptions for the pipeline as a whole.
func TestConfigOptions(t *testing.T) {
	write := func(c configs) ([]byte, error) {
		d := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
			podStep.Call(s, dsl.None{})
			kept.Call(s, keptIn{Text: in.Text})
			return dsl.None{}
		}, c.Config, c.Argo)
		return argo.Write(lowered.Program(t, d), options)
	}
	base, err := write(configs{})
	if err != nil {
		t.Fatal(err)
	}
	var set func(at string, v reflect.Value, c *configs)
	set = func(at string, v reflect.Value, c *configs) {
		for i := range v.NumField() {
			name, f := at+v.Type().Field(i).Name, v.Field(i)
			old := reflect.ValueOf(f.Interface())
			switch x := f.Addr().Interface().(type) {
			case *string:
				*x = "s3-bucket"
			case *bool:
				*x = true
			case *int:
				*x = 3
			case *time.Duration:
				*x = time.Minute
			case *argodsl.PodGC:
				*x = argodsl.PodGCOnPodSuccess
			case *argodsl.ArtifactGC:
				*x = argodsl.ArtifactGCOnWorkflowDeletion
			case *argodsl.ConfigKey:
				*x = argodsl.ConfigKey{ConfigMap: "limits", Key: "runs"}
			case *dsl.Workspace:
				*x = dsl.Workspace{Size: "1Gi"}
			case *dsl.Config:
				set("", f, c)
				continue
			case *argodsl.Config:
				set(name+".", f, c)
				continue
			default:
				t.Errorf("%s: a field of a type that this test has no value for", name)
			}
			if name == "Argo.PodGCDelay" {
				c.Argo.PodGC = argodsl.PodGCOnPodSuccess
			}
			if name == "Argo.LockDatabase" {
				c.Argo.Mutex = "m"
			}
			// These options have an artifact root, which is used in place of a Root, and no
			// step here works on objects.
			if got, err := write(*c); err == nil && bytes.Equal(got, base) && name != "Root" && name != "Argo.ObjectServiceAccount" {
				t.Errorf("%s is dropped", name)
			}
			f.Set(old)
			c.Argo.PodGC, c.Argo.Mutex = "", ""
		}
	}
	var c configs
	set("", reflect.ValueOf(&c).Elem(), &c)
}
