package kfpread

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// maxCondition is the length of the longest condition that is taken apart.
const maxCondition = 20_000

// celParser knows no macros: KFP's SDK writes none.
var celParser = sync.OnceValues(func() (*parser.Parser, error) {
	return parser.NewParser(parser.MaxRecursionDepth(100), parser.ExpressionSizeCodePointLimit(maxCondition))
})

// condition returns the tree of a condition of a task that calls a component, or
// nil if a tree can't say the same: that prints as the same text.
func condition(text string, sub *program.Component) *expr.Expr {
	if len(text) > maxCondition {
		return nil
	}
	cel, err := celParser()
	if err != nil {
		return nil
	}
	tree, errs := cel.Parse(common.NewTextSource(text))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	e := (&celReader{sub}).logical(tree.Expr())
	if e == nil || e.CEL() != uncast(text) {
		return nil
	}
	return e
}

// cast is a number that KFP's SDK casts where its type isn't that of the other
// operand. Numbers are doubles to KFP anyway; the text is kept beside the tree.
var cast = lazyregexp.New(`double\((-?[0-9]+(?:\.[0-9]+)?|inputs\.parameter_values\['[^']*'\])\)`)

// uncast returns a condition without casts to double, as trees are printed.
func uncast(text string) string {
	return cast.ReplaceAllStringFunc(text, func(s string) string {
		s = s[len("double(") : len(s)-1]
		if s[0] != 'i' && !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	})
}

type celReader struct{ sub *program.Component }

var comparisons = map[string]string{
	operators.Equals: "==", operators.NotEquals: "!=", operators.Less: "<", operators.LessEquals: "<=",
	operators.Greater: ">", operators.GreaterEquals: ">=",
}

// logical reads an expression that is true or false. Nil: a tree can't say it.
func (r *celReader) logical(e ast.Expr) *expr.Expr {
	if e.Kind() == ast.LiteralKind { // a branch whose outcome is known, as kfpgo writes it
		if b, ok := e.AsLiteral().(types.Bool); ok {
			return expr.Bool(bool(b))
		}
	}
	if e.Kind() != ast.CallKind {
		return nil
	}
	call := e.AsCall()
	args := call.Args()
	switch fn := call.FunctionName(); fn {
	case operators.LogicalAnd, operators.LogicalOr:
		op := map[string]string{operators.LogicalAnd: "&&", operators.LogicalOr: "||"}[fn]
		var all []*expr.Expr
		if !r.flatten(fn, e, &all) {
			return nil
		}
		if op == "&&" {
			all = guards(all)
		}
		if len(all) == 1 {
			return all[0]
		}
		return &expr.Expr{Op: op, Args: all}
	case operators.LogicalNot:
		if a := r.logical(args[0]); a != nil {
			return expr.Not(a)
		}
	case operators.In:
		return r.in(args[0], args[1])
	default:
		if op := comparisons[fn]; op != "" {
			return compare(op, r.operand(args[0]), r.operand(args[1]))
		}
	}
	return nil
}

// flatten reads the operands of a chain of && or ||, which the parser balances.
func (r *celReader) flatten(fn string, e ast.Expr, all *[]*expr.Expr) bool {
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == fn {
		return r.flatten(fn, e.AsCall().Args()[0], all) && r.flatten(fn, e.AsCall().Args()[1], all)
	}
	one := r.logical(e)
	*all = append(*all, one)
	return one != nil
}

// guards puts "it was given" into the comparison after it, as a condition on an
// optional input is written.
func guards(all []*expr.Expr) []*expr.Expr {
	var out []*expr.Expr
	for i := 0; i < len(all); {
		n := i
		for n < len(all) && all[n].Op == "given" {
			n++
		}
		if n == i || n == len(all) || !optional(all[i:n], all[n]) {
			out = append(out, all[i])
			i++
			continue
		}
		out = append(out, all[n])
		i = n + 1
	}
	return out
}

// optional marks the operands of a comparison that may not be given, if they are
// those that are asked for.
func optional(given []*expr.Expr, e *expr.Expr) bool {
	names := e.Names()
	if e.Op == "&&" || e.Op == "||" || e.Op == "!" {
		return false
	}
	asked := map[string]bool{}
	for _, g := range given {
		asked[g.Args[0].Name] = true
	}
	for name := range asked {
		found := false
		for _, n := range names {
			found = found || n == name
		}
		if !found {
			return false
		}
	}
	for _, a := range e.Args {
		a.Optional = a.Optional || asked[a.Name]
	}
	return true
}

