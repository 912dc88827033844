package expr

import (
	"encoding/json"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Fold simplifies e if it is known for some names whether they have a
// value. That may be a constant: see [Expr.Is].
func (e *Expr) Fold(given func(name string) (given, known bool)) *Expr {
	if e == nil {
		return nil
	}
	switch e.Op {
	case "&&", "||":
		var left []*Expr
		for _, a := range e.Args {
			switch a = a.Fold(given); {
			case a.Is(e.Op == "||"):
				return a
			case !a.Is(e.Op == "&&"):
				left = append(left, a)
			}
		}
		if len(left) == 0 {
			return Bool(e.Op == "&&")
		}
		if len(left) == 1 {
			return left[0]
		}
		return &Expr{Op: e.Op, Args: left}
	case "!":
		a := e.Args[0].Fold(given)
		if a.Is(true) || a.Is(false) {
			return Bool(a.Is(false))
		}
		return Not(a)
	case "given":
		if is, known := given(e.Args[0].Name); known {
			return Bool(is)
		}
		return e
	case "name", "const":
		return e
	}
	absent := func(a *Expr) bool {
		is, known := given(a.Name)
		return a.Op == "name" && known && !is
	}
	if slices.ContainsFunc(e.Args, absent) {
		return Bool(false)
	}
	return e
}

// Is reports whether e is the constant condition b.
func (e *Expr) Is(b bool) bool {
	return e != nil && e.Op == "const" && e.Type == kfptype.Boolean && string(e.Const) == string(Bool(b).Const)
}

// Bool returns the constant condition b.
func Bool(b bool) *Expr {
	j, _ := json.Marshal(b)
	return &Expr{Op: "const", Type: kfptype.Boolean, Const: j}
}
