package kfp_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestKinds keeps the IR of calc's two other kinds as goldens.
func TestKinds(t *testing.T) {
	for _, d := range []dsl.Definition{calc.ContainerPipeline, resources} {
		t.Run(d.Name(), func(t *testing.T) { golden.Check(t, filepath.Join("testdata", d.Name()+".yaml"), write(t, d)) })
	}
}

// TestPython sends the runtime along with the source, once for all steps that
// call the same function.
func TestPython(t *testing.T) {
	spec := read(t, write(t, calc.PythonPipeline))[0]
	executors := irdiff.At(spec, "deploymentSpec", "executors").(map[string]any)
	if len(executors) != 2 {
		t.Errorf("%d executors, want 2", len(executors))
	}
	got := irdiff.At(executors, "exec-my-divmod-python", "container").(map[string]any)
	want := map[string]any{"image": "python:3.12", "command": []any{"python3", "-c", pyrun.Runtime}, "args": got["args"]}
	for _, l := range irdiff.Diff("", got, want) {
		t.Error(l)
	}
	j, err := json.Marshal(got["args"])
	if err != nil {
		t.Fatal(err)
	}
	args := string(j)
	for _, w := range []string{`"{{$}}"`, "def my_divmod", `"--function","my_divmod"`, "numpy=="} {
		if !strings.Contains(args, w) {
			t.Errorf("arguments %s: no %s", args, w)
		}
	}
}

type jobOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

var runJob = dsl.Resource("Run Job", func(in textIn, _ jobOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Create, Manifest: "kind: Job\nmetadata: {generateName: " + in.Text.String() + "}\nspec: {image: " + dsl.ProgramImage + "}\n"}
})

// resources has what no Python SDK can say.
var resources = dsl.Pipeline("resources", func(s *dsl.Scope, in textIn) dsl.None {
	job := runJob.Call(s, in, dsl.Timeout(time.Minute), dsl.Env("A", dsl.ProgramImage))
	say.Call(s, textIn{Text: dsl.Sprintf("%s of "+dsl.ProgramImage, job.Out.Name)}, dsl.Image(dsl.ProgramImage))
	say.Call(s, textIn{Text: job.Out.Name})
	say.Call(s, textIn{Text: dsl.Const("again")})
	return dsl.None{}
})

// TestShared writes a component once for all tasks that use it alike.
func TestShared(t *testing.T) {
	spec := read(t, write(t, resources))[0]
	if n := len(irdiff.At(spec, "components").(map[string]any)); n != 3 { // the job, and say with two images
		t.Errorf("%d components, want 3: %v", n, irdiff.At(spec, "components"))
	}
}

// TestDeterministic writes the same bytes each time.
func TestDeterministic(t *testing.T) {
	for range 5 {
		for _, p := range pairs.All() {
			if p.Definition == nil {
				continue
			}
			if a, b := write(t, p.Definition), write(t, p.Definition); string(a) != string(b) {
				t.Fatalf("%s differs", p.Name)
			}
		}
	}
}

// TestOutputAt runs the command of a container whose image writes to paths of
// its own, as KFP does once it has replaced the placeholders.
func TestOutputAt(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "it's own")
	type out struct {
		Score dsl.Param[float64]
		Model dsl.Model
	}
	bench := func(script string) *dsl.Component[textIn, out] {
		return dsl.Container("bench", func(in textIn, o out) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: "bench", Command: []string{"sh", "-c", script}, Args: dsl.Args(own, in.Text),
				Outputs: []dsl.OutputFile{dsl.OutputAt(o.Score, own+"/score"), dsl.OutputAt(o.Model, own+"/model")}}
		})
	}
	for _, c := range []struct{ script, stderr string }{
		{`mkdir -p "$0/model/deep" && echo "$1" >"$0/score" && echo m >"$0/model/deep/w"`, ""},
		{`mkdir -p "$0/model" && exit 3`, "exit status 3"},
		{`mkdir -p "$0/model"`, "output score: the image wrote nothing at " + own + "/score"},
	} {
		if err := os.RemoveAll(own); err != nil {
			t.Fatal(err)
		}
		spec := read(t, write(t, dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
			bench(c.script).Call(s, in)
			return dsl.None{}
		})))[0]
		k := irdiff.At(spec, "deploymentSpec", "executors", "exec-bench", "container")
		var argv []string
		for _, part := range []string{"command", "args"} {
			for _, a := range irdiff.At(k, part).([]any) {
				argv = append(argv, strings.NewReplacer(
					"{{$.inputs.parameters['text']}}", "0.5 $x",
					"{{$.outputs.parameters['score'].output_file}}", dir+"/kfp/outputs/score",
					"{{$.outputs.artifacts['model'].path}}", dir+"/minio/bucket/model").Replace(a.(string)))
			}
		}
		for _, gone := range []string{"kfp", "minio"} {
			if err := os.RemoveAll(filepath.Join(dir, gone)); err != nil {
				t.Fatal(err)
			}
		}
		b, err := exec.CommandContext(context.Background(), argv[0], argv[1:]...).CombinedOutput()
		if c.stderr != "" {
			if err == nil || !strings.Contains(string(b)+err.Error(), c.stderr) {
				t.Errorf("%s: %v %s, want %s", c.script, err, b, c.stderr)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.script, err, b)
		}
		for file, want := range map[string]string{"kfp/outputs/score": "0.5 $x\n", "minio/bucket/model/deep/w": "m\n"} {
			if got, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v, want %q", file, got, err, want)
			}
		}
	}
}

