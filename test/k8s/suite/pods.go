package suite

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
)

// Placed says which nodes it takes, in every way.
var Placed = dsl.Pipeline("placed", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("placed")},
		k8s.NodeSelector("kubernetes.io/os", "linux"),
		k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "kubernetes.io/hostname", Operator: k8s.In, Values: []string{"node1", "node2"}}}}),
		k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "disk", Operator: k8s.Exists}}, Weight: 7}),
		k8s.PodAntiAffinity(k8s.PodTerm{TopologyKey: "kubernetes.io/hostname", Labels: map[string]string{"app": "no-such"}}),
		k8s.Tolerate(k8s.Toleration{Key: "example.com/taint", Operator: k8s.Exists, Effect: k8s.NoSchedule}),
	).Out
})

type PlaceOut struct {
	Host       dsl.Param[string]
	Labels     dsl.Param[map[string]string]
	Toleration dsl.Param[map[string]string]
	Affinity   dsl.Param[map[string]any]
}

var place = dsl.Func("place", func(_ context.Context, _ dsl.None, out *PlaceOut) error {
	out.Host.Set("node1")
	out.Labels.Set(map[string]string{"kubernetes.io/os": "linux"})
	out.Toleration.Set(map[string]string{"key": "later", "operator": "Exists"})
	out.Affinity.Set(map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": []any{
		map[string]any{"matchExpressions": []any{map[string]any{"key": "kubernetes.io/os", "operator": "In", "values": []string{"linux"}}}}}}})
	return nil
})

// PlacedLater does what a step says.
var PlacedLater = dsl.Pipeline("placed-later", func(s *dsl.Scope, _ dsl.None) TwoOut {
	p := place.Call(s, dsl.None{}).Out
	return TwoOut{
		Echo.Call(s, Text{dsl.Const("a")}, k8s.NodeSelector("kubernetes.io/hostname", p.Host), k8s.TolerationJSON(p.Toleration)).Out.Text,
		Echo.Call(s, Text{dsl.Const("b")}, k8s.NodeSelectorJSON(p.Labels), k8s.NodeAffinityJSON(p.Affinity)).Out.Text,
	}
})

// look prints variables and the files of folders.
var look = dsl.Func("look", func(_ context.Context, _ dsl.None, out *Text) error {
	text := os.Getenv("USER_NAME") + "|" + os.Getenv("LEVEL") + "|" + os.Getenv("NONE")
	for _, dir := range []string{"/creds", "/settings", "/none"} {
		files, _ := os.ReadDir(dsl.MountPath(dir)) // an optional one may not be there
		names := []string{}
		for _, f := range files {
			if strings.HasPrefix(f.Name(), "..") {
				continue // Kubernetes' own
			}
			b, err := os.ReadFile(filepath.Join(dsl.MountPath(dir), f.Name()))
			if err != nil {
				return err
			}
			names = append(names, f.Name()+"="+string(b))
		}
		slices.Sort(names)
		text += "|" + strings.Join(names, ",")
	}
	out.Text.Set(text)
	return nil
})

// Sources reads secrets and config maps.
var Sources = dsl.Pipeline("sources", func(s *dsl.Scope, _ dsl.None) Text {
	return look.Call(s, dsl.None{},
		k8s.SecretEnv("USER_NAME", "suite-creds", "user"), k8s.ConfigMapEnv("LEVEL", "suite-settings", "level"),
		k8s.SecretEnv("NONE", "no-such", "key", k8s.Optional()),
		k8s.SecretVolume("suite-creds", "/creds"), k8s.ConfigMapVolume("suite-settings", "/settings"), k8s.ConfigMapVolume("no-such", "/none", k8s.Optional()),
	).Out
})

