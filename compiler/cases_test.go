package compiler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
)

// Public bug reports about pipeline SDKs, as small pipelines; each has the value
// that is right.

type caseIn struct {
	Text dsl.Param[string]  `default:"a b c"`
	N    dsl.Param[int]     `default:"0"`
	F    dsl.Param[float64] `default:"0.00002"`
	B    dsl.Param[bool]    `default:"false"`
	List dsl.Param[[]int]
}

type caseOut struct {
	Text dsl.Param[string]
	List dsl.Param[[]int]
}

var caseStep = dsl.Func("step", func(context.Context, caseIn, *caseOut) error { return nil })

func caseOf(name string, body func(s *dsl.Scope, in caseIn)) dsl.Definition {
	return dsl.Pipeline(name, func(s *dsl.Scope, in caseIn) dsl.None { body(s, in); return dsl.None{} }).
		Defaults(caseIn{List: dsl.Const([]int{1, 2})})
}

// compiled returns the first document of a target's YAML.
func compiled(t *testing.T, d dsl.Definition, target compiler.Target) (doc map[string]any, text string) {
	t.Helper()
	b, err := compiler.Compile(d, target, compiler.Image("example.com/app:1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(b, &doc); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return doc, string(b)
}

// get follows keys, and names of list elements, into a document.
func get(t *testing.T, v any, keys ...string) any {
	t.Helper()
	for _, k := range keys {
		switch x := v.(type) {
		case map[string]any:
			v = x[k]
		case []any:
			v = nil
			for _, e := range x {
				if m, ok := e.(map[string]any); ok && m["name"] == k {
					v = m
				}
			}
		default:
			v = nil
		}
	}
	if v == nil {
		t.Errorf("nothing at %s", strings.Join(keys, "."))
	}
	return v
}

func wantJSON(t *testing.T, got any, want string) {
	t.Helper()
	if b, _ := json.Marshal(got); string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
}

// TestTaskNamedAsPipeline: a pipeline and its task have one name.
func TestTaskNamedAsPipeline(t *testing.T) {
	example := dsl.Func("example", func(context.Context, caseIn, *caseOut) error { return nil })
	doc, _ := compiled(t, caseOf("example", func(s *dsl.Scope, in caseIn) { example.Call(s, in) }), argo.Workflow)
	seen := map[any]bool{}
	for _, tmpl := range get(t, doc, "spec", "templates").([]any) {
		name := tmpl.(map[string]any)["name"]
		if seen[name] {
			t.Errorf("two templates are named %v", name)
		}
		seen[name] = true
	}
}

// TestTwoReadersOfOneOf: the value of an if/else has two readers.
func TestTwoReadersOfOneOf(t *testing.T) {
	d := caseOf("branches", func(s *dsl.Scope, in caseIn) {
		text := dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) dsl.Param[string] { return caseStep.Call(s, in).Out.Text }).
			Else(func(s *dsl.Scope) dsl.Param[string] { return caseStep.Call(s, in).Out.Text })
		caseStep.Call(s, caseIn{Text: text, List: in.List})
		caseStep.Call(s, caseIn{Text: text, List: in.List})
	})
	doc, _ := compiled(t, d, compiler.KFP)
	for _, task := range []string{"step-3", "step-4"} {
		wantJSON(t, get(t, doc, "root", "dag", "tasks", task, "inputs", "parameters", "text"),
			`{"taskOutputParameter":{"outputParameterKey":"pipelinechannel--condition-branches-1-oneof-1","producerTask":"condition-branches-1"}}`)
	}
	compiled(t, d, argo.Workflow)
}

// TestTaskAfterLoop: a task after one in a loop waits for the loop, and gets its parameter.
func TestTaskAfterLoop(t *testing.T) {
	doc, _ := compiled(t, caseOf("after-loop", func(s *dsl.Scope, in caseIn) {
		first := caseStep.Call(s, in)
		var inside *dsl.Task[caseOut]
		dsl.ParallelFor(s, first.Out.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			inside = caseStep.Call(s, in)
			return dsl.None{}
		})
		caseStep.Call(s, caseIn{Text: in.Text, List: in.List}, dsl.After(inside))
	}), compiler.KFP)
	task := get(t, doc, "root", "dag", "tasks", "step-3")
	wantJSON(t, get(t, task, "dependentTasks"), `["for-loop-1"]`)
	wantJSON(t, get(t, task, "inputs", "parameters", "text"), `{"componentInputParameter":"text"}`)
}