// TestHandMade covers what the language has no words for yet.
func TestHandMade(t *testing.T) {
	text := func(s string) program.Value {
		j, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return program.Value{Kind: program.Const, Type: graph.Type{Name: "STRING"}, Const: j}
	}
	seconds := int64(10)
	p := &program.Program{
		Name: "hand-made", Title: "Hand made", Doc: "Two lines\nof it.", Main: "hand-made",
		Components: []*program.Component{
			{Name: "hand-made", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{
				{Name: "step", Component: "step", Settings: program.Settings{Kubernetes: program.Kubernetes{
					Labels: []program.KeyValue{{Key: "team", Value: text("ml")}}, Annotations: []program.KeyValue{{Key: "note", Value: text("x: y")}},
					Tolerations: []program.Toleration{{Key: "gpu", Effect: "NoExecute", Seconds: &seconds}},
					PVCMounts:   []program.PVCMount{{Claim: text("data"), Path: "/data", SubPath: "in"}},
				}}},
				{Name: "base", Component: "base", Args: map[string]program.Value{"uri": text("s3://b/m"), "metadata": text("v")}},
			}}},
			{Name: "step", Exec: &program.Executor{Go: &program.GoStep{Name: "step"}}},
			{Name: "base", Inputs: []program.Port{{Name: "uri", Type: graph.Type{Name: "STRING"}}, {Name: "metadata", Type: graph.Type{Name: "STRING"}}},
				Outputs: []program.Port{{Name: "artifact", Type: graph.Type{Name: "system.Model", Artifact: true}}},
				Exec:    &program.Executor{Importer: &program.Importer{Reimport: true, Metadata: map[string]json.RawMessage{"a": json.RawMessage(`"b"`), "c": json.RawMessage(`"{{$.inputs.parameters['metadata']}}"`)}}}},
		},
	}
	b, err := kfp.Write(p, kfp.Options{Image: "prog", Version: "0.1.0"})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", p.Name+".yaml"), b)
}

// TestRefused names the task and the setting that KFP can't do.
func TestRefused(t *testing.T) {
	type in struct {
		S    dsl.Param[string]
		N    dsl.Param[int]
		Item dsl.Param[sweepItem]
	}
	pipeline := func(body func(*dsl.Scope, in)) dsl.Definition {
		return dsl.Pipeline("p", func(s *dsl.Scope, in in) dsl.None { body(s, in); return dsl.None{} })
	}
	hi := textIn{Text: dsl.Const("hi")}
	goStep := dsl.Func("go-step", func(context.Context, textIn, *dsl.None) error { return nil })
	noCommand := dsl.Container("no-command", func(_ dsl.None, o textOut) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "x", Outputs: []dsl.OutputFile{dsl.OutputAt(o.Out, "/out")}}
	})
	own := dsl.Container("own", func(struct {
		CPULimit dsl.Param[string] `kfp:"cpu_limit"`
	}, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "x", Command: []string{"x"}}
	})
	for name, c := range map[string]struct {
		d    dsl.Definition
		want []string
	}{
		"big number": {pipeline(func(s *dsl.Scope, in in) { makeInt.Call(s, intIn{N: dsl.Const(1<<53 + 1)}) }), []string{"task make-int: input n", "2^53"}},
		"big number in a loop": {pipeline(func(s *dsl.Scope, in in) {
			dsl.ParallelFor(s, dsl.Const([]int{1 << 60}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
				makeInt.Call(s, intIn{N: n})
				return dsl.None{}
			})
		}), []string{"task for-loop-2: items of the loop", "2^53"}},
		"big default": {dsl.Pipeline("p", func(s *dsl.Scope, in intIn) dsl.None {
			makeInt.Call(s, in)
			return dsl.None{}
		}).Defaults(intIn{N: dsl.Const(-1<<53 - 1)}), []string{"default of input n", "2^53"}},
		"placeholder": {pipeline(func(s *dsl.Scope, in in) { say.Call(s, textIn{Text: dsl.Const("a {{$}}")}) }), []string{"task say: input text", "{{$"}},
		"placeholder in a text": {pipeline(func(s *dsl.Scope, in in) { say.Call(s, textIn{Text: dsl.Sprintf("{{$ %s", in.S)}) }),
			[]string{"task say: input text", "{{$"}},
		"env":          {pipeline(func(s *dsl.Scope, in in) { say.Call(s, hi, dsl.Env("A", in.S)) }), []string{"task say: target kfp has no dsl.Env of a reference"}},
		"retry":        {pipeline(func(s *dsl.Scope, in in) { say.Call(s, hi, dsl.Retry(in.N)) }), []string{"task say: target kfp has no dsl.Retry of a reference"}},
		"devices":      {pipeline(func(s *dsl.Scope, in in) { say.Call(s, hi, dsl.GPU(1), dsl.Accelerator("amd.com/gpu", 1)) }), []string{"several device resources"}},
		"text as size": {pipeline(func(s *dsl.Scope, in in) { say.Call(s, hi, dsl.Memory(dsl.Sprintf("%sGi", in.S))) }), []string{"task say: dsl.Memory"}},
		"text as claim": {pipeline(func(s *dsl.Scope, in in) { say.Call(s, hi, k8s.MountPVC(dsl.Sprintf("%s-x", in.S), "/x")) }),
			[]string{"task say: k8s.MountPVC"}},
		"node selector": {pipeline(func(s *dsl.Scope, in in) { say.Call(s, hi, k8s.NodeSelector("zone", in.S)) }), []string{"task say: target kfp has no k8s.NodeSelector of a reference"}},
		"field of the status": {pipeline(func(s *dsl.Scope, in in) {
			dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
				say.Call(s, textIn{Text: dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
			})
			say.Call(s, hi)
		}), []string{"task say: target kfp has no field of the final status"}},
		"no command": {pipeline(func(s *dsl.Scope, in in) { noCommand.Call(s, dsl.None{}) }), []string{"task no-command: component no-command", "set Command"}},
		"image":      {pipeline(func(s *dsl.Scope, in in) { goStep.Call(s, hi) }), []string{"task go-step: component go-step runs in the program's image", "--image"}},
		"own input": {pipeline(func(s *dsl.Scope, in in) {
			own.Call(s, struct {
				CPULimit dsl.Param[string] `kfp:"cpu_limit"`
			}{in.S}, dsl.CPU(in.S))
		}), []string{"task own: dsl.CPU", "cpu_limit"}},
		"import": {pipeline(func(s *dsl.Scope, in in) {
			k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: in.S}, dsl.CPU("1"))
		}), []string{"no option for pods on an importer, k8s.CreatePVC, DeletePVC or argo.Suspend"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := try(t, c.d, kfp.Options{})
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range append(c.want, "p.go:1", "pipeline p: ") {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%v\ndoesn't say %q", err, w)
				}
			}
		})
	}
}