// SourcesLater reads those that a step names.
var SourcesLater = dsl.Pipeline("sources-later", func(s *dsl.Scope, _ dsl.None) Text {
	secret, settings := say("suite-creds")(s), say("suite-settings")(s)
	return look.Call(s, dsl.None{},
		k8s.SecretEnv("USER_NAME", secret, "user"), k8s.ConfigMapEnv("LEVEL", settings, "level"),
		k8s.SecretVolume(secret, "/creds"), k8s.ConfigMapVolume(settings, "/settings"),
	).Out
})

var whereami = dsl.Func("where", func(_ context.Context, _ dsl.None, out *Text) error {
	out.Text.Set(os.Getenv("WHERE"))
	return nil
})

// Where reads a field of its pod.
var Where = dsl.Pipeline("where-am-i", func(s *dsl.Scope, _ dsl.None) Text {
	return whereami.Call(s, dsl.None{}, k8s.FieldEnv("WHERE", "spec.nodeName")).Out
})

// scratch writes to folders and reads them.
var scratch = dsl.Func("scratch", func(_ context.Context, in Text, out *Text) error {
	text := ""
	for dir := range strings.FieldsSeq(in.Text.Get()) {
		file := filepath.Join(dsl.MountPath(dir), "file")
		if err := os.WriteFile(file, []byte(dir), 0o644); err != nil {
			return err
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text += string(b) + ";"
	}
	out.Text.Set(text)
	return nil
})

// Scratch writes to folders that live as long as its pod.
var Scratch = dsl.Pipeline("scratch", func(s *dsl.Scope, _ dsl.None) Text {
	class := "host-path"
	return scratch.Call(s, Text{dsl.Const("/a /b /c /dev/shm")},
		k8s.EmptyDir("a", "/a", k8s.SizeLimit("1Mi")), k8s.EmptyDir("b", "/b", k8s.InMemory()),
		k8s.EphemeralVolume("c", "/c", k8s.Claim{Size: "1Mi", StorageClass: &class, AccessModes: []k8s.AccessMode{k8s.ReadWriteOnce}}),
		k8s.SharedMemory("16Mi"),
	).Out
})

var addText = dsl.Func("add-text", func(_ context.Context, in Text, out *Text) error {
	text, err := Add(in.Text.Get())
	out.Text.Set(text)
	return err
})

// Claims has three steps write to folders of one claim.
var Claims = dsl.Pipeline("claims", func(s *dsl.Scope, _ dsl.None) ListOut {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-claims"), Size: dsl.Const("1Mi"), StorageClass: dsl.Const("host-path")}).Out.Name
	a := addText.Call(s, Text{dsl.Const("a")}, k8s.MountPVC(claim, "/data", k8s.SubPath("one")))
	b := addText.Call(s, Text{dsl.Const("b")}, k8s.MountPVC(claim, "/data", k8s.SubPath("one")), dsl.After(a))
	c := addText.Call(s, Text{dsl.Const("c")}, k8s.MountPVC(claim, "/data", k8s.SubPath("two")), dsl.After(a))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim}, dsl.After(b, c))
	return gather.Call(s, JoinIn{dsl.Items(a.Out.Text, b.Out.Text, c.Out.Text)}).Out
})

var gather = dsl.Func("gather", func(_ context.Context, in JoinIn, out *ListOut) error {
	out.Texts.Set(in.Texts.Get())
	return nil
})

// Dressed has what Kubernetes shows of a pod, and who it runs as.
var Dressed = dsl.Pipeline("dressed", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("dressed")},
		k8s.Label("team", "vision"), k8s.Label("tier", "x1"), k8s.Annotation("example.com/note", "any \"text\", $(A) too"),
		k8s.Pull(k8s.PullIfNotPresent), k8s.PullSecret("suite-registry"),
		k8s.RunAsUser(1234), k8s.RunAsGroup(1235), k8s.RunAsNonRoot(true),
	).Out
})

