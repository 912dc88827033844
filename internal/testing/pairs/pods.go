package pairs

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

var _ = pair(pods,
	"kubernetes.use_secret_as_env", "kubernetes.use_secret_as_env(optional)", "kubernetes.use_secret_as_volume",
	"kubernetes.use_config_map_as_env", "kubernetes.use_config_map_as_volume", "kubernetes.use_field_path_as_env",
	"kubernetes.mount_pvc", "kubernetes.mount_pvc(sub_path)", "kubernetes.add_ephemeral_volume", "kubernetes.empty_dir_mount",
	"kubernetes.add_node_selector", "kubernetes.add_node_affinity", "kubernetes.add_toleration", "kubernetes.add_pod_label",
	"kubernetes.add_pod_annotation", "kubernetes.set_image_pull_secrets", "kubernetes.set_image_pull_policy",
	"kubernetes.set_timeout", "kubernetes.set_security_context")

// pods uses every option of kfp.kubernetes with constants.
var pods = dsl.Pipeline("pods", func(s *dsl.Scope, _ dsl.None) dsl.None {
	text := func(t string) textIn { return textIn{Text: dsl.Const(t)} }
	say.Call(s, text("sources"),
		k8s.SecretEnv("USER", "creds", "user"), k8s.SecretEnv("PASSWORD", "creds", "password"),
		k8s.SecretEnv("TOKEN", "tokens", "hub.token", k8s.Optional()),
		k8s.SecretVolume("certs", "/etc/certs"), k8s.SecretVolume("more", "/etc/more", k8s.Optional()),
		k8s.ConfigMapEnv("LEVEL", "settings", "level"), k8s.ConfigMapEnv("COLOR", "settings", "color", k8s.Optional()),
		k8s.ConfigMapVolume("files", "/etc/files"), k8s.ConfigMapVolume("extra", "/etc/extra", k8s.Optional()),
		k8s.FieldEnv("POD", "metadata.name"), k8s.FieldEnv("NODE", "spec.nodeName"))
	say.Call(s, text("volumes"),
		k8s.MountPVC("data", "/data"), k8s.MountPVC("data", "/models", k8s.SubPath("models/2024")),
		k8s.EmptyDir("scratch", "/scratch"), k8s.EmptyDir("shm", "/dev/shm", k8s.InMemory(), k8s.SizeLimit("2Gi")),
		k8s.EphemeralVolume("tmp", "/tmp/big", k8s.Claim{Size: "100Gi"}),
		k8s.EphemeralVolume("fast", "/fast", k8s.Claim{
			Size: "1Ti", AccessModes: []k8s.AccessMode{k8s.ReadWriteOnce, k8s.ReadWriteMany}, StorageClass: new("ssd"),
			Labels: map[string]string{"team": "vision"}, Annotations: map[string]string{"note": "any text"},
		}))
	say.Call(s, text("place"),
		k8s.NodeSelector("disk", "ssd"), k8s.NodeSelector("zone", "a"),
		k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{
			{Key: "disk", Operator: k8s.In, Values: []string{"ssd", "nvme"}}, {Key: "spot", Operator: k8s.DoesNotExist},
		}}),
		k8s.NodeAffinity(k8s.NodeTerm{
			Expressions: []k8s.Requirement{{Key: "cores", Operator: k8s.Gt, Values: []string{"16"}}},
			Fields:      []k8s.Requirement{{Key: "metadata.name", Operator: k8s.NotIn, Values: []string{"n1"}}},
			Weight:      50,
		}),
		k8s.Tolerate(k8s.Toleration{Operator: k8s.Exists}),
		k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: k8s.Equal, Value: "yes", Effect: k8s.NoExecute, Seconds: new(int64(0))}))
	say.Call(s, text("pod"),
		k8s.Label("team", "vision"), k8s.Label("acme.com/tier", "1"), k8s.Annotation("note", "it's {any} text\nof two lines"),
		k8s.PullSecret("registry"), k8s.PullSecret("mirror"), k8s.Pull(k8s.PullAlways),
		k8s.RunAsUser(1000), k8s.RunAsGroup(0), k8s.RunAsNonRoot(true), dsl.Timeout(time.Hour))
	say.Call(s, text("user"), k8s.RunAsNonRoot(false))
	return dsl.None{}
})

type podRefsIn struct {
	Name       dsl.Param[string]
	Selector   dsl.Param[map[string]string]
	Toleration dsl.Param[map[string]string]
	Many       dsl.Param[[]map[string]string]
	Affinity   dsl.Param[map[string]any]
}

var _ = pair(podRefs,
	"names of references", "kubernetes.add_node_selector_json", "kubernetes.add_toleration_json", "kubernetes.add_node_affinity_json",
	"kubernetes.use_secret_as_volume", "kubernetes.use_config_map_as_env", "kubernetes.use_config_map_as_volume", "kubernetes.set_image_pull_secrets",
	"kubernetes.mount_pvc")

