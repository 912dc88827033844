package pyrun_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

const source = `
from typing import NamedTuple, List
from kfp import dsl
from kfp.dsl import (ClassificationMetrics, Dataset, Input, InputPath, Metrics, Model, Output, OutputPath,
                     PipelineTaskFinalStatus)


def add(a: float, b: float) -> float:
    return a + b


def my_divmod(dividend: float, divisor: float) -> NamedTuple('D', [('quotient', float), ('remainder', float)]):
    return divmod(dividend, divisor)


def single() -> NamedTuple('S', [('a', float)]):
    return (0.5,)


def named(n: int):
    out = NamedTuple('Out', [('b', str), ('a', int)])
    return out(b="it's {{x}} $(A)\n", a=n)


@dsl.component(base_image='x')
def train(data: Input[Dataset], many: Input[List[Model]], note: str, model: Output[Model], m: Output[Metrics],
          c: Output[ClassificationMetrics], text: OutputPath(str), text2_path: OutputPath(), data_path: InputPath(Dataset) = None):
    assert isinstance(many[1], Model) and isinstance(data, Dataset) and note is None, (many, data, note)
    with open(model.path, 'w') as f:
        f.write(open(data.path).read() + many[1].uri)
    model.metadata['k'] = data.metadata['rows']
    m.log_metric('accuracy', 0.5)
    c.log_confusion_matrix(['a', 'b'], [[1, 2], [3, 4]])
    with open(text, 'w') as f:
        f.write('hello')
    with open(text2_path, 'w') as f:
        f.write('[1]')


def status(s: PipelineTaskFinalStatus) -> str:
    return ' '.join([s.state, s.pipeline_task_name, str(s.error_message)])


def fails(n: int) -> int:
    return [][n]


def none(n: int) -> int:
    pass


def three(n: int) -> int:
    return 1, 2, 3


def variables() -> str:
    import os
    return os.environ['A'] + os.environ['B']


def said(text):
    return str(text)


def nan() -> float:
    return float('nan')
`

func component(function string, outputs ...string) *program.Component {
	c := &program.Component{Name: function, Exec: &program.Executor{Python: &program.Python{Source: source, Function: function}}}
	for _, o := range outputs {
		name, kind, ok := strings.Cut(o, ":")
		if !ok {
			kind = "STRING"
		}
		c.Outputs = append(c.Outputs, program.Port{Name: name, Type: graph.Type{Name: kind}})
	}
	return c
}

// run runs a function on an executor input and returns its executor output.
func run(t *testing.T, c *program.Component, input string) (output, stderr string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "input.json")
	input = strings.ReplaceAll(input, "DIR", dir)
	if err := os.WriteFile(file, []byte(input), 0o644); err != nil {
		t.Fatal(err)
	}
	argv := append(pyrun.Command(), pyrun.Args(c, "@"+file, true)...)
	cmd := exec.Command(argv[0], argv[1:]...)
	var b strings.Builder
	cmd.Stderr = &b
	err := cmd.Run()
	out, _ := os.ReadFile(filepath.Join(dir, "out", "output.json"))
	if (err != nil) != (b.Len() > 0) {
		t.Errorf("%s: %v with message %q", c.Name, err, b.String())
	}
	return strings.ReplaceAll(string(out), dir, "DIR"), strings.ReplaceAll(b.String(), dir, "DIR")
}

