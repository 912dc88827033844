package emit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/read/raise"
)

// settings are all settings of a task, each with a value that a reader can take from a
// file. A setting that isn't here fails the test.
const settings = `{
	"image": {"kind": "input", "name": "text", "type": {"name": "STRING"}},
	"cpuLimit": {"kind": "const", "const": "2", "type": {"name": "STRING"}},
	"cpuRequest": {"kind": "const", "const": "1", "type": {"name": "STRING"}},
	"memoryLimit": {"kind": "const", "const": "\"2Gi\"", "type": {"name": "STRING"}},
	"memoryRequest": {"kind": "const", "const": "\"1Gi\"", "type": {"name": "STRING"}},
	"accelerators": [{"resource": "nvidia.com/gpu", "count": {"kind": "const", "const": 1, "type": {"name": "NUMBER_INTEGER"}}}],
	"env": [{"name": "A", "value": {"kind": "const", "const": "b", "type": {"name": "STRING"}}}],
	"timeoutSeconds": 60,
	"retry": {"max": {"kind": "const", "const": 3, "type": {"name": "NUMBER_INTEGER"}}},
	"noCache": true,
	"cacheKey": "key",
	"nodeSelector": [{"key": "a", "value": {"kind": "const", "const": "b", "type": {"name": "STRING"}}}],
	"nodeSelectorJSON": {"kind": "input", "name": "any", "type": {"name": "STRUCT"}},
	"nodeAffinity": [{"expressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}],
	"podAffinity": [{"labels": {"a": "b"}, "topologyKey": "zone"}],
	"tolerations": [{"key": "a", "operator": "Exists"}],
	"pvcMounts": [{"claim": {"kind": "const", "const": "claim", "type": {"name": "STRING"}}, "path": "/data"}],
	"ephemeralVolumes": [{"name": "scratch", "path": "/scratch", "size": "1Gi", "accessModes": ["ReadWriteOnce"]}],
	"emptyDirs": [{"name": "empty", "path": "/empty"}],
	"sharedMemory": {"name": "shm", "size": "1Gi"},
	"secretEnv": [{"name": "S", "object": {"kind": "const", "const": "s", "type": {"name": "STRING"}}, "key": "k"}],
	"secretVolumes": [{"object": {"kind": "const", "const": "s", "type": {"name": "STRING"}}, "path": "/s"}],
	"configMapEnv": [{"name": "C", "object": {"kind": "const", "const": "c", "type": {"name": "STRING"}}, "key": "k"}],
	"configMapVolumes": [{"object": {"kind": "const", "const": "c", "type": {"name": "STRING"}}, "path": "/c"}],
	"fieldEnv": [{"name": "F", "field": "metadata.name"}],
	"labels": [{"key": "a", "value": {"kind": "const", "const": "b", "type": {"name": "STRING"}}}],
	"annotations": [{"key": "a", "value": {"kind": "const", "const": "b", "type": {"name": "STRING"}}}],
	"pullSecrets": [{"kind": "const", "const": "s", "type": {"name": "STRING"}}],
	"pullPolicy": "Always",
	"securityContext": {"runAsUser": 1000},
	"initContainers": [{"name": "first", "image": "busybox", "command": ["true"]}],
	"hostAliases": [{"ip": "10.0.0.1", "hostnames": ["db"]}],
	"podPatch": {"hostNetwork": true},
	"mutexes": [{"name": {"kind": "const", "const": "m", "type": {"name": "STRING"}}}],
	"semaphores": [{"configMap": {"kind": "const", "const": "limits", "type": {"name": "STRING"}}, "key": "k"}],
	"databaseSemaphores": [{"key": {"kind": "const", "const": "k", "type": {"name": "STRING"}}}],
	"store": {"s3": {"endpoint": "minio:9000"}}
}`

type settingsIn struct {
	Text dsl.Param[string]
	Any  dsl.Param[map[string]string]
}

var (
	settingsTool = dsl.Container("tool", func(in settingsIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Command: []string{"echo"}, Args: dsl.Args(in.Text)}
	})
	settingsGo       = dsl.Func("go", func(_ context.Context, _ settingsIn, _ *dsl.None) error { return nil })
	settingsPython   = dsl.Python[settingsIn, dsl.None]("py", dsl.PythonSource{Source: "def py(text: str, any: dict):\n    pass\n", Function: "py", Image: "python:3.12"})
	settingsResource = dsl.Resource("object", func(settingsIn, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: "create", Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}
	})
	settingsNested = dsl.Pipeline("nested", func(s *dsl.Scope, in settingsIn) dsl.None { settingsTool.Call(s, in); return dsl.None{} })
)