// in reads "x in [...]", or whether an input was given.
func (r *celReader) in(x, of ast.Expr) *expr.Expr {
	if isValues(of) && x.Kind() == ast.LiteralKind {
		if s, ok := x.AsLiteral().(types.String); ok && r.sub.Input(string(s)) != nil {
			return &expr.Expr{Op: "given", Args: []*expr.Expr{{Op: "name", Name: string(s), Type: r.sub.Input(string(s)).Type.Name}}}
		}
		return nil
	}
	if of.Kind() != ast.ListKind {
		return nil
	}
	out := &expr.Expr{Op: "in", Args: []*expr.Expr{r.operand(x)}}
	for _, e := range of.AsList().Elements() {
		out.Args = append(out.Args, r.operand(e))
	}
	for _, a := range out.Args {
		if !comparable(out.Args[0], a) {
			return nil
		}
	}
	return out
}

func compare(op string, a, b *expr.Expr) *expr.Expr {
	if !comparable(a, b) {
		return nil
	}
	return &expr.Expr{Op: op, Args: []*expr.Expr{a, b}}
}

// comparable reports whether two operands are of kinds that can be compared.
func comparable(a, b *expr.Expr) bool {
	number := func(e *expr.Expr) bool { return e.Type == kfptype.Integer || e.Type == kfptype.Double }
	return a != nil && b != nil && (a.Type == b.Type || number(a) && number(b))
}

// operand reads an input or a constant.
func (r *celReader) operand(e ast.Expr) *expr.Expr {
	switch e.Kind() {
	case ast.LiteralKind:
		return literal(e)
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case "int":
			if in := r.input(call.Args()[0]); len(call.Args()) == 1 && in != nil && in.Type == kfptype.Integer {
				return in
			}
		case "double":
			if len(call.Args()) == 1 {
				of := r.operand(call.Args()[0])
				switch {
				case of == nil || of.Type != kfptype.Integer && of.Type != kfptype.Double:
				case of.Op == "name" && of.Type == kfptype.Integer: // printed with both casts beside a double
					return of
				default:
					of.Type = kfptype.Double
					return of
				}
			}
		case operators.Index:
			in := r.input(e)
			if in != nil && in.Type == kfptype.Integer {
				in.Type = kfptype.Double // not cast to an integer
			}
			return in
		}
	}
	return nil
}

// input reads inputs.parameter_values['x'].
func (r *celReader) input(e ast.Expr) *expr.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Index {
		return nil
	}
	args := e.AsCall().Args()
	if !isValues(args[0]) || args[1].Kind() != ast.LiteralKind {
		return nil
	}
	name, ok := args[1].AsLiteral().(types.String)
	port := r.sub.Input(string(name))
	if !ok || port == nil || port.Type.Artifact {
		return nil
	}
	switch port.Type.Name {
	case kfptype.String, kfptype.Integer, kfptype.Double, kfptype.Boolean:
		return &expr.Expr{Op: "name", Name: string(name), Type: port.Type.Name}
	}
	return nil
}

// isValues reports whether an expression is inputs.parameter_values.
func isValues(e ast.Expr) bool {
	if e.Kind() != ast.SelectKind || e.AsSelect().FieldName() != "parameter_values" || e.AsSelect().IsTestOnly() {
		return false
	}
	of := e.AsSelect().Operand()
	return of.Kind() == ast.IdentKind && of.AsIdent() == "inputs"
}

func literal(e ast.Expr) *expr.Expr {
	out := &expr.Expr{Op: "const"}
	var v any
	switch l := e.AsLiteral().(type) {
	case types.String:
		out.Type, v = kfptype.String, string(l)
	case types.Int:
		out.Type, v = kfptype.Integer, int64(l)
	case types.Double:
		out.Type, v = kfptype.Double, float64(l)
	case types.Bool:
		out.Type, v = kfptype.Boolean, bool(l)
	default:
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil { // a float that JSON doesn't have
		return nil
	}
	out.Const = b
	return out
}

// fields reads a selector that takes a part of a struct, by its keys from the
// outside in. Nil: it does something else.
func fields(selector string) []string {
	s, ok := strings.CutPrefix(selector, "parseJson(string_value)")
	var keys []string
	for ok && s != "" {
		var key string
		end := strings.Index(s, `"]`)
		for end > 0 && s[end-1] == '\\' { // a quote in the key
			next := strings.Index(s[end+1:], `"]`)
			if next < 0 {
				return nil
			}
			end += 1 + next
		}
		if end < 1 || s[0] != '[' || json.Unmarshal([]byte(s[1:end+1]), &key) != nil {
			return nil
		}
		if again, _ := json.Marshal(key); string(again) != s[1:end+1] {
			return nil
		}
		keys, s = append(keys, key), s[end+2:]
	}
	return keys
}
