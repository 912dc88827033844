package vet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

func constant(v any) program.Value {
	b, _ := json.Marshal(v)
	return program.Value{Kind: program.Const, Const: b, Type: graph.Type{Name: "STRING"}}
}

func pointer(v any) *program.Value { c := constant(v); return &c }

// one returns a pipeline of a container task.
func one(image string, set func(*program.Task, *program.Component)) *program.Program {
	step := &program.Component{Name: "step", Exec: &program.Executor{Container: &program.Container{Image: image, Command: []string{"run"}}}}
	task := &program.Task{Name: "step", Component: "step", Pos: graph.Pos{File: "p.go", Line: 7}}
	if set != nil {
		set(task, step)
	}
	return &program.Program{Name: "one", Main: "one", Components: []*program.Component{
		{Name: "one", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{task}}}, step,
	}}
}

func text(found []vet.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s\n", f)
	}
	return b.String()
}

func TestProgram(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *program.Program
		want string
	}{
		{"nothing", one("registry.example.com:5000/x:1", nil), ""},
		{"digest", one("x@sha256:12", nil), ""},
		{"reference", one("{{$.inputs.parameters['image']}}", nil), ""},
		{"no tag", one("registry.example.com:5000/x", nil),
			"p.go:7: warning: task step: image registry.example.com:5000/x has no tag: a later run may get another one; give a tag with a version, or a digest (image)\n"},
		{"latest", one("x:latest", nil),
			"p.go:7: warning: task step: image x:latest is the latest: a later run may get another one; give a tag with a version, or a digest (image)\n"},
		{"image of the task, init containers", one("x", func(t *program.Task, _ *program.Component) {
			t.Settings.Image = pointer("y:2")
			t.Settings.InitContainers = []program.InitContainer{{Name: "get", Image: "z"}}
		}), "p.go:7: warning: task step: image of init container get, z has no tag: a later run may get another one; give a tag with a version, or a digest (image)\n"},
		{"devices of no kind", one("x:1", func(t *program.Task, _ *program.Component) {
			t.Settings.Accelerators = []program.Accelerator{{Count: constant("1")}}
		}), "p.go:7: error: task step: a number of devices without their kind: no device is asked for; name the resource, such as nvidia.com/gpu (gpu)\n"},
		{"GPU with no limit", one("x:1", func(t *program.Task, _ *program.Component) {
			t.Settings.Tolerations = []program.Toleration{{Key: "nvidia.com/gpu", Operator: "Exists"}}
		}), "p.go:7: warning: task step: it tolerates nvidia.com/gpu, but asks for no device: on such a node it gets none; set a limit, such as one GPU (gpu)\n"},
		{"GPU with a limit", one("x:1", func(t *program.Task, _ *program.Component) {
			t.Settings.NodeSelector = []program.KeyValue{{Key: "cloud.google.com/gke-accelerator", Value: constant("nvidia-l4")}}
			t.Settings.Tolerations = []program.Toleration{{Operator: "Exists"}}
			t.Settings.Accelerators = []program.Accelerator{{Resource: "nvidia.com/gpu", Count: constant("1")}}
		}), ""},
		{"requests", one("x:1", func(t *program.Task, _ *program.Component) {
			t.Settings.CPURequest, t.Settings.CPULimit = pointer("1500m"), pointer("1.5")
			t.Settings.MemoryRequest, t.Settings.MemoryLimit = pointer("2Gi"), pointer("2G")
		}), "p.go:7: error: task step: it requests 2Gi of memory, more than its limit of 2G: Kubernetes refuses such a pod (resources)\n"},
		{"secrets", one("x:1", func(t *program.Task, _ *program.Component) {
			t.Settings.NoCache = true
			t.Settings.Env = []program.Env{{Name: "DB_PASSWORD", Value: constant("hunter2")}, {Name: "TOKENIZERS_PARALLELISM", Value: constant("false")}, {Name: "API_KEY", Value: constant("")}}
		}), "p.go:7: warning: task step: variable DB_PASSWORD has its value in the pipeline, where everybody can read it; take it from a secret (secret)\n"},
	} {
		if d := cmp.Diff(c.want, text(vet.Program(c.p, vet.Options{}))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestUnused: an input that only a setting or a condition reads is read.
func TestUnused(t *testing.T) {
	p := one("x:1", func(t *program.Task, _ *program.Component) {
		t.Args = map[string]program.Value{"a": {Kind: program.Format, Text: []string{"", ""}, Of: []program.Value{{Kind: program.Input, Name: "text"}}}}
		t.Settings.CPULimit = &program.Value{Kind: program.Input, Name: "cpu"}
		t.Settings.SecretEnv = []program.KeyEnv{{Name: "X", Object: program.Value{Kind: program.Input, Name: "secret"}}}
	})
	for _, name := range []string{"text", "cpu", "secret", "other"} {
		p.Components[0].Inputs = append(p.Components[0].Inputs, program.Port{Name: name, Type: graph.Type{Name: "STRING"}})
	}
	if got, want := text(vet.Program(p, vet.Options{})), "warning: nothing reads input other of pipeline one (unused)\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestOldZones: zones that are there for old systems only are warned about.
func TestOldZones(t *testing.T) {
	for zone, want := range map[string]bool{"": false, "UTC": false, "Europe/Zurich": false, "America/Indiana/Knox": false, "CET": true, "EST5EDT": true, "US/Pacific": true} {
		p := one("x:1", nil)
		p.Schedules = []*program.Schedule{{Name: "nightly", Cron: "0 3 * * *", Zone: zone}}
		if got := len(vet.Program(p, vet.Options{})) > 0; got != want {
			t.Errorf("%q: found %v", zone, got)
		}
	}
}

// TestTooLarge: what is too large for the cluster is said with its size, the limit and
// the largest contributors.
func TestTooLarge(t *testing.T) {
	sized := func(n int) *program.Program {
		return one("x:1", func(_ *program.Task, c *program.Component) {
			c.Exec.Container.Args = []string{strings.Repeat("x", n)}
		})
	}
	many := func(n, size int) *program.Program {
		p := sized(10)
		for i := range n {
			name := fmt.Sprintf("step-%d", i)
			p.Components[0].DAG.Tasks = append(p.Components[0].DAG.Tasks, &program.Task{Name: name, Component: name})
			p.Components = append(p.Components, &program.Component{Name: name, Exec: &program.Executor{Container: &program.Container{Image: "x:1", Command: []string{"run"}, Args: []string{strings.Repeat(name, size/len(name))}}}})
		}
		return p
	}
	for _, c := range []struct {
		name, target string
		p            *program.Program
		want         string
	}{
		{"small", emit.KFP, sized(50_000), ""},
		{"near an argument", emit.KFP, sized(110_000),
			"warning: what component step runs takes 107 KiB, near the limit of 128 KiB that the server can hand to a program as one argument (size)\n"},
		{"300 KB in one component", emit.KFP, sized(300_000),
			"error: what component step runs takes 293 KiB, and the server hands it to a program as one argument, which may have 128 KiB: the run fails (size)\n" +
				"warning: the pipeline takes 293 KiB; older KFP servers, such as 2.2, keep it in annotations, which may have 256 KiB; the largest: step 293 KiB (99 %), the tasks of the pipeline 0 KiB (0 %) (size)\n"},
		{"many", emit.KFP, many(40, 40_000),
			"error: the pipeline takes 1.53 MiB; a cluster stores objects of 1.50 MiB; the largest: step-10 39 KiB (2 %), step-11 39 KiB (2 %), step-12 39 KiB (2 %) (size)\n"},
		{"Argo, small", emit.Argo, sized(300_000), ""},
		{"Argo, many", emit.Argo, many(25, 40_000), "warning: the Workflow takes "},
		{"Argo, more, divided", emit.Argo, many(50, 40_000), "warning: the Workflow takes "},
		{"Argo, too large", emit.Argo, sized(1_700_000), "error: the Workflow takes "},
	} {
		w, err := emit.Write(c.p, c.target, emit.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := text(vet.Written(w, c.target, emit.Options{}))
		if strings.HasSuffix(c.want, "takes ") {
			if !strings.HasPrefix(got, c.want) || !strings.Contains(got, "; the largest: ") || strings.Count(got, "\n") != 1 {
				t.Errorf("%s: got %s", c.name, got)
			}
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
	p := sized(10)
	p.Components[0].Inputs = []program.Port{{Name: "config", Type: graph.Type{Name: "STRING"}, Default: json.RawMessage(`"` + strings.Repeat("é", 10_000) + `"`)}}
	w, err := emit.Write(p, emit.KFP, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := text(vet.Written(w, emit.KFP, emit.Options{})); !strings.HasPrefix(got, "warning: the default of input config has 10002 characters; a KFP server takes 10000") {
		t.Errorf("got %s", got)
	}
}

func FuzzProgram(f *testing.F) {
	b, err := os.ReadFile("../../local/report/testdata/program.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"a"},{"name":"y","component":"b"}]}},{"name":"b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &program.Program{}
		if json.Unmarshal(data, p) != nil || slices.Contains(p.Components, nil) || slices.Contains(p.Schedules, nil) {
			return
		}
		for _, c := range p.Components {
			if c.DAG != nil && slices.Contains(c.DAG.Tasks, nil) {
				return
			}
		}
		text(vet.Program(p, vet.Options{}))
	})
}

// TestReadable: what a finding quotes of a file is said in names, not in KFP's
// placeholders.
func TestReadable(t *testing.T) {
	p := program.Program{Name: "p", Main: "p", Components: []*program.Component{
		{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "get", Component: "get"}}}},
		{Name: "get", Inputs: []program.Port{{Name: "url", Type: graph.Type{Name: "STRING"}, Default: []byte(`"x"`)}}, Exec: &program.Executor{Container: &program.Container{
			Image: "x:1", Command: []string{"sh", "-c", "curl {{$.inputs.parameters['url']}} -o {{$.outputs.parameters['o'].output_file}}-{{$.pipeline_job_uuid}}"},
		}}},
	}}
	found := vet.Program(&p, vet.Options{})
	if len(found) == 0 {
		t.Fatal("nothing is found")
	}
	for _, f := range found {
		if strings.Contains(f.Msg, "{{$") {
			t.Errorf("%s", f)
		}
	}
}

// TestCachedExits: tasks of exit handlers that a file lets KFP cache, also in a pipeline
// that the handler calls, and not those that say so or are never cached.
func TestCachedExits(t *testing.T) {
	leaf := &program.Component{Name: "leaf", Exec: &program.Executor{Container: &program.Container{Image: "x:1", Command: []string{"x"}}}}
	program1 := func(sdk string) *program.Program {
		exit := func(name, component string, set program.Settings) *program.Task {
			return &program.Task{Name: name, Component: component, Exit: true, Always: true, Settings: set}
		}
		return &program.Program{Name: "p", Main: "p", IR: &program.IR{SDKVersion: sdk}, Components: []*program.Component{
			{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{
				exit("alert", "leaf", program.Settings{}), exit("key", "leaf", program.Settings{CacheKey: "k"}),
				exit("off", "leaf", program.Settings{NoCache: true}), exit("called", "clean", program.Settings{}), {Name: "usual", Component: "leaf"},
			}}},
			{Name: "clean", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "inside", Component: "leaf"}}}},
			leaf,
		}}
	}
	for _, c := range []struct {
		sdk  string
		argo bool
		want string
	}{{"kfp-2.17.3", false, "alert called/inside"}, {"kfp-2.17.3", true, ""}, {"kfpgo-1.0.0", false, ""}} {
		var tasks []string
		for _, f := range vet.Program(program1(c.sdk), vet.Options{Argo: c.argo}) {
			if f.Rule == "cache" {
				tasks = append(tasks, f.Task)
			}
		}
		if got := strings.Join(tasks, " "); got != c.want {
			t.Errorf("%s, argo %v: found in %q, want %q", c.sdk, c.argo, got, c.want)
		}
	}
}

