package feature_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// one returns a pipeline that is about little.
func one(name string, body func(s *dsl.Scope, in in)) dsl.Definition {
	return dsl.Pipeline(name, func(s *dsl.Scope, p in) dsl.None { body(s, p); return dsl.None{} })
}

type noBase struct {
	N    dsl.Param[int]
	Text dsl.Param[string]
}

// plain is one without an artifact as an input.
func plain(name string, body func(s *dsl.Scope, p noBase)) dsl.Definition {
	return dsl.Pipeline(name, func(s *dsl.Scope, p noBase) dsl.None { body(s, p); return dsl.None{} })
}

var (
	stood   = dsl.Func("stood", func(context.Context, in, *dsl.None) error { return nil })
	proxied = pod.Patch(func(spec *corev1.PodSpec) {
		spec.Containers = append(spec.Containers, corev1.Container{Name: "proxy", Image: "envoy:1", Command: []string{"envoy"}})
	})
	wait = k8s.InitContainer(k8s.Container{Name: "ready", Image: "busybox:1", Command: []string{"true"}})
)

type (
	readOut struct{ M dsl.Model }
	tellIn  struct{ Status dsl.Param[dsl.FinalStatus] }
	givenIn struct {
		Flag dsl.Param[int] `kfp:",optional"`
	}
	innerIn struct {
		Base dsl.Model `kfp:",optional"`
	}
)

var (
	read  = dsl.Func("read", func(context.Context, dsl.None, *readOut) error { return nil })
	tell  = dsl.Func("tell", func(context.Context, tellIn, *dsl.None) error { return nil })
	inner = dsl.Pipeline("inner", func(s *dsl.Scope, p innerIn) dsl.None {
		dsl.If(s, dsl.Given(p.Base), func(s *dsl.Scope) { read.Call(s, dsl.None{}) })
		return dsl.None{}
	})
	show = dsl.Container("show", func(in innerIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"echo", in.Base.MetadataJSON()}}
	})
	stand = dsl.Container("stand", func(dsl.None, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"true"}}
	}).OnLocal(func(context.Context, dsl.None, *dsl.None) error { return nil })
	object = dsl.Resource("object", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}
	})
	standing = dsl.Resource("standing", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}
	}).OnLocal(func(context.Context, dsl.None, *dsl.None) error { return nil })
	py = dsl.Python[dsl.None, dsl.None]("py", dsl.PythonSource{Function: "py", Source: "def py():\n    pass\n", Image: "python:3.12", LocalPackages: []string{"./here"}})
)

type (
	metricsOut struct{ M dsl.Metrics }
	metricsIn  struct{ M dsl.Metrics }
)

var (
	measured = dsl.Container("measured", func(_ dsl.None, out metricsOut) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"touch", out.M.Path()}}
	})
	readMetrics = dsl.Func("read-metrics", func(context.Context, metricsIn, *dsl.None) error { return nil })
	bare        = dsl.Container("bare", func(dsl.None, dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "busybox:1"} })
)

type modelsIn struct{ Models dsl.List[dsl.Model] }

var models = dsl.Func("models", func(context.Context, modelsIn, *dsl.None) error { return nil })

type manyIn struct{ Ns dsl.Param[[]int] }

var manyTool = dsl.Container("many-tool", func(in manyIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox", Command: []string{"echo", in.Ns.String()}}
})

var many = dsl.Func("many", func(context.Context, manyIn, *dsl.None) error { return nil })

