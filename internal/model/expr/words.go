package expr

import "strings"

// Words returns e as people write it: not (a > 5 and b is given). Name says what a
// name stands for, and short shortens a constant; nil leaves it as it is.
func (e *Expr) Words(name, short func(string) string) string {
	if e == nil {
		return ""
	}
	args := func(es []*Expr) []string {
		parts := make([]string, len(es))
		for i, a := range es {
			if parts[i] = a.Words(name, short); a != nil && a.logical() && len(es) > 1 {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return parts
	}
	switch {
	case e.Op == "name":
		return name(e.Name)
	case e.Op == "const" && short != nil:
		return short(string(e.Const))
	case e.Op == "const":
		return string(e.Const)
	case e.Op == "given":
		of := e.Name
		if len(e.Args) == 1 && e.Args[0] != nil {
			of = e.Args[0].Name
		}
		return name(of) + " is given"
	case e.Op == "&&":
		return strings.Join(args(e.Args), " and ")
	case e.Op == "||":
		return strings.Join(args(e.Args), " or ")
	case e.Op == "!":
		return "not (" + strings.Join(args(e.Args), " ") + ")"
	case e.Op == "in" && len(e.Args) > 0:
		return e.Args[0].Words(name, short) + " in " + strings.Join(args(e.Args[1:]), ", ")
	}
	return strings.Join(args(e.Args), " "+e.Op+" ")
}

// Arm returns the rest of the condition of an arm of an If when the negations
// of the arms before it, which KFP's conditions hold, are taken away: nil is else.
func (e *Expr) Arm() *Expr {
	own := []*Expr{e}
	if e.Op == "&&" {
		own = e.Args
	}
	for i, a := range own {
		if a == nil || a.Op != "!" {
			if i == len(own)-1 && i > 0 {
				return a
			}
			return e
		}
	}
	return nil
}

// Types returns the types of the operands, in order: int(x) == 1 and x == 1 are
// not the same to KFP.
func (e *Expr) Types() []string {
	var types []string
	e.walk(func(e *Expr) {
		if e.Type != "" {
			types = append(types, e.Type)
		}
	})
	return types
}