// TestMalformed refuses programs that no definition makes, and never panics.
func TestMalformed(t *testing.T) {
	str := graph.Type{Name: "STRING"}
	pipeline := func(tasks ...*program.Task) *program.Component {
		return &program.Component{Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Tasks: tasks}}
	}
	step := &program.Component{Name: "step", Inputs: []program.Port{{Name: "text", Type: str}}, Exec: &program.Executor{Go: &program.GoStep{Name: "step"}}}
	arg := func(v program.Value) *program.Task {
		return &program.Task{Name: "t", Component: "step", Args: map[string]program.Value{"text": v}}
	}
	for name, c := range map[string]struct {
		components []*program.Component
		want       string
	}{
		"no main":             {nil, "is not a pipeline"},
		"main is a step":      {[]*program.Component{{Name: "p", Exec: step.Exec}}, "is not a pipeline"},
		"no component":        {[]*program.Component{pipeline(&program.Task{Name: "t", Component: "gone"})}, `no component "gone"`},
		"no executor":         {[]*program.Component{pipeline(&program.Task{Name: "t", Component: "c"}), {Name: "c"}}, "neither tasks nor an executor"},
		"empty executor":      {[]*program.Component{pipeline(&program.Task{Name: "t", Component: "c"}), {Name: "c", Exec: &program.Executor{}}}, "executor that KFP doesn't know"},
		"unknown input":       {[]*program.Component{pipeline(&program.Task{Name: "t", Component: "step", Args: map[string]program.Value{"x": {}}}), step}, `no input "x"`},
		"no value":            {[]*program.Component{pipeline(arg(program.Value{})), step}, "input text"},
		"fire time":           {[]*program.Component{pipeline(arg(program.Value{Kind: program.FireTime})), step}, "firetime"},
		"bad constant":        {[]*program.Component{pipeline(arg(program.Value{Kind: program.Const, Const: json.RawMessage("{")})), step}, "input text"},
		"output from nowhere": {[]*program.Component{{Name: "p", DAG: &program.DAG{}, Outputs: []program.Port{{Name: "o", Type: str}}}}, "output o"},
		"loop over nothing":   {[]*program.Component{pipeline(&program.Task{Name: "t", Component: "step", Each: &program.Each{}}), step}, "is not an input of its component"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &program.Program{Name: "p", Main: "p", Components: c.components}
			if _, err := kfp.Write(p, kfp.Options{Image: "prog"}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	// A pipeline that calls itself ends.
	self := pipeline(&program.Task{Name: "t", Component: "p"})
	if _, err := kfp.Write(&program.Program{Name: "p", Main: "p", Components: []*program.Component{self}}, kfp.Options{}); err != nil {
		t.Log(err)
	}
}