// definitions show what no pair does, or not by itself.
var definitions = []dsl.Definition{
	all,
	dsl.Pipeline("kept", func(s *dsl.Scope, p noBase) dsl.None {
		step.Call(s, in{N: p.N, Text: p.Text}, dsl.CacheKey("k"))
		return dsl.None{}
	}, argo.Config{Parallelism: 3, CacheFor: time.Hour}),
	plain("patched", func(s *dsl.Scope, p noBase) {
		priority := pod.Patch(func(spec *corev1.PodSpec) { spec.PriorityClassName = "high" })
		step.Call(s, in{N: p.N, Text: p.Text}, priority)
		stand.Call(s, dsl.None{}, proxied)
	}),
	plain("patched-containers", func(s *dsl.Scope, p noBase) { step.Call(s, in{N: p.N, Text: p.Text}, proxied) }),
	plain("options", func(s *dsl.Scope, p noBase) {
		step.Call(s, in{N: p.N, Text: p.Text}, k8s.NodeSelector("a", p.Text))
		step.Call(s, in{N: p.N, Text: p.Text}, k8s.Label("a", p.Text), k8s.Annotation("b", p.Text))
		step.Call(s, in{N: p.N, Text: p.Text}, dsl.Retry(p.N, dsl.Backoff{Initial: 1e9, Factor: 1.5}))
	}),
	plain("of-run", func(s *dsl.Scope, p noBase) {
		step.Call(s, in{N: p.N, Text: dsl.TaskID()})
		step.Call(s, in{N: p.N, Text: dsl.Sprintf("%v", dsl.RunScheduled())})
	}),
	plain("snapshot", func(s *dsl.Scope, p noBase) {
		k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: p.Text, Size: dsl.Const("1Gi"),
			AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteOnce}), DataSource: k8s.FromSnapshot("backup")})
	}),
	plain("object-env", func(s *dsl.Scope, p noBase) { standing.Call(s, dsl.None{}, dsl.Env("A", "b")) }),
	plain("no-pod", func(s *dsl.Scope, p noBase) {
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: p.Text}, dsl.CPU("1"))
	}),
	plain("init", func(s *dsl.Scope, p noBase) { stood.Call(s, in{N: p.N, Text: p.Text}, wait) }),
	plain("present", func(s *dsl.Scope, p noBase) { tool.Call(s, in{N: p.N, Text: p.Text, Flag: dsl.Const(1)}) }),
	plain("references", func(s *dsl.Scope, p noBase) {
		step.Call(s, in{N: p.N, Text: dsl.RunID()}, dsl.Env("A", p.Text))
		step.Call(s, in{N: p.N, Text: p.Text}, dsl.Accelerator("tencent.com/vcuda-core", 50), dsl.Accelerator("tencent.com/vcuda-memory", 2))
	}),
	plain("node", func(s *dsl.Scope, p noBase) { step.Call(s, in{N: p.N, Text: p.Text}, k8s.NodeSelector("a", p.Text)) }),
	plain("again", func(s *dsl.Scope, p noBase) { step.Call(s, in{N: p.N, Text: p.Text}, dsl.Retry(p.N)) }),
	plain("variable", func(s *dsl.Scope, p noBase) {
		tool.Call(s, in{N: p.N, Text: p.Text, Base: read.Call(s, dsl.None{}).Out.M}, dsl.Env("A", p.Text))
	}),
	plain("values", func(s *dsl.Scope, p noBase) {
		dsl.ParallelFor(s, dsl.Items(p.N, dsl.Const(2)), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			step.Call(s, in{N: n, Text: p.Text})
			return dsl.None{}
		})
	}),
	plain("bare", func(s *dsl.Scope, p noBase) { many.Call(s, manyIn{Ns: dsl.Items(p.N, dsl.Const(2))}) }),
	plain("bare-passed", func(s *dsl.Scope, p noBase) { manyTool.Call(s, manyIn{Ns: dsl.Items(p.N, dsl.Const(2))}) }),
	plain("env", func(s *dsl.Scope, p noBase) { step.Call(s, in{N: p.N, Text: p.Text}, dsl.Env("A", p.Text)) }),
	plain("statuses", func(s *dsl.Scope, p noBase) {
		a := step.Call(s, in{N: p.N, Text: p.Text})
		tell.Call(s, tellIn{Status: dsl.StatusOf(a)}, dsl.IgnoreUpstreamFailure())
	}),
	plain("status-field", func(s *dsl.Scope, p noBase) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			step.Call(s, in{N: p.N, Text: dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
		})
		step.Call(s, in{N: p.N, Text: p.Text})
	}),
	dsl.Pipeline("given", func(s *dsl.Scope, p givenIn) dsl.None {
		dsl.If(s, dsl.Given(p.Flag), func(s *dsl.Scope) { read.Call(s, dsl.None{}) })
		return dsl.None{}
	}),
	plain("given-artifact", func(s *dsl.Scope, p noBase) {
		inner.Call(s, innerIn{Base: read.Call(s, dsl.None{}).Out.M})
	}),
	plain("joined-artifact", func(s *dsl.Scope, p noBase) {
		m := dsl.OneOf(s, dsl.Eq(p.N, 1), func(s *dsl.Scope) dsl.Model { return read.Call(s, dsl.None{}).Out.M }).
			Else(func(s *dsl.Scope) dsl.Model { return read.Call(s, dsl.None{}).Out.M })
		step.Call(s, in{N: p.N, Text: p.Text, Base: m})
		show.Call(s, innerIn{Base: m})
	}),
	plain("each-artifact", func(s *dsl.Scope, p noBase) {
		made := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) dsl.Model { return read.Call(s, dsl.None{}).Out.M })
		dsl.ParallelForArtifacts(s, dsl.CollectedArtifacts(made.Each), func(s *dsl.Scope, m dsl.Model) dsl.None {
			show.Call(s, innerIn{Base: m})
			return dsl.None{}
		})
	}),
	plain("group", func(s *dsl.Scope, p noBase) {
		dsl.If(s, dsl.Eq(p.N, 1), func(s *dsl.Scope) {
			dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) { tell.Call(s, tellIn{Status: status}) })
			read.Call(s, dsl.None{})
		})
	}),
	dsl.Pipeline("limited", func(s *dsl.Scope, _ dsl.None) dsl.None {
		read.Call(s, dsl.None{}, k8s.SharedMemory("1Gi"), k8s.PodAffinity(k8s.PodTerm{TopologyKey: "zone", Labels: map[string]string{"app": "db"}}))
		return dsl.None{}
	}, dsl.Config{Deadline: time.Hour}),
	plain("of-run-too", func(s *dsl.Scope, p noBase) {
		step.Call(s, in{N: p.N, Text: dsl.Sprintf("%v %v", dsl.RunID(), dsl.ArtifactRoot())})
	}),
	plain("stand-in", func(s *dsl.Scope, p noBase) { stand.Call(s, dsl.None{}, wait); object.Call(s, dsl.None{}) }),
	plain("claim-limited", func(s *dsl.Scope, p noBase) {
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: dsl.Const("a")}, dsl.Timeout(time.Minute))
	}),
	plain("hosts", func(s *dsl.Scope, p noBase) { read.Call(s, dsl.None{}, k8s.HostAliases("10.1.2.3", "db")) }),
	plain("hosts-stand-in", func(s *dsl.Scope, p noBase) { stand.Call(s, dsl.None{}, k8s.HostAliases("10.1.2.3", "db")) }),
	plain("stores", func(s *dsl.Scope, p noBase) {
		show.Call(s, innerIn{Base: dsl.Import[dsl.Model](s, "s3://b/k", argo.From(argo.S3{Endpoint: "minio:9000"}))})
	}),
	plain("texts", func(s *dsl.Scope, p noBase) {
		show.Call(s, innerIn{Base: dsl.Import[dsl.Model](s, argo.Raw("a text"))})
	}),
	plain("asks", func(s *dsl.Scope, p noBase) {
		argo.Suspend[dsl.None, dsl.None]("ask", argo.SuspendSpec{}).Call(s, dsl.None{})
	}),
	plain("locks", func(s *dsl.Scope, p noBase) {
		read.Call(s, dsl.None{}, argo.Mutex("m"), argo.Semaphore("limits", "k"), argo.DatabaseSemaphore("k"))
	}),
	plain("named-locks", func(s *dsl.Scope, p noBase) {
		read.Call(s, dsl.None{}, argo.Mutex(p.Text), argo.Semaphore(p.Text, "k"), argo.DatabaseSemaphore(p.Text))
	}),
	plain("local-packages", func(s *dsl.Scope, p noBase) { py.Call(s, dsl.None{}) }),
	plain("label", func(s *dsl.Scope, p noBase) {
		step.Call(s, in{N: p.N, Text: dsl.Sprintf("%v", dsl.RunScheduled())}, k8s.Label("a", p.Text), k8s.Annotation("b", p.Text))
	}),
	plain("import-joined", func(s *dsl.Scope, p noBase) {
		m := dsl.OneOf(s, dsl.Eq(p.N, 1), func(s *dsl.Scope) dsl.Metrics { return measured.Call(s, dsl.None{}).Out.M }).
			Else(func(s *dsl.Scope) dsl.Metrics { return dsl.Import[dsl.Metrics](s, "gs://a/b") })
		readMetrics.Call(s, metricsIn{m})
	}),
	plain("image-command", func(s *dsl.Scope, p noBase) { bare.Call(s, dsl.None{}) }),
	plain("import-scheme", func(s *dsl.Scope, p noBase) {
		show.Call(s, innerIn{Base: dsl.Import[dsl.Model](s, "hdfs://host/path")})
	}),
	plain("import-collected", func(s *dsl.Scope, p noBase) {
		made := dsl.ParallelFor(s, dsl.Const([]string{"gs://a/b"}), func(s *dsl.Scope, uri dsl.Param[string]) readOut {
			return readOut{dsl.Import[dsl.Model](s, uri)}
		})
		models.Call(s, modelsIn{dsl.CollectedArtifacts(made.Each.M)})
	}),
	plain("import", func(s *dsl.Scope, p noBase) {
		show.Call(s, innerIn{Base: dsl.Import[dsl.Model](s, "gs://a/b", dsl.ImportConfig{Metadata: map[string]any{"a": p.Text}})})
	}),
	dsl.Pipeline("import-workspace", func(s *dsl.Scope, _ dsl.None) dsl.None {
		show.Call(s, innerIn{Base: dsl.Import[dsl.Model](s, "gs://a/b", dsl.ImportConfig{Workspace: true})})
		return dsl.None{}
	}, dsl.Config{Workspace: dsl.Workspace{Size: "1Gi"}}),
	dsl.Pipeline("list-input", func(s *dsl.Scope, p modelsIn) dsl.None { models.Call(s, p); return dsl.None{} }),
	dsl.Pipeline("artifact-input", func(s *dsl.Scope, p innerIn) dsl.None { show.Call(s, p); return dsl.None{} }),
	plain("collected-nested", func(s *dsl.Scope, p noBase) {
		outer := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) modelsIn {
			made := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) readOut { return read.Call(s, dsl.None{}).Out })
			return modelsIn{dsl.CollectedArtifacts(made.Each.M)}
		})
		models.Call(s, modelsIn{dsl.CollectedLists(outer.Each.Models)})
	}),
	plain("retried-pipeline", func(s *dsl.Scope, p noBase) {
		whole := dsl.Pipeline("whole", func(s *dsl.Scope, p noBase) dsl.None {
			step.Call(s, in{N: p.N, Text: p.Text})
			return dsl.None{}
		})
		whole.Call(s, p, dsl.Retry(2))
	}),
	one("present-run", func(s *dsl.Scope, p in) { tool.Call(s, p) }),
}