// podRefs uses what is known only at run time: inputs and outputs of tasks, at
// the top, in a condition and in loops.
var podRefs = dsl.Pipeline("pod-references", func(s *dsl.Scope, in podRefsIn) dsl.None {
	made := makeText.Call(s, textIn{Text: dsl.Const("name")}).Out.Out
	options := func(name dsl.Param[string]) dsl.Option {
		return dsl.Options(
			k8s.SecretEnv("S", name, "s"), k8s.SecretVolume(name, "/s"), k8s.ConfigMapEnv("C", name, "c"), k8s.ConfigMapVolume(name, "/c", k8s.Optional()),
			k8s.PullSecret(name), k8s.MountPVC(name, "/p", k8s.SubPath("x")))
	}
	place := dsl.Options(
		k8s.NodeSelectorJSON(in.Selector), k8s.TolerationJSON(in.Toleration), k8s.TolerationJSON(in.Many), k8s.NodeAffinityJSON(in.Affinity))
	say.Call(s, textIn{Text: dsl.Const("input")}, options(in.Name), place)
	say.Call(s, textIn{Text: dsl.Const("output")}, options(made),
		k8s.NodeSelectorJSON(dsl.Const(map[string]string{"disk": "ssd"})),
		k8s.NodeAffinityJSON(dsl.Const(map[string]any{"preferredDuringSchedulingIgnoredDuringExecution": []any{}})))
	dsl.If(s, dsl.Eq(in.Name, "x"), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Const("condition")}, options(in.Name), place)
		dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
			say.Call(s, textIn{Text: dsl.Const("loop in condition")}, options(made), place)
			return dsl.None{}
		})
	})
	dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, name dsl.Param[string]) dsl.None {
		own := makeText.Call(s, textIn{Text: name}).Out.Out
		say.Call(s, textIn{Text: dsl.Const("item")}, options(name))
		say.Call(s, textIn{Text: dsl.Const("own")}, options(own), place)
		return dsl.None{}
	})
	return dsl.None{}
})

type podInnerIn struct {
	Secret dsl.Param[string]
	N      dsl.Param[int] `default:"1"`
}

var podInner = dsl.Pipeline("pod-inner", func(s *dsl.Scope, in podInnerIn) dsl.None {
	made := makeText.Call(s, textIn{Text: in.Secret}, k8s.SecretEnv("A", in.Secret, "a"))
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Const("inner")}, k8s.SecretVolume(in.Secret, "/s"), k8s.ConfigMapEnv("B", made.Out.Out, "b"), dsl.CPU(in.Secret))
	})
	return dsl.None{}
})

var _ = pair(podNested, "kubernetes.use_secret_as_env", "kubernetes.use_secret_as_volume", "a pipeline in a pipeline", "resources of references")

// podNested has pods in nested pipelines, also of one that is called in a loop.
// Names of tasks are all different, since Python mixes up the pods of those of
// one name (faults 1 and 2).
var podNested = dsl.Pipeline("pod-nested", func(s *dsl.Scope, in podInnerIn) dsl.None {
	podInner.Call(s, podInnerIn{Secret: in.Secret})
	useModel.Call(s, modelIn{Model: dsl.Import[dsl.Model](s, "gs://m")}, k8s.EmptyDir("d", "/d"))
	return dsl.None{}
})

var _ = pair(podMore, "podAffinity", "enabledSharedMemory", "kubernetes.add_init_container")

// podMore has what the Python side must write field by field: the SDK 2.17.3 has
// no functions for it.
var podMore = dsl.Pipeline("pod-more", func(s *dsl.Scope, _ dsl.None) dsl.None {
	say.Call(s, textIn{Text: dsl.Const("affinity")}, k8s.SharedMemory("2Gi"),
		k8s.PodAffinity(k8s.PodTerm{TopologyKey: "zone", Labels: map[string]string{"app": "db"}, Namespaces: []string{"data"}}),
		k8s.PodAntiAffinity(k8s.PodTerm{
			TopologyKey: "kubernetes.io/hostname", Weight: 7,
			Expressions:          []k8s.Requirement{{Key: "app", Operator: k8s.In, Values: []string{"a", "b"}}},
			NamespaceLabels:      map[string]string{"team": "vision"},
			NamespaceExpressions: []k8s.Requirement{{Key: "tier", Operator: k8s.Exists}},
		}))
	say.Call(s, textIn{Text: dsl.Const("containers")}, k8s.EmptyDir("shared", "/shared"), k8s.MountPVC("models", "/models"),
		k8s.InitContainer(k8s.Container{
			Name: "prepare", Image: "busybox:1.36", Command: []string{"sh", "-c"}, Args: []string{"echo $TEXT > /data/ready"},
			Env:    []k8s.EnvVar{{Name: "TEXT", Value: "yes"}, {Name: "A", Value: "$(TEXT)"}},
			Mounts: []k8s.VolumeMount{{Name: "shared", Path: "/data"}, {Name: "models", Path: "/models"}},
		}),
		k8s.Sidecar(k8s.Container{
			Name: "proxy", Image: "envoy:1", Requests: map[string]string{"cpu": "100m"}, Limits: map[string]string{"memory": "128Mi", "cpu": "1"},
			Mounts: []k8s.VolumeMount{{Name: "shared", Path: "/shared"}},
		}))
	return dsl.None{}
})
