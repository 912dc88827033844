package kfp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// TestEnvOfReference makes an input of a variable that is a reference, for steps
// whose runtime is ours, and refuses it for others.
func TestEnvOfReference(t *testing.T) {
	type in struct{ Text dsl.Param[string] }
	step := dsl.Func("step", func(context.Context, in, *dsl.None) error { return nil })
	tool := dsl.Container("tool", func(in, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Command: []string{"env"}}
	})
	write := func(c *dsl.Component[in, dsl.None]) (string, error) {
		p := dsl.Pipeline("env", func(s *dsl.Scope, p in) dsl.None {
			c.Call(s, p, dsl.Env("A", dsl.Sprintf("<%v>", p.Text)), dsl.Env("B", "b"))
			return dsl.None{}
		})
		g := recorded.Graph(p)
		prog, err := lower.Lower(g, g.Component(1))
		if err != nil {
			t.Fatal(err)
		}
		b, err := kfp.Write(prog, kfp.Options{Image: "app:1"})
		return string(b), err
	}
	got, err := write(step)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"kfpgo-env--A:\n            isOptional: true\n            parameterType: STRING",
		"kfpgo-env--A:\n              runtimeValue:\n                constant: '<{{$.inputs.parameters[''pipelinechannel--text'']}}>'",
		"env:\n- name: B\nvalue: b",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "  ", ""), strings.ReplaceAll(want, "  ", "")) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	python := dsl.Python[in, dsl.None]("python", dsl.PythonSource{Source: "def f(text: str):\n    pass\n", Function: "f", Image: "x", SDK: dsl.PythonSDK{Version: "2.17.3"}})
	for _, c := range []*dsl.Component[in, dsl.None]{tool, python} { // KFP's own executor sets no variables
		if _, err := write(c); err == nil || !strings.Contains(err.Error(), "no dsl.Env of a reference, in a container") {
			t.Errorf("%s: got %v", c.Name(), err)
		}
	}
}

// TestEnvText: Kubernetes makes one $ of two in a variable's value, on its way through
// KFP's driver too, and puts in the variables before it, which a program may use; all else stays as it is.
func TestEnvText(t *testing.T) {
	step := dsl.Func("step", func(context.Context, dsl.None, *dsl.None) error { return nil })
	p := dsl.Pipeline("env", func(s *dsl.Scope, _ dsl.None) dsl.None {
		step.Call(s, dsl.None{}, dsl.Env("A", "it's $$ 1"), dsl.Env("B", "$(A) and $(C) $B"))
		return dsl.None{}
	})
	for exact, want := range map[bool]string{true: "- name: A\nvalue: it's $$$$$$$$ 1\n- name: B\nvalue: $(A) and $$$$(C) $$$$B", false: "- name: A\nvalue: it's $$ 1\n- name: B\nvalue: $(A) and $(C) $B"} {
		got, err := try(t, p, kfp.Options{Image: "app:1", Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.ReplaceAll(string(got), "  ", ""), want) {
			t.Errorf("exact %v: no %q in\n%s", exact, want, got)
		}
	}
}

// TestDollars: what Kubernetes would make another text of is refused where the IR goes to
// a server, or written so that it stays.
func TestDollars(t *testing.T) {
	type text struct{ Text dsl.Param[string] }
	step := dsl.Func("step", func(context.Context, text, *dsl.None) error { return nil })
	tool := dsl.Container("tool", func(in text, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Command: []string{"sh", "-c", "echo $(date) $1 $$ $(A) $$$x"}, Args: dsl.Args(in.Text)}
	})
	python := dsl.Python[text, dsl.None]("python", dsl.PythonSource{Source: "def f(text: str):\n    print('x$$y')\n", Function: "f", Image: "x", SDK: dsl.PythonSDK{Version: "2.17.3"}})
	pipeline := func(v dsl.Param[string]) dsl.Definition {
		return dsl.Pipeline("dollars", func(s *dsl.Scope, _ dsl.None) dsl.None {
			step.Call(s, text{v})
			python.Call(s, text{dsl.Const("a")})
			tool.Call(s, text{dsl.Const("a")})
			return dsl.None{}
		})
	}
	for exact, want := range map[bool]string{true: "echo $(date) $1 $$$$$$$$ $$$$(A) $$$$$$$$$$$$x", false: "echo $(date) $1 $$ $(A) $$$x"} {
		got, err := try(t, pipeline(dsl.Const("a $ b")), kfp.Options{Image: "app:1", Exact: exact})
		if source := map[bool]string{true: "x$$$$$$$$y", false: "x$$y"}[exact]; !strings.Contains(string(got), source) {
			t.Errorf("exact %v: no %s in\n%s", exact, source, got)
		}
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("exact %v: %v, no %s in\n%s", exact, err, want, got)
		}
		for _, v := range []dsl.Param[string]{dsl.Const("a $$ b"), dsl.Sprintf("$$%v", dsl.RunName())} {
			if _, err := try(t, pipeline(v), kfp.Options{Image: "app:1", Exact: exact}); (err != nil) != exact || exact && !strings.Contains(err.Error(), "one $ of two") {
				t.Errorf("exact %v: %v", exact, err)
			}
		}
	}
}

