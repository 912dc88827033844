package raise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// cond returns a condition as Go.
func (w *writer) cond(n *node, e *expr.Expr) string {
	switch e.Op {
	case "&&", "||", "!":
		var parts []string
		for _, a := range e.Args {
			parts = append(parts, w.cond(n, a))
		}
		return map[string]string{"&&": "dsl.And(", "||": "dsl.Or(", "!": "dsl.Not("}[e.Op] + strings.Join(parts, ", ") + ")"
	case "given":
		if r := w.operand(n, e.Args[0]); r != nil {
			return "dsl.Given(" + w.expr(r) + ")"
		}
		return ""
	case "==", "!=", "<", "<=", ">", ">=", "in":
		return w.compare(n, e)
	}
	w.taskErrorf(n.task, "its condition %s: the language has no %s there", e.CEL(), e.Op)
	return ""
}

var comparisons = map[string]string{"==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge", "in": "In"}

func (w *writer) compare(n *node, e *expr.Expr) string {
	bad := func(why string) string {
		w.taskErrorf(n.task, "its condition %s: %s", e.CEL(), why)
		return ""
	}
	if len(e.Args) == 0 {
		return bad("the language has no conditions without a reference")
	}
	if e.Args[0].Op != "name" {
		return bad("the language has the reference on the left")
	}
	x := w.operand(n, e.Args[0])
	if x == nil {
		return ""
	}
	if x.typ == nil {
		return bad("an artifact can't be compared")
	}
	t := x.typ.root()
	left := w.expr(x)
	if scalarName(t.ir) == "" || t.open {
		if scalarName(e.Args[0].Type) == "" {
			return bad("the language compares only strings, numbers and bools")
		}
		left, t = "dsl.As["+scalarName(e.Args[0].Type)+"]("+left+")", &typ{ir: e.Args[0].Type}
	}
	if t.ir == kfptype.Integer && mixed(e) {
		left, t = "dsl.As[float64]("+left+")", &typ{ir: kfptype.Double}
	}
	args := []string{left}
	ref := ""
	for _, a := range e.Args[1:] {
		switch {
		case a.Op == "name" && e.Op != "in":
			y := w.operand(n, a)
			if y == nil || y.typ == nil {
				return bad("an artifact can't be compared")
			}
			ref = "Ref"
			args = append(args, w.as("dsl.Param["+w.goType(t)+"]", y))
		case a.Op == "const":
			if a.Type != t.ir && !(a.Type == kfptype.Integer && t.ir == kfptype.Double) {
				return bad(fmt.Sprintf("a %s is compared with a %s", t.ir, a.Type))
			}
			lit, ok := w.literal(t, a.Const)
			if !ok {
				return bad(fmt.Sprintf("%s is not a %s", a.Const, t.ir))
			}
			switch {
			case e.Op == "==" && lit == "true":
				return "dsl.True(" + left + ")"
			case e.Op == "==" && lit == "false":
				return "dsl.False(" + left + ")"
			}
			args = append(args, lit)
		default:
			return bad("the language compares a reference with constants or with another reference")
		}
	}
	return "dsl." + comparisons[e.Op] + ref + "(" + strings.Join(args, ", ") + ")"
}

// mixed reports whether a whole number is compared with one that needn't be.
func mixed(e *expr.Expr) bool {
	return slices.ContainsFunc(e.Args, func(a *expr.Expr) bool { return a.Type == kfptype.Double })
}
