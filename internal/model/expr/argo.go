package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Argo returns e as an expression of Argo Workflows (expr-lang). A parameter is
// a carrier there: the compact JSON of a value, or null where none was given.
// Carrier returns the expression for the carrier of a name, such as
// inputs.parameters['x'].
func (e *Expr) Argo(carrier func(name string) string) string {
	switch e.Op {
	case "&&", "||":
		word := map[string]string{"&&": " and ", "||": " or "}[e.Op]
		parts := make([]string, len(e.Args))
		for i, a := range e.Args {
			parts[i] = "(" + a.Argo(carrier) + ")"
		}
		return strings.Join(parts, word)
	case "!":
		return "not (" + e.Args[0].Argo(carrier) + ")"
	case "given":
		return carrier(e.Args[0].Name) + " != 'null'"
	case "name":
		ref := carrier(e.Name)
		switch e.Type {
		case kfptype.Integer:
			// Argo bounds the nodes of an expression: the text of an int isn't made to be read again.
			if n, ok := strings.CutPrefix(ref, "string(int("); ok && strings.Count(ref, "string(") == 1 {
				return "int(" + strings.TrimSuffix(n, ")")
			}
			return "int(" + ref + ")"
		case kfptype.Double:
			return "float(" + ref + ")"
		case kfptype.Boolean:
			return "(" + ref + " == 'true')"
		}
		return "fromJSON(" + ref + ")"
	case "const":
		if e.Type == kfptype.String {
			return ArgoString(e.Const)
		}
		if n, err := strconv.ParseInt(string(e.Const), 10, 64); err == nil && n == math.MinInt64 {
			return "(-9223372036854775807 - 1)" // the sign isn't part of the number, which alone is too large
		} else if errors.Is(err, strconv.ErrRange) {
			return string(e.Const) + ".0" // a double of digits alone would be read as an integer
		}
		return string(e.Const)
	}
	var b strings.Builder
	for _, n := range e.optional() {
		b.WriteString(carrier(n.Name) + " != 'null' and ")
	}
	if e.Op == "in" {
		// expr-lang's in does not compare an int with a float; == does.
		parts := make([]string, len(e.Args)-1)
		for i, a := range e.Args[1:] {
			parts[i] = e.Args[0].Argo(carrier) + " == " + a.Argo(carrier)
		}
		fmt.Fprintf(&b, "(%s)", strings.Join(parts, " or "))
	} else {
		fmt.Fprintf(&b, "%s %s %s", e.Args[0].Argo(carrier), e.Op, e.Args[1].Argo(carrier))
	}
	return b.String()
}

// htmlEscape is what Argo replaces in an expression, wherever it stands.
var htmlEscape = strings.NewReplacer(`\u003c`, `\\u0075003c`, `\u003e`, `\\u0075003e`, `\u0026`, `\\u00750026`)

// ArgoString returns a JSON string as an expr-lang literal that holds no {{ or
// }}, which would end the tag that it stands in, no $, and no escape of <, > or &,
// which Argo takes for one of its own.
func ArgoString(text json.RawMessage) string {
	var s string
	json.Unmarshal(text, &s)
	return htmlEscape.Replace(quoted(s, '"', nil, "{}$"))
}

// quoted returns a string in quotes: some characters have escapes of their own, and
// control characters and others are written by their numbers.
func quoted(s string, quote rune, escapes map[rune]string, others string) string {
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range s {
		switch {
		case r == quote || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case escapes[r] != "":
			b.WriteString(escapes[r])
		case r < ' ' || r == 0x7f || strings.ContainsRune(others, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}