// TestLastWords: a message goes to the file for it, where there is one.
func TestLastWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "termination-log")
	last := func() (string, error) {
		argv := append(pyrun.Command(), pyrun.Args(component("fails", "n"), `{"inputs":{"parameterValues":{"n":3}},"outputs":{}}`, true)...)
		if err := exec.Command(argv[0], append(argv[1:], "--last-words", file)...).Run(); err == nil {
			t.Error("no error")
		}
		b, err := os.ReadFile(file)
		return string(b), err
	}
	if got, err := last(); err == nil {
		t.Errorf("the file was made, with %q", got)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("x", 5000)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := last(); err != nil || got != "fails: IndexError: list index out of range at line 45 (return [][n])" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFunctions(t *testing.T) {
	for _, tt := range []struct {
		c             *program.Component
		params        string
		output, error string
	}{
		{component("add", "sum:NUMBER_DOUBLE"), `"a":12,"b":4.5`, `{"parameterValues":{"sum":16.5},"artifacts":{}}`, ""},
		{component("my_divmod", "quotient:NUMBER_DOUBLE", "remainder:NUMBER_DOUBLE"), `"dividend":16,"divisor":7`, `{"parameterValues":{"quotient":2.0,"remainder":2.0},"artifacts":{}}`, ""},
		{component("single", "a:NUMBER_DOUBLE"), ``, `{"parameterValues":{"a":0.5},"artifacts":{}}`, ""},
		{component("named", "a:NUMBER_INTEGER", "b"), `"n":9007199254740993`, `{"parameterValues":{"b":"it's {{x}} $(A)\n","a":9007199254740993},"artifacts":{}}`, ""},
		{component("status", "s"), `"s":{"state":"FAILED","pipelineTaskName":"train","error":{"message":"no"}}`, `{"parameterValues":{"s":"FAILED train no"},"artifacts":{}}`, ""},
		{component("status", "s"), `"s":{"state":"Failed","failures":"\"[{\\\"displayName\\\":\\\"train(0)\\\",\\\"message\\\":\\\"boom\\\"}]\""}`, `{"parameterValues":{"s":"FAILED train(0) boom"},"artifacts":{}}`, ""},
		{component("fails", "n"), `"n":3`, "", "fails: IndexError: list index out of range at line 45 (return [][n])\n"},
		{component("none", "n"), `"n":3`, "", "none: output n was never set\n"},
		{component("none", "a", "b"), `"n":3`, "", "none: output a, b was never set\n"},
		{component("three", "a", "b"), `"n":3`, "", "three: returned 3 values for the 2 outputs a, b\n"},
		{component("named", "a:NUMBER_INTEGER"), `"n":3`, "", "named: returned b, which is not an output of the component; it has a\n"},
		{component("variables", "v"), `"kfpgo-env--A":"it's {{x}}","kfpgo-env--B":[1]`, `{"parameterValues":{"v":"it's {{x}}[1]"},"artifacts":{}}`, ""},
		// As TestComposed of package dsl.
		{component("said", "v"), `"text":"<{{$.inputs.parameters['pipelinechannel--s']}}|{{$.inputs.parameters[\"pipelinechannel--s\"]}}>","pipelinechannel--s":"it's \"x\" \\ {{$.inputs.parameters['pipelinechannel--n']}}","pipelinechannel--n":2`,
			`{"parameterValues":{"v":"<it's \"x\" \\ {{$.inputs.parameters['pipelinechannel--n']}}|it's \"x\" \\ {{$.inputs.parameters['pipelinechannel--n']}}>"},"artifacts":{}}`, ""},
		{component("said", "v"), `"text":"{{$.inputs.parameters['pipelinechannel--a']}} {{$.inputs.parameters[\"pipelinechannel--a\"]}} {{$.inputs.parameters['pipelinechannel--b']}} {{$.inputs.parameters['pipelinechannel--c']}}{{$.inputs.parameters[\"pipelinechannel--c\"]}}","pipelinechannel--a":1e-07,"pipelinechannel--b":2.0`,
			`{"parameterValues":{"v":"0.0000001 1e-7 2 {{$.inputs.parameters['pipelinechannel--c']}}"},"artifacts":{}}`, ""},
		{component("said", "v"), `"text":["{{$.inputs.parameters['pipelinechannel--l']}}",{"k":"{{$.inputs.parameters['pipelinechannel--t']}}"},"{{$.inputs.parameters['text']}}"],"pipelinechannel--l":["a",1],"pipelinechannel--t":true`,
			`{"parameterValues":{"v":"['[\"a\",1]', {'k': 'true'}, \"{{$.inputs.parameters['text']}}\"]"},"artifacts":{}}`, ""},
		{component("said", "v"), `"text":["{{$.inputs.parameters[\"pipelinechannel--n\"].json}}",{"k":"{{$.inputs.parameters[\"pipelinechannel--l\"].json}}"},"{{$.inputs.parameters[\"pipelinechannel--none\"].json}}","a{{$.inputs.parameters[\"pipelinechannel--n\"].json}}"],"pipelinechannel--n":2.0,"pipelinechannel--l":[3.0,{"x":0.5,"t":"it's"}]`,
			`{"parameterValues":{"v":"[2, {'k': [3, {'x': 0.5, 't': \"it's\"}]}, None, 'a{{$.inputs.parameters[\"pipelinechannel--n\"].json}}']"},"artifacts":{}}`, ""},
		{component("nan", "n:NUMBER_DOUBLE"), ``, "", "nan: an output can't be JSON"},
		{component("named", "a", "b"), `"n":3`, "", "named: output a is int, want str\n"},
		{component("absent", "n"), ``, "", "absent: the source has no function absent\n"},
	} {
		got, said := run(t, tt.c, `{"inputs":{"parameterValues":{`+tt.params+`}},"outputs":{"outputFile":"DIR/out/output.json"}}`)
		traceback, msg := lastLine(said)
		if strings.Contains(tt.error, " at line ") != strings.HasPrefix(traceback, "Traceback ") || strings.Contains(traceback, "exec(") {
			t.Errorf("%s: its log has %q", tt.c.Name, traceback)
		}
		if got != tt.output || !strings.HasPrefix(msg, tt.error) || strings.Count(msg, "\n") > 1 {
			t.Errorf("%s: got %s\n%s\nwant %s\n%s", tt.c.Name, got, msg, tt.output, tt.error)
		}
	}
}

// TestExecutorLogs: a step's outputs are those of its function, though KFP 2.17 adds one.
func TestExecutorLogs(t *testing.T) {
	got, said := run(t, component("said", "v"), `{"inputs":{"parameterValues":{"text":"a"}},"outputs":{"outputFile":"DIR/out/output.json",
		"artifacts":{"executor-logs":{"artifacts":[{"name":"executor-logs","uri":"DIR/logs","type":{"schemaTitle":"system.Artifact"}}]}}}}`)
	if want := `{"parameterValues":{"v":"a"},"artifacts":{}}`; got != want || said != "" {
		t.Errorf("got %s\n%s\nwant %s", got, said, want)
	}
}

// TestArtifacts runs a function that uses all of KFP's run-time API, by Argo's
// form of the contract.
func TestArtifacts(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	os.WriteFile(data, []byte("rows:"), 0o644)
	got, msg := run(t, component("train", "text", "text2"), `{"kfpgo":{"v":1,"outputs":"argo"},
		"inputs":{"parameterValues":{"note":null},"artifacts":{
			"data":{"artifacts":[{"uri":"s3://b/d","customPath":"`+data+`","metadata":{"rows":"{{3}}"}}]},
			"many":{"artifacts":[{"uri":"a"},{"uri":"b","type":{"schemaTitle":"system.Model"}}]}}},
		"outputs":{"outputFile":"DIR/out/output.json",
			"parameters":{"text":{"outputFile":"DIR/c/text"},"text2":{"outputFile":"DIR/c/text2"}},
			"artifacts":{"model":{"artifacts":[{"name":"model","uri":"DIR/new/model","metadataFile":"`+dir+`/meta"}]},
			"m":{"artifacts":[{"uri":"DIR/m"}]},"c":{"artifacts":[{"uri":"DIR/c.json"}]}}}}`)
	if msg != "" {
		t.Fatal(msg)
	}
	var out struct {
		ParameterValues map[string]json.RawMessage
		Artifacts       map[string]struct {
			Artifacts []struct{ Metadata map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(got), &out); err != nil {
		t.Fatal(err)
	}
	if string(out.ParameterValues["text"]) != `"hello"` || string(out.ParameterValues["text2"]) != `"[1]"` ||
		out.Artifacts["m"].Artifacts[0].Metadata["accuracy"] != 0.5 || out.Artifacts["c"].Artifacts[0].Metadata["confusionMatrix"] == nil {
		t.Errorf("got %s", got)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "meta")); err != nil || string(b) != `{"k":"{\u007b3}}"}` {
		t.Errorf("metadata: %s, %v", b, err)
	}
}

// TestText holds the runtime free of what its way to the container would expand.
func TestText(t *testing.T) {
	for _, bad := range []string{"{{", "$(", "$$"} {
		if strings.Contains(pyrun.Runtime, bad) {
			t.Errorf("the runtime holds %q", bad)
		}
		c := component("add", "sum:NUMBER_DOUBLE")
		c.Exec.Python.Source = "x = '" + bad + "'"
		if text := strings.Join(pyrun.Args(c, "{{$}}", true), " "); strings.Contains(strings.ReplaceAll(text, "{{$}}", ""), bad) {
			t.Errorf("the source arrives with %q", bad)
		}
	}
}

// TestWholeModule runs a step of a module that also has a pipeline and compiles it.
func TestWholeModule(t *testing.T) {
	c := &program.Component{Name: "add", Exec: &program.Executor{Python: &program.Python{Function: "add", Source: `
from kfp import Client, compiler, dsl


@dsl.component
def add(a: int, b: int) -> int:
    return a + b


@dsl.container_component
def hello() -> dsl.ContainerSpec:
    return dsl.ContainerSpec(image='busybox')


@dsl.pipeline(name='sums')
def sums(n: int = 1) -> int:
    with dsl.If(n > 1):
        add(a=n, b=1)
    return add(a=n, b=2).output


if __name__ == '__main__':
    compiler.Compiler().compile(sums, 'sums.yaml')
`}}}
	c.Outputs = []program.Port{{Name: "sum", Type: graph.Type{Name: "NUMBER_INTEGER"}}}
	output, stderr := run(t, c, `{"inputs":{"parameterValues":{"a":9007199254740992,"b":1}},"outputs":{"outputFile":"DIR/out/output.json"}}`)
	if want := `{"parameterValues":{"sum":9007199254740993},"artifacts":{}}`; output != want {
		t.Errorf("got %s, %s; want %s", output, stderr, want)
	}
	c.Exec.Python.Function, c.Name = "hello", "hello"
	_, stderr = run(t, c, `{"inputs":{},"outputs":{}}`)
	if want := "hello: kfp's ContainerSpec works where a pipeline is compiled, not inside a step\n"; stderr != want {
		t.Errorf("got %q, want %q", stderr, want)
	}
}
