package kfp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/feature"
)

type serverIn struct {
	Text   dsl.Param[string]
	N      dsl.Param[int]
	Object dsl.Param[map[string]string]
}

var onServer = dsl.Container("on-server", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"true"}}
})

// compiled returns the IR of a task with options, for a server; "" is the newest.
func compiled(version string, options func(in serverIn) []dsl.Option) (string, error) {
	p := dsl.Pipeline("server", func(s *dsl.Scope, in serverIn) dsl.None {
		onServer.Call(s, dsl.None{}, options(in)...)
		return dsl.None{}
	})
	b, err := compiler.Compile(p, compiler.KFP, compiler.KFPVersion(version))
	return string(b), err
}

// TestServers compiles each option that is younger than KFP 2.0 for all servers:
// before its own version it is refused by name, and what is written never has a
// field that the server doesn't know.
func TestServers(t *testing.T) {
	requirement := []k8s.Requirement{{Key: "a", Operator: k8s.Exists}}
	tests := []struct {
		since  int
		option func(in serverIn) dsl.Option
		name   string // in the refusal
	}{
		{0, func(serverIn) dsl.Option { return k8s.SecretEnv("A", "s", "k") }, ""},
		{15, func(serverIn) dsl.Option { return k8s.SecretEnv("A", "s", "k", k8s.Optional()) }, "k8s.Optional of a variable"},
		{5, func(in serverIn) dsl.Option { return k8s.SecretEnv("A", in.Text, "k") }, "name of a secret or config map of a reference"},
		{0, func(serverIn) dsl.Option { return k8s.SecretVolume("s", "/s") }, ""},
		{2, func(serverIn) dsl.Option { return k8s.SecretVolume("s", "/s", k8s.Optional()) }, "k8s.Optional of a volume"},
		{2, func(serverIn) dsl.Option { return k8s.ConfigMapEnv("A", "s", "k") }, "k8s.ConfigMapEnv"},
		{2, func(serverIn) dsl.Option { return k8s.ConfigMapVolume("s", "/s") }, "k8s.ConfigMapVolume"},
		{5, func(in serverIn) dsl.Option { return k8s.ConfigMapVolume(in.Text, "/s") }, "name of a secret or config map of a reference"},
		{2, func(serverIn) dsl.Option { return k8s.FieldEnv("A", "metadata.name") }, "k8s.FieldEnv"},
		{0, func(in serverIn) dsl.Option { return k8s.MountPVC(in.Text, "/p") }, ""},
		{16, func(serverIn) dsl.Option { return k8s.MountPVC("p", "/p", k8s.SubPath("x")) }, "k8s.SubPath"},
		{2, func(serverIn) dsl.Option { return k8s.EphemeralVolume("a", "/e", k8s.Claim{Size: "1Gi"}) }, "k8s.EphemeralVolume"},
		{3, func(serverIn) dsl.Option { return k8s.EmptyDir("a", "/e") }, "k8s.EmptyDir"},
		{3, func(serverIn) dsl.Option { return k8s.SharedMemory("1Gi") }, "k8s.SharedMemory"},
		{0, func(serverIn) dsl.Option { return k8s.NodeSelector("a", "b") }, ""},
		{5, func(in serverIn) dsl.Option { return k8s.NodeSelectorJSON(in.Object) }, "k8s.NodeSelectorJSON"},
		{2, func(serverIn) dsl.Option { return k8s.NodeAffinity(k8s.NodeTerm{Expressions: requirement}) }, "k8s.NodeAffinity"},
		{14, func(in serverIn) dsl.Option { return k8s.NodeAffinityJSON(in.Object) }, "k8s.NodeAffinityJSON"},
		{2, func(serverIn) dsl.Option { return k8s.PodAffinity(k8s.PodTerm{TopologyKey: "zone"}) }, "k8s.PodAffinity"},
		{2, func(serverIn) dsl.Option { return k8s.Tolerate(k8s.Toleration{Operator: k8s.Exists}) }, "k8s.Tolerate"},
		{5, func(in serverIn) dsl.Option { return k8s.TolerationJSON(in.Object) }, "k8s.TolerationJSON"},
		{1, func(serverIn) dsl.Option { return k8s.Label("a", "b") }, "k8s.Label"},
		{1, func(serverIn) dsl.Option { return k8s.Annotation("a", "b") }, "k8s.Annotation"},
		{2, func(serverIn) dsl.Option { return k8s.PullSecret("s") }, "k8s.PullSecret"},
		{5, func(in serverIn) dsl.Option { return k8s.PullSecret(in.Text) }, "name of a secret or config map of a reference"},
		{2, func(serverIn) dsl.Option { return k8s.Pull(k8s.PullAlways) }, "k8s.Pull"},
		{16, func(serverIn) dsl.Option { return k8s.RunAsUser(1) }, "k8s.RunAsUser"},
		{18, func(serverIn) dsl.Option { return k8s.Sidecar(k8s.Container{Name: "a", Image: "b"}) }, "k8s.InitContainer, Sidecar; it came after 2.17"},
		{2, func(serverIn) dsl.Option { return dsl.Timeout(time.Minute) }, "dsl.Timeout"},
		{4, func(serverIn) dsl.Option { return dsl.CacheKey("k") }, "dsl.CacheKey"},
		{0, func(serverIn) dsl.Option { return dsl.Options(dsl.CPU("500m"), dsl.Memory("1Gi"), dsl.GPU(1)) }, ""},
		{4, func(in serverIn) dsl.Option { return dsl.CPU(in.Text) }, "dsl.CPU, CPURequest of a reference"},
		{4, func(in serverIn) dsl.Option { return dsl.GPU(in.N) }, "dsl.GPU, Accelerator of a reference"},
		{4, func(in serverIn) dsl.Option { return dsl.Accelerator(in.Text, 1) }, "dsl.Accelerator of a resource type that is a reference"},
		{4, func(in serverIn) dsl.Option { return dsl.Image(in.Text) }, "dsl.Image of a reference"},
	}
	// The server that knows a field first.
	fields := map[string]int{
		"secretNameParameter": 5, "configMapNameParameter": 5, "pvcNameParameter": 5, "nodeSelectorJson": 5, "tolerationJson": 5, "nodeAffinityJson": 14,
		"subPath": 16, "securityContext": 16, "initContainers": 18, "emptyDirMounts": 3, "enabledSharedMemory": 3, "podMetadata": 1,
		"configMapAsVolume": 2, "configMapAsEnv": 2, "fieldPathAsEnv": 2, "genericEphemeralVolume": 2, "imagePullSecret": 2, "imagePullPolicy": 2,
		"activeDeadlineSeconds": 2, "nodeAffinity:": 2, "podAffinity": 2, "tolerations": 2, "optional": 2,
		"resourceCpuLimit": 4, "resourceMemoryLimit": 4, "resourceType": 4, "resourceCount": 4, "cacheKey": 4,
	}
	for _, tt := range tests {
		options := func(in serverIn) []dsl.Option { return []dsl.Option{tt.option(in)} }
		if _, err := compiled("", options); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for minor := range feature.Newest + 1 {
			ir, err := compiled(fmt.Sprintf("2.%d", minor), options)
			if minor < tt.since {
				want := fmt.Sprintf("KFP 2.%d has no %s", minor, tt.name)
				if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "server_test.go:") {
					t.Errorf("no %q in %v", want, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("2.%d: %v", minor, err)
			}
			for name, since := range fields {
				if minor < since && strings.Contains(ir, " "+name) {
					t.Errorf("for 2.%d, option of 2.%d %s: the field %s came with 2.%d", minor, tt.since, tt.name, name, since)
				}
			}
		}
	}
}

// TestDeviceCounts: any whole number of devices, and no negative one.
//
// Reported as kfp#12865.
func TestDeviceCounts(t *testing.T) {
	for _, n := range []int{0, 3, 32, 128} {
		ir, err := compiled("", func(serverIn) []dsl.Option { return []dsl.Option{dsl.GPU(n)} })
		if err != nil || !strings.Contains(ir, fmt.Sprintf("resourceCount: '%d'", n)) {
			t.Errorf("%d: %v\n%s", n, err, ir)
		}
	}
	if _, err := compiled("", func(serverIn) []dsl.Option { return []dsl.Option{dsl.GPU(-1)} }); err == nil || !strings.Contains(err.Error(), "nvidia.com/gpu(-1): must be at least 0") {
		t.Errorf("%v", err)
	}
}

// TestOldAndNewFields: constants are in the fields of old servers and of new ones.
//
// Reported as kfp#11374.
func TestOldAndNewFields(t *testing.T) {
	options := func(serverIn) []dsl.Option {
		return []dsl.Option{dsl.CPU("2"), dsl.CPURequest("500m"), dsl.Memory("1Gi"), dsl.MemoryRequest("512M"), dsl.GPU(1)}
	}
	old := []string{"cpuLimit: 2", "cpuRequest: 0.5", "memoryLimit: 1.073741824", "memoryRequest: 0.512", "count: '1'", "type: nvidia.com/gpu"}
	texts := []string{"resourceCpuLimit: '2'", "resourceCpuRequest: '500m'", "resourceMemoryLimit: '1Gi'", "resourceMemoryRequest: '512M'", "resourceCount: '1'", "resourceType: nvidia.com/gpu"}
	for _, version := range []string{"", "2.0", "2.3", "2.4", "2.17"} {
		ir, err := compiled(version, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range old {
			if !strings.Contains(ir, " "+want) {
				t.Errorf("%s: no %s in\n%s", version, want, ir)
			}
		}
		for _, want := range texts {
			if has := strings.Contains(ir, " "+want); has != (version != "2.0" && version != "2.3") {
				t.Errorf("%s: %s: %v", version, want, has)
			}
		}
	}
}

// TestSecretEnvFields: for a server that was chosen, a secret's variable has no
// newer field than it needs. For the newest it is what the Python SDK writes.
//
// Reported as kfp#12495, #11935.
func TestSecretEnvFields(t *testing.T) {
	variable := func(serverIn) []dsl.Option { return []dsl.Option{k8s.SecretEnv("A", "creds", "a")} }
	for version, newer := range map[string]bool{"": true, "2.0": false, "2.5": false, "2.17": false} {
		ir, err := compiled(version, variable)
		if err != nil || !strings.Contains(ir, "secretName: creds") {
			t.Errorf("%q: %v\n%s", version, err, ir)
		}
		for _, field := range []string{"optional: false", "secretNameParameter"} {
			if strings.Contains(ir, field) != newer {
				t.Errorf("%q: %s: %v", version, field, !newer)
			}
		}
	}
	for _, version := range []string{"2", "3.0", "2.18", "2.x", "v2.5", "2.05"} {
		if _, err := compiled(version, variable); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("there is no KFP %q", version)) {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// TestServersGroups: values that leave branches, pipelines and loops came to KFP's
// servers one by one. Where no task reads them, older servers take them.
func TestServersGroups(t *testing.T) {
	type one struct{ Text dsl.Param[string] }
	echo := dsl.Container("echo", func(in, out one) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: dsl.Args("sh", "-c", `echo "$0" >"$1"`, in.Text, out.Text.Path())}
	})
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, in one) one { return echo.Call(s, in).Out })
	chosen := func(s *dsl.Scope, in one) dsl.Param[string] {
		branch := func(s *dsl.Scope) dsl.Param[string] { return echo.Call(s, in).Out.Text }
		return dsl.OneOf(s, dsl.Eq(in.Text, "x"), branch).Else(branch)
	}
	loop := func(s *dsl.Scope) (last dsl.Handle) {
		dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
			last = echo.Call(s, one{text})
			return dsl.None{}
		})
		return last
	}
	tests := []struct {
		since int
		body  func(s *dsl.Scope, in one) one
		name  string // in the refusal
	}{
		{0, func(s *dsl.Scope, in one) one { return one{chosen(s, in)} }, ""},
		{4, func(s *dsl.Scope, in one) one { return echo.Call(s, one{chosen(s, in)}).Out }, "output of a branch or of a pipeline"},
		{0, func(s *dsl.Scope, in one) one { return inner.Call(s, in).Out }, ""},
		{4, func(s *dsl.Scope, in one) one { return echo.Call(s, inner.Call(s, in).Out).Out }, "output of a branch or of a pipeline"},
		{0, func(s *dsl.Scope, in one) one { loop(s); return echo.Call(s, in).Out }, ""},
		{5, func(s *dsl.Scope, in one) one { l := loop(s); return echo.Call(s, in, dsl.After(l)).Out }, "task after a loop"},
	}
	for i, test := range tests {
		p := dsl.Pipeline("groups", test.body)
		for minor := range feature.Newest + 1 {
			_, err := compiler.Compile(p, compiler.KFP, compiler.KFPVersion(fmt.Sprintf("2.%d", minor)))
			if minor >= test.since && err != nil {
				t.Errorf("%d, 2.%d: %v", i, minor, err)
			}
			if minor < test.since && (err == nil || !strings.Contains(err.Error(), test.name)) {
				t.Errorf("%d, 2.%d: %v, want a refusal of %q", i, minor, err, test.name)
			}
		}
	}
}

