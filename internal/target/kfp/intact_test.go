package kfp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

type intactIn struct {
	Text  dsl.Param[string]
	May   dsl.Param[string] `kfp:",optional"`
	Texts dsl.Param[[]string]
}

var intactTool = dsl.Container("tool", func(in intactIn, out exactText) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"cat"}, Args: dsl.Args(in.Text, dsl.IfPresent(in.May, in.May), out.Text.Path())}
})

// TestIntact evaluates the expression that the IR for a server has, as KFP's driver does: by CEL,
// with the value as string_value. It fails on what Kubernetes would make another value.
func TestIntact(t *testing.T) {
	p := dsl.Pipeline("p", func(s *dsl.Scope, in intactIn) dsl.None {
		first := intactTool.Call(s, in)
		intactTool.Call(s, intactIn{Text: first.Out.Text, May: dsl.Const("x"), Texts: in.Texts}, dsl.Env("A", "1"), k8s.SecretEnv("B.C", "secret", "key"), k8s.FieldEnv("D", "metadata.name"))
		return dsl.None{}
	})
	o := kfp.Options{Exact: true}
	got, err := try(t, p, o)
	if err != nil {
		t.Fatal(err)
	}
	var ir struct {
		Root struct {
			DAG struct {
				Tasks map[string]struct {
					Inputs struct {
						Parameters map[string]struct {
							Selector string `yaml:"parameterExpressionSelector"`
						}
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(got, &ir); err != nil {
		t.Fatal(err)
	}
	tasks := ir.Root.DAG.Tasks
	for _, name := range []string{"tool", "tool-2"} {
		if s := tasks[name].Inputs.Parameters["may"].Selector; s != "" {
			t.Errorf("%s has an optional input, which may have no value, and a constant: %s", name, s)
		}
	}
	for _, c := range []struct {
		task, value string
		passes      bool
	}{
		{"tool", "", true}, {"tool", "$", true}, {"tool", "a $1 {{$.x}} $(date) ${A}\n", true}, {"tool", "$(A)", true}, {"tool", "$(HOME)", true},
		{"tool", "a $$ b", false}, {"tool", "$$", false}, {"tool", "\n$(KFP_POD_NAME)", false}, {"tool", "$(KFPGO_IMAGE)", false},
		{"tool", "$(ML_PIPELINE_SERVICE_HOST)", false}, {"tool", "$(ML_PIPELINE_PORT_8888_TCP)", false},
		{"tool-2", "$(A) b", false}, {"tool-2", "$(B.C)", false}, {"tool-2", "$(BxC)", true}, {"tool-2", "$(D)", false}, {"tool-2", "$(AD)", true},
		{"tool", "a {{x}} {{ y.z }} {{item}} {{tasks.a.b}} {{f}", true}, {"tool", "{{=1+1}}", false}, {"tool", "a {{ = 1}}", false}, {"tool", "{{workflow.name}}", false}, {"tool", "{{ pod.name }}", false},
		{"tool", "{{inputs.parameters.pod-spec-patch}}", false}, {"tool", "{{{{node.name}}", false}, {"tool", "{{retries}}", false}, {"tool", "{{\npod.name}}", false},
	} {
		selector := tasks[c.task].Inputs.Parameters["text"].Selector
		if !strings.HasPrefix(selector, contract.Intact) || strings.Contains(selector, "$$") || strings.Contains(selector, "$(") || strings.Contains(selector, "{{") {
			t.Fatalf("%s: the expression is %q", c.task, selector)
		}
		if out, err := selected(t, selector, c.value); c.passes && (err != nil || out != c.value) || !c.passes && (err == nil || !strings.Contains(err.Error(), "Kubernetes would replace a $") && !strings.Contains(err.Error(), "Argo would replace a variable")) {
			t.Errorf("%s: %q: %v, %v", c.task, c.value, out, err)
		}
	}
	list := tasks["tool-2"].Inputs.Parameters["texts"].Selector
	if out, err := selected(t, list, `["a", {"b": 1.5}]`); err != nil || fmt.Sprint(out) != "[a map[b:1.5]]" {
		t.Errorf("a list: %v, %v", out, err)
	}
	if out, err := selected(t, list, `["a", "$(A)"]`); err == nil {
		t.Errorf("a list: %v", out)
	}
	// Where the IR is that of KFP's SDK, it has no such expression.
	if got, err := try(t, p, kfp.Options{}); err != nil || strings.Contains(string(got), contract.Intact) {
		t.Errorf("%v\n%s", err, got)
	}
}

// selected evaluates an expression with KFP's function parseJson (backend/src/v2/expression).
func selected(t *testing.T, expr, value string) (any, error) {
	t.Helper()
	parse := func(v ref.Val) ref.Val {
		var out any
		if err := json.Unmarshal([]byte(v.Value().(string)), &out); err != nil {
			return types.NewErr("%v", err)
		}
		return types.DefaultTypeAdapter.NativeToValue(out)
	}
	env, err := cel.NewEnv(cel.Variable("string_value", cel.StringType),
		cel.Function("parseJson", cel.Overload("parse_json", []*cel.Type{cel.StringType}, cel.DynType, cel.UnaryBinding(parse))))
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Compile(expr)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := program.Eval(map[string]any{"string_value": value})
	if err != nil {
		return nil, err
	}
	return out.Value(), nil
}
