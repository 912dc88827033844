package expr_test

import (
	"encoding/json"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// TestFold: what is left of a condition means what it meant, in each case of what is given.
func TestFold(t *testing.T) {
	s := kfptype.String
	given := func(n string) *expr.Expr { return op("given", opt(n, s)) }
	a, b := op("==", opt("a", s), constant(s, `"x"`)), op("!=", opt("b", s), opt("a", s))
	in := op("in", opt("a", s), constant(s, `"x"`), opt("b", s))
	for _, e := range []*expr.Expr{
		given("a"), expr.Not(given("a")), a, expr.Not(a), b, in,
		expr.And(given("a"), b), op("||", given("a"), b), op("||", expr.Not(given("a")), a), expr.And(expr.Not(a), given("b")),
		expr.Not(expr.And(given("a"), expr.Not(op("||", given("b"), a)))), op("&&", given("a")), op("||", given("a")),
	} {
		for _, values := range []map[string]string{{}, {"a": `"x"`}, {"b": `"x"`}, {"a": `"x"`, "b": `"y"`}, {"a": `"y"`, "b": `"x"`}} {
			lookup := func(n string) (json.RawMessage, bool) { v, ok := values[n]; return json.RawMessage(v), ok }
			want, err := e.Eval(lookup)
			if err != nil {
				t.Fatal(err)
			}
			for _, known := range []string{"", "a", "b", "ab"} {
				folded := e.Fold(func(n string) (bool, bool) {
					_, ok := values[n]
					return ok, len(known) == 2 || n == known
				})
				got := folded.Is(true)
				if !got && !folded.Is(false) {
					if got, err = folded.Eval(lookup); err != nil {
						t.Fatal(err)
					}
				}
				if got != want {
					t.Errorf("%s with %v, of which %q is known: %s", e.CEL(), values, known, folded.CEL())
				}
			}
		}
	}
}
