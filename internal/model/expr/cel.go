package expr

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// CEL returns e as KFP's driver evaluates it, in the words of KFP's Python SDK
// where that has any: numbers arrive there as doubles, so integers are cast.
func (e *Expr) CEL() string {
	switch e.Op {
	case "&&", "||":
		parts := make([]string, len(e.Args))
		for i, a := range e.Args {
			if parts[i] = a.CEL(); a.compound() && len(e.Args) > 1 {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return strings.Join(parts, " "+e.Op+" ")
	case "!":
		return "!(" + e.Args[0].CEL() + ")"
	case "given":
		return celString(e.Args[0].Name) + " in inputs.parameter_values"
	case "name":
		ref := "inputs.parameter_values[" + celString(e.Name) + "]"
		if e.Type == kfptype.Integer {
			return "int(" + ref + ")"
		}
		return ref
	case "const":
		return e.celConst()
	}
	var b strings.Builder
	for _, n := range e.optional() {
		b.WriteString(celString(n.Name) + " in inputs.parameter_values && ")
	}
	if e.Op == "in" {
		list := make([]string, len(e.Args)-1)
		for i := range list {
			list[i] = e.celOperand(i + 1)
		}
		fmt.Fprintf(&b, "%s in [%s]", e.celOperand(0), strings.Join(list, ", "))
	} else {
		fmt.Fprintf(&b, "%s %s %s", e.celOperand(0), e.Op, e.celOperand(1))
	}
	return b.String()
}

// celOperand prints an operand of a comparison. A whole number beside one that needn't
// be is cast once more, as KFP's SDK does: CEL's == knows numbers of one type only.
func (e *Expr) celOperand(i int) string {
	a := e.Args[i]
	switch {
	case a.Type != kfptype.Integer || !slices.ContainsFunc(e.Args, func(b *Expr) bool { return b.Type == kfptype.Double }):
		return a.CEL()
	case a.Op == "const":
		return (&Expr{Op: "const", Type: kfptype.Double, Const: a.Const}).CEL()
	}
	return "double(" + a.CEL() + ")"
}

// compound reports whether e prints with && or || at its top.
func (e *Expr) compound() bool {
	return e.logical() && len(e.Args) > 1 || e.Op != "given" && len(e.optional()) > 0
}

func (e *Expr) celConst() string {
	switch e.Type {
	case kfptype.String:
		var s string
		json.Unmarshal(e.Const, &s)
		return celString(s)
	case kfptype.Double:
		if f, err := strconv.ParseFloat(string(e.Const), 64); err == nil {
			return pythonFloat(f)
		}
	}
	return string(e.Const)
}

// celString quotes a string as CEL does, in single quotes as Python's SDK does.
func celString(s string) string {
	return quoted(s, '\'', map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}, "")
}

// pythonFloat prints a float as Python's repr does.
func pythonFloat(f float64) string {
	s := strconv.FormatFloat(f, 'e', -1, 64)
	_, digits, _ := strings.Cut(s, "e")
	if exp, _ := strconv.Atoi(digits); exp < -4 || exp >= 16 {
		return s
	}
	s = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