// TestServerOfFile: what a file has that KFP's servers don't know is named.
func TestServerOfFile(t *testing.T) {
	p := one("x:1", func(task *program.Task, c *program.Component) {
		c.Inputs = []program.Port{{Name: "x", Type: graph.Type{Name: "STRING"}}}
		task.Args = map[string]program.Value{"x": {Kind: program.Run, Name: "pipeline_job_id"}}
		task.Each = &program.Each{Item: "x", Items: constant([]string{"{{$.pipeline_job_name}}"})}
	})
	p.IR = &program.IR{Unread: []program.Unread{{Path: "root.later", Pos: graph.Pos{File: "p.yaml", Line: 3}}, {Path: "root.known", Known: true}}}
	got := text(vet.Written(kfp.Written{Program: p}, emit.KFP, emit.Options{}))
	for _, want := range []string{
		"p.yaml:3: warning: KFP's servers up to 2.17 do nothing about a field of an IR file that KFP 2.17 doesn't know, root.later; take it out of the file, which they may refuse for it (server)\n",
		"p.go:7: warning: task step: KFP's servers up to 2.17 do nothing about a placeholder of an IR file that KFP doesn't know, pipeline_job_id; ",
		"p.go:7: warning: task step: KFP's servers up to 2.17 do nothing about a placeholder of an IR file in the items of a loop, <job_name>; ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nshould say: %s", got, want)
		}
	}
	if strings.Contains(got, "root.known") {
		t.Errorf("a field that KFP knows: %s", got)
	}
}

