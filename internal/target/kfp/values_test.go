package kfp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

type row13 struct {
	Text dsl.Param[string] `json:"text"`
	N    dsl.Param[int]    `json:"n"`
}

type row13In struct{ Row dsl.Param[row13] }

// TestValuesRefused: what KFP would pass as another value, or can't loop over, is refused
// with the task and how to fix it.
func TestValuesRefused(t *testing.T) {
	take := dsl.Func("take", func(context.Context, row13In, *dsl.None) error { return nil })
	tool := dsl.Container("tool", func(in row13In, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"echo", in.Row.String()}}
	})
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, in row13In) dsl.None {
		take.Call(s, in)
		return dsl.None{}
	})
	for want, body := range map[string]func(s *dsl.Scope, in row13){
		"put dsl.Sprintf in a field that is a string": func(s *dsl.Scope, in row13) { tool.Call(s, row13In{dsl.Values(in)}) },
		"it makes strings of them":                    func(s *dsl.Scope, in row13) { inner.Call(s, row13In{dsl.Values(in)}) },
		"the number 9007199254740993": func(s *dsl.Scope, in row13) {
			take.Call(s, row13In{dsl.Values(row13{in.Text, dsl.Const(9007199254740993)})})
		},
		"KFP replaces {{$ in the string": func(s *dsl.Scope, in row13) {
			take.Call(s, row13In{dsl.Values(row13{dsl.Sprintf("{{$.x%v", in.Text), dsl.Const(1)})})
		},
	} {
		p := dsl.Pipeline("p", func(s *dsl.Scope, in row13) dsl.None { body(s, in); return dsl.None{} })
		if b, err := compiler.Compile(p, compiler.KFP, compiler.Image("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q\n%s", err, want, b)
		}
	}
}