// TestTasksAfterExitHandlers: tasks after an exit handler's group, several in a row.
func TestTasksAfterExitHandlers(t *testing.T) {
	doc, _ := compiled(t, caseOf("handlers", func(s *dsl.Scope, in caseIn) {
		var last *dsl.Task[caseOut]
		for range 2 {
			dsl.Group(s, func(s *dsl.Scope) {
				dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { caseStep.Call(s, in) })
				if last != nil {
					last = caseStep.Call(s, in, dsl.After(last))
				} else {
					last = caseStep.Call(s, in)
				}
			})
		}
		caseStep.Call(s, in, dsl.After(last))
	}), compiler.KFP)
	tasks := get(t, doc, "root", "dag", "tasks")
	wantJSON(t, get(t, tasks, "exit-handler-2", "dependentTasks"), `["exit-handler-1"]`)
	wantJSON(t, get(t, tasks, "step-5", "dependentTasks"), `["exit-handler-2"]`)
}

// TestParallelismPlace: a loop's limit stands where the tasks fan out.
func TestParallelismPlace(t *testing.T) {
	d := caseOf("limited", func(s *dsl.Scope, in caseIn) {
		caseStep.Call(s, in)
		dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			caseStep.Call(s, in)
			return dsl.None{}
		}, dsl.Parallelism(2))
	})
	doc, _ := compiled(t, d, compiler.KFP)
	wantJSON(t, get(t, doc, "root", "dag", "tasks", "for-loop-1", "iteratorPolicy"), `{"parallelismLimit":2}`)
	doc, text := compiled(t, d, argo.Workflow)
	spec := get(t, doc, "spec").(map[string]any)
	if spec["parallelism"] != nil || strings.Count(text, "parallelism:") != 1 {
		t.Errorf("the limit is on the whole workflow, or in several places")
	}
	for _, tmpl := range spec["templates"].([]any) {
		tmpl := tmpl.(map[string]any)
		b, _ := json.Marshal(tmpl)
		if (tmpl["parallelism"] != nil) != strings.Contains(string(b), `"withParam"`) {
			t.Errorf("template %v: the limit is not on what fans out", tmpl["name"])
		}
	}
}

// TestOddNumbers: numbers that print in odd ways are quoted for Argo and parse back equal.
func TestOddNumbers(t *testing.T) {
	type in struct {
		Small dsl.Param[float64] `default:"0.00002"`
		Big   dsl.Param[float64] `default:"1e21"`
	}
	use := dsl.Func("use", func(context.Context, in, *dsl.None) error { return nil })
	d := dsl.Pipeline("numbers", func(s *dsl.Scope, in in) dsl.None { use.Call(s, in); return dsl.None{} })
	doc, _ := compiled(t, d, compiler.KFP)
	for name, want := range map[string]float64{"small": 0.00002, "big": 1e21} {
		v := get(t, doc, "root", "inputDefinitions", "parameters", name, "defaultValue")
		if f, ok := v.(float64); !ok || f != want {
			t.Errorf("IR: %s is %v (%T), want %v", name, v, v, want)
		}
	}
	doc, _ = compiled(t, d, argo.Workflow)
	for name, want := range map[string]float64{"small": 0.00002, "big": 1e21} {
		text, ok := get(t, doc, "spec", "arguments", "parameters", name, "value").(string)
		var f float64
		if err := json.Unmarshal([]byte(text), &f); !ok || err != nil || f != want {
			t.Errorf("Argo: %s is %q, want the text of %v", name, text, want)
		}
	}
}

// TestEmptyDefaults: false, 0 and the empty string are defaults, and none is none.
func TestEmptyDefaults(t *testing.T) {
	type in struct {
		Text     dsl.Param[string] `default:""`
		N        dsl.Param[int]    `default:"0"`
		B        dsl.Param[bool]   `default:"false"`
		Optional dsl.Param[string] `kfp:",optional"`
		Required dsl.Param[string]
	}
	use := dsl.Func("use", func(context.Context, in, *dsl.None) error { return nil })
	doc, _ := compiled(t, dsl.Pipeline("zero", func(s *dsl.Scope, in in) dsl.None { use.Call(s, in); return dsl.None{} }), compiler.KFP)
	wantJSON(t, get(t, doc, "root", "inputDefinitions", "parameters"),
		`{"b":{"defaultValue":false,"isOptional":true,"parameterType":"BOOLEAN"},"n":{"defaultValue":0,"isOptional":true,"parameterType":"NUMBER_INTEGER"},`+
			`"optional":{"isOptional":true,"parameterType":"STRING"},"required":{"parameterType":"STRING"},"text":{"defaultValue":"","isOptional":true,"parameterType":"STRING"}}`)
}