var settingsPipeline = dsl.Pipeline("settings", func(s *dsl.Scope, in settingsIn) dsl.None {
	settingsTool.Call(s, in)
	settingsGo.Call(s, in)
	settingsPython.Call(s, in)
	settingsResource.Call(s, in)
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: dsl.Const("c"), Size: dsl.Const("1Gi")})
	dsl.Import[dsl.Model](s, "s3://bucket/base")
	settingsNested.Call(s, in)
	dsl.If(s, dsl.Eq(in.Text, "a"), func(s *dsl.Scope) { settingsTool.Call(s, in) })
	dsl.ParallelFor(s, dsl.Const([]string{"a"}), func(s *dsl.Scope, _ dsl.Param[string]) dsl.None { settingsTool.Call(s, in); return dsl.None{} })
	return dsl.None{}
})

// dropped are settings that a consumer may leave out, each with its reason.
func dropped(consumer string, task *program.Task, c *program.Component, setting string) string {
	x := c.Exec
	switch {
	case setting == "noCache" && task.Settings.NoCache:
		return "the task has it already"
	case (setting == "noCache" || setting == "cacheKey") && consumer == "argo":
		return "Argo runs every task"
	case (setting == "noCache" || setting == "cacheKey") && c.DAG != nil && c.DAG.Kind != program.Pipeline:
		return "a reader takes a group with caching for a pipeline; what is cached are the tasks inside"
	case setting == "store" && consumer == "argo" && x != nil && x.Importer == nil:
		return "only an import has a store, and the language refuses it elsewhere: see argo.From"
	case setting == "retry" && consumer == "argo" && x != nil && x.Importer != nil:
		return "nothing runs that could fail"
	case consumer == "kfp" && c.DAG != nil && setting != "retry":
		return "no reader takes it, and the language refuses it: see lower.onlySteps and kfpread.task"
	}
	return ""
}

// TestSettings: each setting on each kind of task is in what is written, or refused,
// by one name for the targets that can't have it.
func TestSettings(t *testing.T) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(settings), &all); err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[program.Settings]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && all[name] == nil {
			t.Errorf("setting %s isn't in the table", f.Name)
		}
	}
	g := recorded.Graph(settingsPipeline)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	to := func(target string) func(*program.Program) (string, error) {
		return func(p *program.Program) (string, error) {
			b, err := emit.Emit(p, target, emit.Options{Image: "x"})
			return string(b), err
		}
	}
	write := map[string]func(*program.Program) (string, error){
		"kfp": to(emit.KFP), "argo": to(emit.Argo),
		"import": func(p *program.Program) (string, error) {
			files, err := raise.Source(p, raise.Options{Image: "x"})
			return fmt.Sprint(files), err
		},
		// What a run on this machine takes is what it looks at or the table has a note about.
		"local": func(p *program.Program) (string, error) {
			return fmt.Sprint(feature.Uses(p)), feature.Gate(p, feature.Local, nil)
		},
	}
	refused := map[string]map[string]bool{}
	for _, consumer := range slices.Sorted(maps.Keys(write)) {
		plain, err := write[consumer](p)
		if err != nil {
			t.Fatalf("%s: %v", consumer, err)
		}
		for i, task := range p.Component(p.Main).DAG.Tasks {
			for _, name := range slices.Sorted(maps.Keys(all)) {
				q := p.Clone()
				if err := json.Unmarshal(fmt.Appendf(nil, "{%q: %s}", name, all[name]), &q.Component(q.Main).DAG.Tasks[i].Settings); err != nil {
					t.Fatal(name, err)
				}
				got, err := write[consumer](q)
				if err != nil {
					at := task.Name + ": " + name
					if refused[at] == nil {
						refused[at] = map[string]bool{}
					}
					refused[at][consumer] = true
				} else if got == plain && dropped(consumer, task, p.Component(task.Component), name) == "" {
					t.Errorf("%s: task %s: %s is left out silently", consumer, task.Name, name)
				}
			}
		}
	}
	for at, want := range map[string]string{"importer: env": "argo kfp local", "createpvc: nodeSelector": "argo kfp local", "importer: timeoutSeconds": "argo kfp local", "object: env": "argo"} {
		delete(refused[at], "import") // which has no word for the options of an importer
		if got := strings.Join(slices.Sorted(maps.Keys(refused[at])), " "); got != want {
			t.Errorf("%s is refused by %s, want %s", at, got, want)
		}
	}
}
