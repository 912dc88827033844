package compiler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
)

// More of the cases of cases_test.go.

// dnsName is what Kubernetes and KFP's server take for a name.
var dnsName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// TestNameWithoutASCII: a pipeline whose name has no ASCII letter gets one that servers take,
// and keeps its own to be shown.
func TestNameWithoutASCII(t *testing.T) {
	for _, name := range []string{"数据 管道", "Обучение", "МОДЕЛЬ 2"} {
		d := caseOf(name, func(s *dsl.Scope, in caseIn) { caseStep.Call(s, in) })
		doc, _ := compiled(t, d, compiler.KFP)
		info := get(t, doc, "pipelineInfo").(map[string]any)
		if n, _ := info["name"].(string); !dnsName.MatchString(n) || info["displayName"] != name {
			t.Errorf("%s: KFP: %v", name, info)
		}
		doc, _ = compiled(t, d, argo.Workflow)
		if n, _ := get(t, doc, "metadata", "generateName").(string); !dnsName.MatchString(strings.TrimSuffix(n, "-")) {
			t.Errorf("%s: Argo: %v", name, doc["metadata"])
		}
	}
}

// TestTextCondition: a condition on text compares it as text, for both targets.
func TestTextCondition(t *testing.T) {
	for _, text := range []string{"a b c", `it's "c"`, "true", "1", ""} {
		d := caseOf("text", func(s *dsl.Scope, in caseIn) {
			dsl.If(s, dsl.Eq(in.Text, text), func(s *dsl.Scope) { caseStep.Call(s, in) })
		})
		doc, _ := compiled(t, d, compiler.KFP)
		got := get(t, doc, "root", "dag", "tasks", "condition-1", "triggerPolicy", "condition")
		quoted := "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`).Replace(text) + "'"
		if plain := "'" + strings.ReplaceAll(text, `'`, `\'`) + "'"; got != "inputs.parameter_values['pipelinechannel--text'] == "+quoted &&
			got != "inputs.parameter_values['pipelinechannel--text'] == "+plain {
			t.Errorf("%q: %v", text, got)
		}
		compiled(t, d, argo.Workflow) // which parses its expressions; package argo runs them
	}
}

// TestOddTaskNames: names of steps that look like UUIDs and numbers, and that others wait
// for.
func TestOddTaskNames(t *testing.T) {
	var steps []*dsl.Component[caseIn, caseOut]
	for _, name := range []string{"123e4567-e89b-12d3-a456-426614174000", "1", "9 lives", "-x-", "UPPER_case.dots"} {
		steps = append(steps, dsl.Func(name, func(context.Context, caseIn, *caseOut) error { return nil }))
	}
	d := caseOf("0 digits", func(s *dsl.Scope, in caseIn) {
		last := steps[0].Call(s, in)
		for _, step := range steps[1:] {
			last = step.Call(s, caseIn{Text: last.Out.Text, List: in.List}, dsl.After(last))
		}
	})
	doc, _ := compiled(t, d, argo.Workflow)
	tasks := 0
	for _, tmpl := range get(t, doc, "spec", "templates").([]any) {
		dag, ok := tmpl.(map[string]any)["dag"].(map[string]any)
		if !ok {
			continue
		}
		for _, task := range dag["tasks"].([]any) {
			task := task.(map[string]any)
			tasks++
			if name := fmt.Sprint(task["name"]); !regexp.MustCompile(`^[a-zA-Z]`).MatchString(name) {
				t.Errorf("Argo: a task is named %s, and expressions can't say depends on it", name)
			}
		}
	}
	if tasks < len(steps) {
		t.Errorf("%d tasks", tasks)
	}
	doc, _ = compiled(t, d, compiler.KFP)
	for name := range get(t, doc, "root", "dag", "tasks").(map[string]any) {
		if !dnsName.MatchString(name) {
			t.Errorf("KFP: a task is named %s", name)
		}
	}
}