// TestArgoTags: what Argo would replace in the Workflow of a run is refused where the IR goes
// to a server; other braces stay.
func TestArgoTags(t *testing.T) {
	type text struct{ Text dsl.Param[string] }
	type texts struct{ Texts dsl.Param[[]string] }
	step := dsl.Func("step", func(context.Context, text, *dsl.None) error { return nil })
	list := dsl.Func("list", func(context.Context, texts, *dsl.None) error { return nil })
	defaults := dsl.Func("defaults", func(context.Context, text, *dsl.None) error { return nil }).Defaults(text{dsl.Const("{{=1}}")})
	tool := func(arg string) *dsl.Component[text, dsl.None] {
		return dsl.Container("tool", func(in text, _ dsl.None) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: "busybox", Command: []string{"echo", arg}, Args: dsl.Args(in.Text)}
		})
	}
	python := dsl.Python[text, dsl.None]("python", dsl.PythonSource{Source: "def f(text: str):\n    print('{{ pod.name }}')\n", Function: "f", Image: "x", SDK: dsl.PythonSDK{Version: "2.17.3"}})
	call := func(f func(s *dsl.Scope)) dsl.Definition {
		return dsl.Pipeline("tags", func(s *dsl.Scope, _ dsl.None) dsl.None { f(s); return dsl.None{} })
	}
	given := func(v dsl.Param[string]) dsl.Definition {
		return call(func(s *dsl.Scope) { step.Call(s, text{v}) })
	}
	for name, c := range map[string]struct {
		pipeline dsl.Definition
		want     string // "": it stays
	}{
		"braces":     {given(dsl.Const("{{x}} {{y.z}} {{ .Name }} {{item}} {{{")), ""},
		"expression": {given(dsl.Const("a {{=1+1}}")), "task step: input text: Argo, which runs KFP's steps, replaces {{= in the string"},
		"variable":   {given(dsl.Const("{{ workflow.name }}")), "replaces {{ workflow."},
		"part":       {given(dsl.Sprintf("{{pod.name}} of %v", dsl.RunName())), "replaces {{pod."},
		"list":       {call(func(s *dsl.Scope) { list.Call(s, texts{dsl.Const([]string{"a", "{{tasks.a.b}}"})}) }), "replaces {{tasks."},
		"items": {call(func(s *dsl.Scope) {
			dsl.ParallelFor(s, dsl.Const([]string{"{{=1}}"}), func(s *dsl.Scope, v dsl.Param[string]) dsl.None { step.Call(s, text{v}); return dsl.None{} })
		}), "replaces {{="},
		"default":     {call(func(s *dsl.Scope) { defaults.Call(s, text{}) }), "replaces {{="},
		"command":     {call(func(s *dsl.Scope) { tool("{{retries}}").Call(s, text{dsl.Const("a")}) }), "task tool: component tool: Argo, which runs KFP's steps, replaces {{retries in a command"},
		"source":      {call(func(s *dsl.Scope) { python.Call(s, text{dsl.Const("a")}) }), "replaces {{ pod. in a command, an argument or a source"},
		"DEL":         {given(dsl.Const("a\x7f")), `can't keep the character "\x7f" in the string`},
		"next line":   {given(dsl.Sprintf("a\u0085%v", dsl.RunName())), `can't keep the character "\u0085" in the string`},
		"DEL in it":   {call(func(s *dsl.Scope) { tool("\x7f").Call(s, text{dsl.Const("a")}) }), "component tool: KFP's server, which reads"},
		"other texts": {call(func(s *dsl.Scope) { tool("{{.State}} {{ x }}").Call(s, text{dsl.Const("a")}) }), ""},
	} {
		_, err := try(t, c.pipeline, kfp.Options{Image: "app:1", Exact: true})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		// As KFP's SDK writes it, it isn't refused.
		if _, err := try(t, c.pipeline, kfp.Options{Image: "app:1"}); err != nil {
			t.Errorf("%s, as the SDK writes it: %v", name, err)
		}
	}
}
