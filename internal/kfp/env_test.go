package kfp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/lower"
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
		g := dsl.Graph(p)
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
		if _, err := write(c); err == nil || !strings.Contains(err.Error(), "dsl.Env A") {
			t.Errorf("%s: got %v", c.Name(), err)
		}
	}
}