// TestLoopBelowCondition: a loop below a condition takes its list as an input, so that nothing
// has to be resolved where the condition is false.
func TestLoopBelowCondition(t *testing.T) {
	d := caseOf("skipped", func(s *dsl.Scope, in caseIn) {
		dsl.If(s, dsl.Gt(in.N, 0), func(s *dsl.Scope) {
			made := caseStep.Call(s, in)
			dsl.If(s, dsl.Eq(made.Out.Text, "made"), func(s *dsl.Scope) {
				dsl.ParallelFor(s, made.Out.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
					caseStep.Call(s, caseIn{N: n, List: in.List})
					return dsl.None{}
				})
			})
		})
	})
	doc, _ := compiled(t, d, argo.Workflow)
	for _, tmpl := range get(t, doc, "spec", "templates").([]any) {
		dag, ok := tmpl.(map[string]any)["dag"].(map[string]any)
		if !ok {
			continue
		}
		for _, task := range dag["tasks"].([]any) {
			task := task.(map[string]any)
			// Argo resolves a task's items before it looks at its condition.
			if items, _ := task["withParam"].(string); items != "" && task["when"] != nil && strings.Contains(items, "tasks.") {
				t.Errorf("task %v has both a condition and items of another task: %s", task["name"], items)
			}
		}
	}
	compiled(t, d, compiler.KFP)
}

// TestMinusZero: a default of minus zero is a number, and equal.
func TestMinusZero(t *testing.T) {
	type in struct {
		Minus dsl.Param[float64] `default:"-0.0"`
		Tiny  dsl.Param[float64] `default:"5e-324"`
		Whole dsl.Param[float64] `default:"12345678901234567890.0"`
	}
	use := dsl.Func("use", func(context.Context, in, *dsl.None) error { return nil })
	d := dsl.Pipeline("numbers", func(s *dsl.Scope, in in) dsl.None { use.Call(s, in); return dsl.None{} })
	ir, _ := compiled(t, d, compiler.KFP)
	wf, _ := compiled(t, d, argo.Workflow)
	for name, want := range map[string]float64{"minus": math.Copysign(0, -1), "tiny": 5e-324, "whole": 12345678901234567890} {
		var got float64
		switch v := get(t, ir, "root", "inputDefinitions", "parameters", name, "defaultValue").(type) {
		case float64:
			got = v
		case int:
			got = float64(v)
		case uint64:
			got = float64(v)
		}
		if got != want {
			t.Errorf("IR: %s is %v", name, got)
		}
		text, _ := get(t, wf, "spec", "arguments", "parameters", name, "value").(string)
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("Argo: %s is %q, %v", name, text, err)
		}
	}
}

// TestRequiredArgument: a pipeline that requires an argument compiles; only a run needs it.
func TestRequiredArgument(t *testing.T) {
	use := dsl.Func("use", func(context.Context, struct{ Must dsl.Param[string] }, *dsl.None) error { return nil })
	d := dsl.Pipeline("must", func(s *dsl.Scope, in struct{ Must dsl.Param[string] }) dsl.None { use.Call(s, in); return dsl.None{} })
	doc, _ := compiled(t, d, compiler.KFP)
	wantJSON(t, get(t, doc, "root", "inputDefinitions", "parameters", "must"), `{"parameterType":"STRING"}`)
	doc, _ = compiled(t, d, argo.Workflow)
	wantJSON(t, get(t, doc, "spec", "arguments", "parameters", "must"), `{"name":"must"}`)
}

// TestSameBytes: the same pipeline gives the same bytes, however often and in
// whatever order things are compiled.
func TestSameBytes(t *testing.T) {
	make := func() dsl.Definition {
		return caseOf("same", func(s *dsl.Scope, in caseIn) {
			first := caseStep.Call(s, in, dsl.Env("B", "1"), dsl.Env("A", "2"), dsl.CPU("1"), dsl.GPU(1))
			dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) { caseStep.Call(s, in, dsl.After(first)) }).Else(func(s *dsl.Scope) { caseStep.Call(s, in) })
			dsl.ParallelFor(s, first.Out.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
				caseStep.Call(s, caseIn{N: n, Text: first.Out.Text, List: in.List})
				return dsl.None{}
			})
		})
	}
	for _, target := range []compiler.Target{compiler.KFP, argo.Workflow} {
		_, want := compiled(t, make(), target)
		d := make()
		for range 20 {
			if _, got := compiled(t, d, target); got != want {
				t.Fatalf("%s: the bytes differ", target)
			}
			if _, got := compiled(t, make(), target); got != want {
				t.Fatalf("%s: the bytes differ", target)
			}
		}
	}
}
