package k8s_test

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// with returns a pipeline of one task with options.
func with(opts ...dsl.Option) error {
	return dsl.Pipeline("with", func(s *dsl.Scope, _ dsl.None) dsl.None {
		train.Call(s, dsl.None{}, opts...)
		return dsl.None{}
	}).Check()
}

// Variables from secrets, config maps and the pod itself.
func ExampleSecretEnv() {
	err := with(
		k8s.SecretEnv("HF_TOKEN", "tokens", "hugging-face"),
		k8s.SecretEnv("WANDB_API_KEY", "tokens", "wandb", k8s.Optional()),
		k8s.ConfigMapEnv("LOG_LEVEL", "settings", "level"),
		k8s.FieldEnv("POD_NAME", "metadata.name"),
	)
	fmt.Println(err)
	// Output: <nil>
}

// Secrets and config maps as folders, whose names may be inputs of the pipeline.
func ExampleSecretVolume() {
	type in struct{ Certificates dsl.Param[string] }
	p := dsl.Pipeline("mounted", func(s *dsl.Scope, in in) dsl.None {
		train.Call(s, dsl.None{},
			k8s.SecretVolume(in.Certificates, "/etc/certs"),
			k8s.ConfigMapVolume("settings", "/etc/settings", k8s.Optional()),
		)
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Folders that live as long as the pod, and memory to share between processes.
func ExampleEmptyDir() {
	err := with(
		k8s.EmptyDir("scratch", "/scratch", k8s.SizeLimit("20Gi")),
		k8s.EmptyDir("cache", "/cache", k8s.InMemory(), k8s.SizeLimit("1Gi")),
		k8s.EmptyDir("huge", "/huge", k8s.Medium("HugePages-2Mi")),
		k8s.SharedMemory("8Gi"),
	)
	fmt.Println(err)
	// Output: <nil>
}

// A volume of a storage class that is made for the pod and goes with it.
func ExampleEphemeralVolume() {
	class := "fast"
	err := with(k8s.EphemeralVolume("data", "/data", k8s.Claim{
		Size: "500Gi", StorageClass: &class, AccessModes: []k8s.AccessMode{k8s.ReadWriteOnce},
		Labels: map[string]string{"team": "vision"},
	}))
	fmt.Println(err)
	// Output: <nil>
}

// Nodes with fast disks, of which those with many cores are better.
func ExampleNodeAffinity() {
	err := with(
		k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "disk", Operator: k8s.In, Values: []string{"ssd", "nvme"}}}}),
		k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "cores", Operator: k8s.Gt, Values: []string{"16"}}}, Weight: 50}),
	)
	fmt.Println(err)
	// Output: <nil>
}

// In the zone of the database, and never two on a node.
func ExamplePodAffinity() {
	err := with(
		k8s.PodAffinity(k8s.PodTerm{TopologyKey: "topology.kubernetes.io/zone", Labels: map[string]string{"app": "database"}}),
		k8s.PodAntiAffinity(k8s.PodTerm{
			TopologyKey: "kubernetes.io/hostname",
			Expressions: []k8s.Requirement{{Key: "team", Operator: k8s.NotIn, Values: []string{"vision"}}, {Key: "heavy", Operator: k8s.DoesNotExist}},
			Weight:      100,
		}),
	)
	fmt.Println(err)
	// Output: <nil>
}

// Where the pod runs, decided by whoever starts the run.
func ExampleNodeSelectorJSON() {
	type in struct {
		Nodes      dsl.Param[map[string]string]
		Toleration dsl.Param[map[string]string]
		Affinity   dsl.Param[map[string]any]
	}
	p := dsl.Pipeline("placed", func(s *dsl.Scope, in in) dsl.None {
		train.Call(s, dsl.None{}, k8s.NodeSelectorJSON(in.Nodes), k8s.TolerationJSON(in.Toleration), k8s.NodeAffinityJSON(in.Affinity))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// An image of a private registry that is pulled each time.
func ExamplePull() {
	err := with(
		dsl.Image("registry.example.com/train:latest"), k8s.PullSecret("registry"), k8s.Pull(k8s.PullAlways),
		k8s.Annotation("team.example.com/note", "any text"),
	)
	fmt.Println(err)
	// Output: <nil>
}

// A step that isn't root.
func ExampleRunAsUser() {
	fmt.Println(with(k8s.RunAsUser(1000), k8s.RunAsGroup(1000), k8s.RunAsNonRoot(true)))
	// Output: <nil>
}

// A database that the DNS of the cluster doesn't know.
func ExampleHostAliases() {
	fmt.Println(with(k8s.HostAliases("10.1.2.3", "db.example.com", "db")))
	// Output: <nil>
}

// A container that prepares a folder, and one that runs beside the step.
func ExampleSidecar() {
	serve := dsl.Func("serve", func(context.Context, dsl.None, *dsl.None) error { return nil })
	p := dsl.Pipeline("beside", func(s *dsl.Scope, _ dsl.None) dsl.None {
		serve.Call(s, dsl.None{},
			k8s.EmptyDir("shared", "/shared"),
			k8s.InitContainer(k8s.Container{
				Name: "prepare", Image: "busybox:1.36", Command: []string{"sh", "-c"}, Args: []string{"echo $TEXT > /data/ready"},
				Env:    []k8s.EnvVar{{Name: "TEXT", Value: "yes"}},
				Mounts: []k8s.VolumeMount{{Name: "shared", Path: "/data"}},
			}),
			k8s.Sidecar(k8s.Container{
				Name: "proxy", Image: "envoyproxy/envoy:v1.31", Requests: map[string]string{"cpu": "100m"}, Limits: map[string]string{"memory": "128Mi"},
				Mounts: []k8s.VolumeMount{{Name: "shared", Path: "/shared"}},
			}),
		)
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