// do gives a program to a target for real. On this machine it is one without
// podman, Python or GPUs, where nothing starts.
func do(t *testing.T, p *program.Program, target feature.Target) error {
	t.Helper()
	if target == feature.Local {
		none := 0
		_, err := engine.Run(t.Context(), p, engine.Options{Home: t.TempDir(), GPUs: &none, Python: "no-such-python"})
		return err
	}
	o := emit.Options{Image: "example.com/app:1"}
	if target == feature.Argo && p.Root == "" { // it would be used in place of a Root
		o.ArtifactRoot = "s3://bucket"
	}
	_, err := emit.Emit(p, string(target), o)
	return err
}

// TestGate: whatever a program uses that a target can't do is refused by the target
// itself in the words of the table, once, and every other feature compiles.
func TestGate(t *testing.T) {
	programs := ofFile()
	for _, d := range slices.Concat(definitions, wrongs) {
		programs = append(programs, lowered.Program(t, d))
	}
	for _, p := range pairs.All() {
		if p.Definition != nil {
			programs = append(programs, lowered.Program(t, p.Definition))
		}
	}
	for _, target := range []feature.Target{feature.KFP, feature.Argo, feature.Local} {
		t.Run(string(target), func(t *testing.T) {
			rows := map[string]feature.Row{}
			for _, r := range feature.Table {
				rows[r.ID] = r
			}
			shown := map[string]bool{}
			for _, p := range programs {
				var used, lacking []string
				for _, u := range feature.Uses(p) {
					used = append(used, u.ID)
					if !rows[u.ID].Support[target].OK {
						lacking = append(lacking, u.ID)
					}
				}
				if p.Name == "names" && target == feature.Argo {
					continue // its names are longer than those that Argo takes
				}
				if len(lacking) == 0 {
					err := feature.Gate(p, target, nil)
					if target != feature.Local {
						err = do(t, p, target)
					}
					if err != nil {
						t.Errorf("%s: the table says yes, and the back end:\n%v", p.Name, err)
						continue
					}
					for _, id := range used {
						shown[id] = true
					}
					continue
				}
				err := do(t, p, target)
				if err == nil {
					t.Errorf("%s compiles, with %s", p.Name, lacking)
					continue
				}
				lines := strings.Split(err.Error(), "\n")
				for i, line := range lines {
					if slices.Contains(lines[:i], line) {
						t.Errorf("%s: said twice: %s", p.Name, line)
					}
				}
				for _, id := range lacking {
					r := rows[id]
					says := func(line string) bool {
						write, note := feature.Bare(r.Write), r.Support[target].Note
						if strings.HasPrefix(line, "f.yaml:") { // in words for who holds the file: TestWays
							reason, _, _ := strings.Cut(note, "; ")
							write, note = "", reason+"; "
						}
						return strings.Contains(line, "target "+string(target)+" has no ") && strings.Contains(line, write) &&
							strings.Contains(line, note) && strings.Contains(line, "pipeline "+p.Name)
					}
					if !slices.ContainsFunc(lines, says) {
						t.Errorf("%s: nothing about %s in\n%v", p.Name, id, err)
					}
					shown[id] = true
				}
			}
			for _, r := range feature.Table {
				if !shown[r.ID] {
					t.Errorf("row %s: no program here shows it", r.ID)
				}
			}
		})
	}
}