// TestServersClaims: servers before 2.5 fail on a claim that isn't cached.
func TestServersClaims(t *testing.T) {
	p := dsl.Pipeline("claims", func(s *dsl.Scope, _ dsl.None) dsl.None {
		made := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-x"), Size: dsl.Const("1Mi")}, dsl.NoCache())
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: made.Out.Name})
		return dsl.None{}
	})
	for version, cached := range map[string]int{"": 0, "2.0": 2, "2.4": 2, "2.5": 0} {
		b, err := compiler.Compile(p, compiler.KFP, compiler.KFPVersion(version))
		if got := strings.Count(string(b), "enableCache: true"); err != nil || got != cached {
			t.Errorf("%q: %d are cached, want %d; %v\n%s", version, got, cached, err, b)
		}
	}
}

// TestServersNames: servers before 2.14 don't find the outputs of a task with a display name.
func TestServersNames(t *testing.T) {
	p := dsl.Pipeline("named", func(s *dsl.Scope, _ dsl.None) dsl.None {
		makes.Call(s, dsl.None{}, dsl.Named("Make it"))
		return dsl.None{}
	})
	for version, shown := range map[string]bool{"": true, "2.0": false, "2.13": false, "2.14": true} {
		b, err := compiler.Compile(p, compiler.KFP, compiler.Image("app:1"), compiler.KFPVersion(version))
		if got := strings.Contains(string(b), "name: Make it"); err != nil || got != shown {
			t.Errorf("%q: shown %v, %v\n%s", version, got, err, b)
		}
	}
}