// TestDefaultWithNewline: a default with a newline leaves the file, and its header, valid.
func TestDefaultWithNewline(t *testing.T) {
	text := "two\nlines: # not a comment\n"
	use := dsl.Func("use", func(context.Context, caseIn, *caseOut) error { return nil })
	d := dsl.Pipeline("newline", func(s *dsl.Scope, in caseIn) dsl.None { use.Call(s, in); return dsl.None{} }).
		Defaults(caseIn{Text: dsl.Const(text), List: dsl.Const([]int{})})
	doc, file := compiled(t, d, compiler.KFP)
	if got := get(t, doc, "root", "inputDefinitions", "parameters", "text", "defaultValue"); got != text {
		t.Errorf("got %q", got)
	}
	header, _, _ := strings.Cut(file, "components:")
	for _, line := range strings.Split(strings.TrimSpace(header), "\n") {
		if !strings.HasPrefix(line, "#") {
			t.Errorf("the header has a line that is no comment: %q", line)
		}
	}
	compiled(t, d, argo.Workflow)
}

// TestDeviceCounts: any number of devices, in the old fields and the new.
func TestDeviceCounts(t *testing.T) {
	for _, n := range []int{1, 3, 32, 128} {
		doc, _ := compiled(t, caseOf("devices", func(s *dsl.Scope, in caseIn) {
			caseStep.Call(s, in, dsl.GPU(n), dsl.CPU("500m"), dsl.CPURequest("250m"), dsl.Memory("1Gi"))
		}), compiler.KFP)
		wantJSON(t, get(t, doc, "deploymentSpec", "executors", "exec-step", "container", "resources"), fmt.Sprintf(
			`{"accelerator":{"count":"%d","resourceCount":"%d","resourceType":"nvidia.com/gpu","type":"nvidia.com/gpu"},"cpuLimit":0.5,"cpuRequest":0.25,`+
				`"memoryLimit":1.073741824,"resourceCpuLimit":"500m","resourceCpuRequest":"250m","resourceMemoryLimit":"1Gi"}`, n, n))
	}
	if err := caseOf("negative", func(s *dsl.Scope, in caseIn) { caseStep.Call(s, in, dsl.GPU(-1)) }).Check(); err == nil {
		t.Error("-1 devices are accepted")
	}
}

// TestNestedNoCache: a nested pipeline without caching has none in any of its tasks.
func TestNestedNoCache(t *testing.T) {
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, in caseIn) dsl.None {
		dsl.If(s, dsl.Eq(in.N, 0), func(s *dsl.Scope) { caseStep.Call(s, in) })
		return dsl.None{}
	})
	doc, text := compiled(t, caseOf("outer", func(s *dsl.Scope, in caseIn) {
		inner.Call(s, in, dsl.NoCache())
		inner.Call(s, in)
	}), compiler.KFP)
	if n, m := strings.Count(text, "cachingOptions: {}"), strings.Count(text, "enableCache: true"); n != 2 || m != 2 {
		t.Errorf("caching is off in %d tasks and on in %d; want 2 and 2", n, m)
	}
	_ = doc
}

// TestComponentWrittenOnce: a component that is used twice is written once, for both targets.
func TestComponentWrittenOnce(t *testing.T) {
	d := caseOf("twice", func(s *dsl.Scope, in caseIn) {
		caseStep.Call(s, in)
		caseStep.Call(s, in)
	})
	doc, _ := compiled(t, d, compiler.KFP)
	if c, x := get(t, doc, "components").(map[string]any), get(t, doc, "deploymentSpec", "executors").(map[string]any); len(c) != 1 || len(x) != 1 {
		t.Errorf("%d components and %d executors", len(c), len(x))
	}
	_, text := compiled(t, d, argo.Workflow)
	if n := strings.Count(text, "kfpgo:exec"); n != 1 {
		t.Errorf("%d templates run the step", n)
	}
}
