package expr_test

import (
	"encoding/json"
	"fmt"
	"testing"

	exprlang "github.com/expr-lang/expr"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

func name(n, typ string) *expr.Expr { return &expr.Expr{Op: "name", Name: n, Type: typ} }
func opt(n, typ string) *expr.Expr {
	return &expr.Expr{Op: "name", Name: n, Type: typ, Optional: true}
}
func constant(typ, text string) *expr.Expr {
	return &expr.Expr{Op: "const", Type: typ, Const: json.RawMessage(text)}
}
func op(o string, args ...*expr.Expr) *expr.Expr { return &expr.Expr{Op: o, Args: args} }

var values = map[string]string{
	"s": `"it's \"{\u007bx}}\" \u0024(A)\n"`, "empty": `""`, "null-text": `"null"`,
	"i": `9007199254740993`, "j": `-5`, "f": `1e21`, "g": `0.95`, "t": `true`, "u": `false`,
}

// TestMeaning evaluates conditions here and, printed for Argo, with expr-lang.
func TestMeaning(t *testing.T) {
	s, i, f := kfptype.String, kfptype.Integer, kfptype.Double
	for _, tt := range []struct {
		e    *expr.Expr
		cel  string
		want bool
	}{
		{op("==", name("s", s), constant(s, `"it's \"{{x}}\" $(A)\n"`)), `inputs.parameter_values['s'] == 'it\'s "{{x}}" $(A)\n'`, true},
		{op("!=", name("empty", s), constant(s, `""`)), `inputs.parameter_values['empty'] != ''`, false},
		{op("==", name("null-text", s), constant(s, `"null"`)), `inputs.parameter_values['null-text'] == 'null'`, true},
		{op(">", name("i", i), constant(i, `9007199254740992`)), `int(inputs.parameter_values['i']) > 9007199254740992`, true},
		{op("<", name("j", i), constant(i, `-4`)), `int(inputs.parameter_values['j']) < -4`, true},
		{op(">=", name("f", f), constant(f, `1e21`)), `inputs.parameter_values['f'] >= 1e+21`, true},
		{op(">=", name("g", f), constant(f, `1`)), `inputs.parameter_values['g'] >= 1.0`, false},
		{op("==", name("t", kfptype.Boolean), constant(kfptype.Boolean, `true`)), `inputs.parameter_values['t'] == true`, true},
		{op("!=", name("t", kfptype.Boolean), name("u", kfptype.Boolean)), `inputs.parameter_values['t'] != inputs.parameter_values['u']`, true},
		{op("in", name("j", i), constant(i, `1`), constant(i, `-5`)), `int(inputs.parameter_values['j']) in [1, -5]`, true},
		{op("in", name("g", f), constant(f, `1`), constant(f, `0.95`)), `inputs.parameter_values['g'] in [1.0, 0.95]`, true},
		// KFP's CEL has no == of two types of numbers.
		{op("==", name("j", i), name("f", f)), `double(int(inputs.parameter_values['j'])) == inputs.parameter_values['f']`, false},
		{op("<=", name("g", f), name("i", i)), `inputs.parameter_values['g'] <= double(int(inputs.parameter_values['i']))`, true},
		{op("!=", name("j", i), constant(f, `0.5`)), `double(int(inputs.parameter_values['j'])) != 0.5`, true},
		{op("==", name("g", f), constant(i, `1`)), `inputs.parameter_values['g'] == 1.0`, false},
		{op("in", name("j", i), constant(i, `1`), constant(f, `-5`)), `double(int(inputs.parameter_values['j'])) in [1.0, -5.0]`, true},
		{op("given", opt("absent", s)), `'absent' in inputs.parameter_values`, false},
		{op("given", opt("s", s)), `'s' in inputs.parameter_values`, true},
		{op("==", opt("absent", i), constant(i, "0")), `'absent' in inputs.parameter_values && int(inputs.parameter_values['absent']) == 0`, false},
		{op("!=", opt("absent", i), constant(i, "0")), `'absent' in inputs.parameter_values && int(inputs.parameter_values['absent']) != 0`, false},
		{expr.Not(op("==", opt("absent", i), constant(i, "0"))), `!('absent' in inputs.parameter_values && int(inputs.parameter_values['absent']) == 0)`, true},
		{expr.And(expr.Not(op("==", name("g", f), constant(f, "1"))), op("||", op("==", name("j", i), constant(i, "1")), op("<", name("j", i), constant(i, "0")))),
			`!(inputs.parameter_values['g'] == 1.0) && (int(inputs.parameter_values['j']) == 1 || int(inputs.parameter_values['j']) < 0)`, true},
	} {
		if got := tt.e.CEL(); got != tt.cel {
			t.Errorf("CEL:\n got %s\nwant %s", got, tt.cel)
		}
		got, err := tt.e.Eval(func(n string) (json.RawMessage, bool) { v, ok := values[n]; return json.RawMessage(v), ok })
		if err != nil || got != tt.want {
			t.Errorf("%s: got %v, %v, want %v", tt.cel, got, err, tt.want)
		}
		text := tt.e.Argo(func(n string) string { return fmt.Sprintf("inputs['%s']", n) })
		env := map[string]string{"absent": "null"}
		for k, v := range values {
			env[k] = v
		}
		out, err := exprlang.Eval(text, map[string]any{"inputs": env})
		if err != nil || out != tt.want {
			t.Errorf("argo %s: got %v, %v, want %v", text, out, err, tt.want)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	for _, e := range []*expr.Expr{
		op("==", name("s", kfptype.Integer), constant(kfptype.Integer, "1")),
		op("~", name("i", kfptype.Integer), constant(kfptype.Integer, "1")),
		op("==", name("i", kfptype.Integer)),
		op("==", name("i", kfptype.String), constant(kfptype.String, `"x"`)),
	} {
		if _, err := e.Eval(func(n string) (json.RawMessage, bool) { return json.RawMessage(values[n]), true }); err == nil {
			t.Errorf("%s: no error", e.CEL())
		}
	}
}

// TestNeeds: a condition that can't hold without a value says so.
func TestNeeds(t *testing.T) {
	name := func(optional bool) *expr.Expr {
		return &expr.Expr{Op: "name", Name: "a", Type: kfptype.Integer, Optional: optional}
	}
	given := &expr.Expr{Op: "given", Args: []*expr.Expr{name(true)}}
	one := &expr.Expr{Op: "const", Type: kfptype.Integer, Const: []byte("1")}
	eq := &expr.Expr{Op: "==", Args: []*expr.Expr{name(true), one}}
	always := &expr.Expr{Op: "==", Args: []*expr.Expr{one, one}}
	for _, c := range []struct {
		e    *expr.Expr
		want bool
	}{
		{given, true}, {eq, true}, {expr.Not(given), false}, {always, false}, {&expr.Expr{Op: "==", Args: []*expr.Expr{name(false), one}}, false},
		{expr.And(always, eq), true}, {&expr.Expr{Op: "||", Args: []*expr.Expr{given, eq}}, true}, {&expr.Expr{Op: "||", Args: []*expr.Expr{given, always}}, false},
	} {
		if got := c.e.Needs("a"); got != c.want || c.e.Needs("b") {
			t.Errorf("%s: %v, want %v", c.e.CEL(), got, c.want)
		}
	}
}