var prepared = dsl.Container("prepared", func(_ dsl.None, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: busybox, Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; cp /shared/ready "$0"`}, Args: dsl.Args(out.Text.Path())}
}).OnLocal(func(_ context.Context, _ dsl.None, out *Text) error {
	out.Text.Set("ready $A")
	return nil
})

// Beside has a container before and one beside it.
var Beside = dsl.Pipeline("beside", func(s *dsl.Scope, _ dsl.None) Text {
	shared := []k8s.VolumeMount{{Name: "shared", Path: "/shared"}}
	return prepared.Call(s, dsl.None{}, k8s.EmptyDir("shared", "/shared"),
		k8s.InitContainer(k8s.Container{Name: "prepare", Image: busybox, Command: []string{"sh", "-c"}, Args: []string{`printf %s "$TEXT" >/shared/ready`},
			Env: []k8s.EnvVar{{Name: "TEXT", Value: "ready $A"}}, Mounts: shared}),
		k8s.Sidecar(k8s.Container{Name: "beside", Image: busybox, Command: []string{"sleep", "600"}, Mounts: shared}),
	).Out
})

// Locked has two steps that take turns.
var Locked = dsl.Pipeline("locked", func(s *dsl.Scope, _ dsl.None) TwoOut {
	turn := dsl.Options(argo.Mutex("suite-turn"))
	first := Echo.Call(s, Text{dsl.Const("one")}, turn)
	second := Echo.Call(s, Text{dsl.Const("another")}, turn)
	return TwoOut{first.Out.Text, second.Out.Text}
})

// Decision is what a person decides.
type Decision struct {
	Deploy   dsl.Param[string] `enum:"YES,NO" default:"NO" doc:"deploy it?"`
	Replicas dsl.Param[int]    `default:"2"`
	Comment  dsl.Param[string] `kfp:",optional"`
}

var decide = argo.Suspend[Text, Decision]("decide", argo.SuspendSpec{Duration: 2 * time.Second})

// Suspended waits for a person, and nobody comes.
var Suspended = dsl.Pipeline("suspended", func(s *dsl.Scope, _ dsl.None) TwoOut {
	d := decide.Call(s, Text{dsl.Const("the score is 0.9")}).Out
	deployed := dsl.OneOf(s, dsl.Eq(d.Deploy, "NO"), func(s *dsl.Scope) dsl.Param[string] {
		return Echo.Call(s, Text{dsl.Const("kept")}).Out.Text
	}).Else(func(s *dsl.Scope) dsl.Param[string] {
		return Echo.Call(s, Text{dsl.Const("deployed")}).Out.Text
	})
	told := Echo.Call(s, Text{dsl.Sprintf("%s %s [%s]", d.Deploy, d.Replicas, d.Comment)})
	return TwoOut{deployed, told.Out.Text}
})

// Patched sets fields of its pod that no option has.
var Patched = dsl.Pipeline("patched", func(s *dsl.Scope, _ dsl.None) TwoOut {
	first := Echo.Call(s, Text{dsl.Const("patched")}, pod.Patch(func(spec *corev1.PodSpec) {
		spec.PriorityClassName = "suite-batch"
		spec.HostAliases = []corev1.HostAlias{{IP: "10.1.2.3", Hostnames: []string{"db"}}}
	}))
	second := prepared.Call(s, dsl.None{}, k8s.EmptyDir("shared", "/shared"), k8s.HostAliases("10.1.2.4", "cache"), pod.Patch(func(spec *corev1.PodSpec) {
		shared := []corev1.VolumeMount{{Name: "empty-dir-0", MountPath: "/shared"}}
		spec.InitContainers = []corev1.Container{{Name: "prepare", Image: busybox, Command: []string{"sh", "-c", "printf 'ready $A' >/shared/ready"}, VolumeMounts: shared}}
		spec.Containers = append(spec.Containers, corev1.Container{Name: "beside", Image: busybox, Command: []string{"sleep", "600"}})
	}))
	return TwoOut{first.Out.Text, second.Out.Text}
})
