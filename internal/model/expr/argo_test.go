package expr_test

import (
	"encoding/json"
	"strings"
	"testing"

	exprlang "github.com/expr-lang/expr"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// TestArgoString: a literal is the text, also after what Argo's parser of tags
// does to escapes of <, > and &.
func TestArgoString(t *testing.T) {
	for _, text := range []string{`\u003ca\u003e \u0026`, `\<`, `\\u003c`, "a{{b}}$\x7f\n\"", `<&>`} {
		j, _ := json.Marshal(text)
		got, err := exprlang.Eval(fixed(t, expr.ArgoString(j)), nil)
		if err != nil || got != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
}

// fixed returns an expression after Argo has written it as JSON, replaced what it
// replaces and read it.
func fixed(t *testing.T, e string) string {
	t.Helper()
	j, _ := json.Marshal(e)
	s := string(j)
	for escape, r := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		s = strings.ReplaceAll(s, escape, r)
	}
	var out string
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return out
}

// TestLeast: the least integer is one, though its digits alone are too many.
func TestLeast(t *testing.T) {
	e := &expr.Expr{Op: ">=", Args: []*expr.Expr{{Op: "name", Name: "x", Type: kfptype.Integer}, {Op: "const", Type: kfptype.Integer, Const: json.RawMessage("-9223372036854775808")}}}
	got, err := exprlang.Eval(e.Argo(func(string) string { return "'-9223372036854775808'" }), nil)
	if err != nil || got != true {
		t.Errorf("%v, %v", got, err)
	}
}