// TestServerOfEqualContainers: components of a file that servers take for one are named.
func TestServerOfEqualContainers(t *testing.T) {
	const file = `pipelineInfo: {name: p}
schemaVersion: 2.1.0
sdkVersion: kfp-2.17.0
root: {dag: {tasks: {a: {componentRef: {name: comp-a}, taskInfo: {name: a}}, b: {componentRef: {name: comp-b}, taskInfo: {name: b}}}}}
components:
  comp-a: {executorLabel: exec-a, inputDefinitions: {parameters: {x: {parameterType: STRING, defaultValue: a, isOptional: true}}}}
  comp-b: {executorLabel: exec-b, inputDefinitions: {parameters: {x: {parameterType: STRING, defaultValue: %s, isOptional: true}}}}
deploymentSpec:
  executors:
    exec-a: {container: {image: busybox:1, command: [echo, hello]}}
    exec-b: {container: {image: busybox:1, command: [echo, %s]}}
`
	for _, c := range []struct {
		value, says string
		want        string
	}{
		{"b", "hello", "warning: the components comp-a and comp-b have equal containers, and other inputs or outputs; KFP's servers up to 2.17 may run one with the inputs, types and defaults of the other; set an environment variable in one of them (server)\n"},
		{"b", "bye", ""},
		{"a", "hello", ""},
	} {
		p, err := kfpread.Read("p.yaml", fmt.Appendf(nil, file, c.value, c.says))
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{emit.KFP, emit.KFPManifest} {
			for _, o := range []emit.Options{{}, {Exact: true}} {
				w, err := emit.Write(p, target, o)
				if err != nil {
					t.Fatal(err)
				}
				if got := text(vet.Written(w, target, o)); got != c.want {
					t.Errorf("%s, default %s, echo %s: %q, want %q", target, c.value, c.says, got, c.want)
				}
			}
		}
	}
}

// TestServerOfStatus: a step that reads of the final status what KFP's servers leave out is
// named, in each language.
func TestServerOfStatus(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "steps.go")
	src := `package steps

var message = dsl.Func("message", func(_ context.Context, in In, _ *dsl.None) error {
	return post(in.Status)
})

func post(s dsl.FinalStatus) error { return say(s.State, s.Error.Message) }

var task = dsl.Func("task", func(_ context.Context, in In, _ *dsl.None) error { return say(in.Status.PipelineTask) })

var state = dsl.Func("state", func(_ context.Context, in In, _ *dsl.None) error { err := say(in.Status.State); return errors.New(err.Error()) })
`
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		line int
		exec *program.Executor
		want string
	}{
		{"message", 3, &program.Executor{Go: &program.GoStep{}}, "Error.Message"},
		{"task", 9, &program.Executor{Go: &program.GoStep{}}, "PipelineTask"},
		{"state", 11, &program.Executor{Go: &program.GoStep{}}, ""},
		{"python", 1, &program.Executor{Python: &program.Python{Source: "def f(status):\n  print(status.error_message)"}}, "error_message"},
		{"python-state", 1, &program.Executor{Python: &program.Python{Source: "def f(status):\n  print(status.state)"}}, ""},
		{"container", 1, &program.Executor{Container: &program.Container{Command: []string{"jq", ".pipelineTaskName"}}}, "pipelineTaskName"},
	} {
		step := &program.Component{Name: "step", Pos: graph.Pos{File: file, Line: c.line}, Exec: c.exec, Inputs: []program.Port{{Name: "status", Type: graph.Type{Name: "STRUCT"}}}}
		handler := &program.Component{Name: "handler", Inputs: step.Inputs, DAG: &program.DAG{Tasks: []*program.Task{
			{Name: "tell", Component: "step", Args: map[string]program.Value{"status": {Kind: program.Input, Name: "status"}}},
		}}}
		main := &program.Component{Name: "main", DAG: &program.DAG{Tasks: []*program.Task{
			{Name: "work", Component: "work"},
			{Name: "handle", Component: "handler", Args: map[string]program.Value{"status": {Kind: program.Status, Task: "work"}}},
		}}}
		work := &program.Component{Name: "work", DAG: &program.DAG{}}
		p := &program.Program{Main: "main", Components: []*program.Component{main, handler, work, step}}
		got := text(vet.Written(kfp.Written{Program: p}, emit.KFP, emit.Options{KFPVersion: "2.17"}))
		if want := "warning: task handle/tell: it reads " + c.want + " of the final status"; c.want == "" && got != "" || c.want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
